// `npm run proofs -w @foyer/server -- users`: lists out of a million users, page 1 and a page behind 900,000: each filter
// by itself and some together, with few and many matching users in different positions; and the cost of the indexes.
// Written to USERS.md.
//   --users <n>        another number than 1,000,000; then nothing is written
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Query } from '@foyer/prisma';
import type pg from 'pg';
import type { Place, UserFilters, UserOrder } from '../../src/admin-users/list/list-rules.js';
import { listUsers } from '../../src/admin-users/list/list-users.js';
import { createApp } from '../../src/apps/create-app.js';
import type { StoreDeps } from '../../src/deps.js';
import { readConfig } from '../../src/env.js';
import { ApiError } from '../../src/lib/api-error.js';
import { systemElapsed } from '../../src/lib/elapsed.js';
import { buildStoreDeps } from '../../src/wiring.js';
import { onDatabase, passwordHash, withDatabase } from './database.js';
import { median } from './figures.js';

const { values: options } = parseArgs({ options: { users: { type: 'string', default: '1000000' } } });
const users = Number(options.users);
const depth = Math.floor(users * 0.9);
const runs = 7;
const written = 20_000;

const none: UserFilters = {
  ...{ q: null, email: null, disabled: null, emailVerified: null, provider: null },
  ...{ createdAfter: null, createdBefore: null, v1UsedAfter: null, uids: null },
};

/** Where in the list the users are that a filter finds: an app for each, otherwise equal. */
const placements = {
  spread: 'n * 7919 % $3',
  'the oldest': 'n',
  'the newest': '$3 - 1 - n',
};
/** Their number, and the prefix and the days that find them. */
const matching = [
  { share: 0.015, q: 'zedaaa', days: 1 },
  { share: 0.1, q: 'zedaa', days: 10 },
  { share: 0.5, q: 'zeda', days: 100 },
];

const words = `What a page costs does not depend on its depth. It depends on where the users stand whom the filters find:

- The orders, and newest or oldest first \`disabled\`, \`email_verified\`, \`provider\` and the bounds of \`created_at\`, alone or together
  (but \`provider\` with a flag), are read from an index in the order of the list: a page costs the same among any number of users.
- \`q\` and \`v1_used_after\` that find up to 10,000 users: these are counted and sorted by what their index holds.
- If they find more, the first 6,500 users from the cursor on are judged, which is enough where those who match are spread. Where
  they are not, the set is counted and sorted after all: one or two microseconds for each user that matches, or four on a
  busy machine such as this one was. That is the worst case of one filter alone, and it does grow with the number of
  users that match: half a million of them at the far end of a million take two seconds here. Above a million that match, or
  100,000 in an order by email, the list is walked along, and given up after five seconds.
- Filters together are sorted up to 100,000 users, each of whom is read; above, the list is walked along. Frequent ones that
  hardly anybody meets are the dearest, and may be given up.
- Sorting without reading a user needs pages that vacuum has marked; where it has not been, each key costs a look at the row.
`;

const names = new Map<string, string>();

const report = await withDatabase(async (databaseUrl) => {
  const ENCRYPTION_KEYS = 'of-the-benchmark-alone-and-long-enough-for-one';
  const { deps, close } = await buildStoreDeps(readConfig({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS }));
  return onDatabase(databaseUrl, (client) => bench(deps, client)).finally(close);
});
process.stdout.write(report);
if (users === 1_000_000) await writeFile(new URL('./USERS.md', import.meta.url), report);

type Case = { appId: string; name: string; filters?: Partial<UserFilters>; order?: UserOrder };

async function bench(deps: StoreDeps, client: pg.Client): Promise<string> {
  const apps: [string, string][] = [];
  for (const [placement, rank] of Object.entries(placements)) {
    const { app } = await createApp(deps, { name: 'Bench' });
    apps.push([placement, app.id]);
    await seed(client, app.id, rank);
  }
  const [[, appId] = ['', '']] = apps;
  await linkAndSignIn(client, appId);
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  return [
    `# Lists of users out of ${users.toLocaleString('en')}\n`,
    `PostgreSQL, pages of 25, ${runs} runs each; made by \`npm run proofs -w @foyer/server -- users\`. Milliseconds of the whole`,
    'operation in the service: median, and the slowest in brackets; behind the bar its last statement under a plan for any values.\n',
    words,
    '## Few and many, wherever they stand\n',
    await table(
      deps,
      client,
      apps.flatMap(([placement, id]) => placed(placement, id)),
    ),
    '\n## Each filter alone, and some together\n',
    await table(deps, client, await usualCases(client, appId)),
    `\n${await writeCost(client, appId)}`,
    `The load of the machine, of two cores, was ${loadavg()[0]?.toFixed(1)} at the end: this benchmark's and that of others.\n`,
  ].join('\n');
}

function placed(placement: string, appId: string): Case[] {
  return matching.flatMap(({ share, q, days }) => {
    const which = `${(users * share).toLocaleString('en')} users, ${placement}`;
    return [
      { appId, name: `q: ${which}`, filters: { q } },
      { appId, name: `v1_used_after: ${which}`, filters: { v1UsedAfter: recent(days) } },
    ];
  });
}

async function table(deps: StoreDeps, client: pg.Client, cases: Case[]): Promise<string> {
  const rows: string[] = [];
  for (const one of cases) {
    const first = await measure(deps, client, one, null);
    const deep = await measure(
      deps,
      client,
      one,
      await placeAt(client, one.appId, one.order ?? '-created_at'),
    );
    rows.push(`| ${one.name} | ${figures(first)} | ${figures(deep)} | ${first.scans.join(', ')} |`);
  }
  const head = `| list | page 1 | behind ${depth.toLocaleString('en')} users | indexes of page 1 |\n|---|---|---|---|`;
  return [head, ...rows].join('\n');
}

async function usualCases(client: pg.Client, appId: string): Promise<Case[]> {
  const [some] = (
    await client.query(
      `SELECT id, member_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at
       FROM users WHERE app_id = $1 ORDER BY created_at OFFSET $2 LIMIT 1`,
      [appId, Math.floor(users / 2)],
    )
  ).rows;
  const cases: Omit<Case, 'appId'>[] = [
    { name: 'no filter' },
    { name: 'no filter, oldest first', order: 'created_at' },
    { name: 'no filter, by email', order: 'email' },
    { name: 'no filter, by email, backwards', order: '-email' },
    { name: 'disabled=true (3 users)', filters: { disabled: true } },
    { name: 'disabled=false', filters: { disabled: false } },
    { name: 'email_verified=true', filters: { emailVerified: true } },
    { name: 'email_verified=false', filters: { emailVerified: false } },
    { name: 'provider=provider-a (30 %)', filters: { provider: 'provider-a' } },
    { name: 'provider=provider-b (10 users)', filters: { provider: 'provider-b' } },
    { name: 'created_after (half)', filters: { createdAfter: some.created_at } },
    { name: 'created_before (half)', filters: { createdBefore: some.created_at } },
    { name: 'email', filters: { email: 'user-500000@example.com' } },
    { name: 'q=user-5000 (111 emails)', filters: { q: 'user-5000' } },
    { name: 'q=us (every email)', filters: { q: 'us' } },
    { name: 'q=adab (1,000 first names)', filters: { q: 'adab' } },
    { name: 'q=ada (10 % of the first names)', filters: { q: 'ada' } },
    { name: 'q=ada, by email', filters: { q: 'ada' }, order: 'email' },
    { name: 'q=zedaa, by email (10 %)', filters: { q: 'zedaa' }, order: 'email' },
    { name: 'q, a member id', filters: { q: some.member_id } },
    { name: 'q, a uid', filters: { q: some.id } },
    { name: 'q=nobody-at-all', filters: { q: 'nobody-at-all' } },
    { name: 'disabled=true, by email', filters: { disabled: true }, order: 'email' },
    { name: 'provider-a and email_verified', filters: { provider: 'provider-a', emailVerified: true } },
    {
      name: 'q=ada, provider-a, v1 within a year',
      filters: { q: 'ada', provider: 'provider-a', v1UsedAfter: recent(365) },
    },
    { name: 'q=ada, provider-b (nobody)', filters: { q: 'ada', provider: 'provider-b' } },
    {
      name: 'four frequent ones that nobody meets',
      filters: { q: 'us', provider: 'provider-a', v1UsedAfter: recent(365), createdAfter: recent(280) },
    },
  ];
  return cases.map((one) => ({ ...one, appId }));
}

type Figures = Awaited<ReturnType<typeof measure>>;

async function measure(deps: StoreDeps, client: pg.Client, one: Case, after: Place | null) {
  let sent: { text: string; values: unknown[] }[] = [];
  const query: Query = (statement) => {
    sent.push(statement);
    return deps.query(statement);
  };
  const { order = '-created_at' } = one;
  const list = { filters: { ...none, ...one.filters }, order, limit: 25, after };
  const times: number[] = [];
  let refused = false;
  for (let run = -2; run < runs && !(refused && times.length > 0); run += 1) {
    sent = [];
    const milliseconds = await timeOf(async () => {
      const listed = listUsers({ query, elapsed: systemElapsed }, one.appId, list);
      refused = await listed.then(() => false, isTimeout);
    });
    if (run >= 0) times.push(milliseconds);
  }
  const last = sent.at(-1) as { text: string; values: unknown[] };
  await client.query('SET plan_cache_mode = force_generic_plan');
  const genericTimes: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    genericTimes.push(await timeOf(() => client.query({ name: nameOf(last.text), ...last })));
  }
  await client.query('RESET plan_cache_mode');
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${last.text}`, last.values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const scan =
    /(?:Index(?: Only)? Scan(?: Backward)? using|Bitmap Index Scan on|Seq Scan on) (\w+)(?![^\n]*never executed)/g;
  const scans = [...plan.matchAll(scan)].map(([text, name]) =>
    text.startsWith('Seq') ? `SEQ SCAN ${name}` : (name as string),
  );
  return {
    median: median(times),
    slowest: Math.max(...times),
    generic: median(genericTimes),
    statements: sent.length,
    refused,
    scans: [...new Set(scans)],
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function nameOf(text: string): string {
  const name = names.get(text) ?? `bench_${names.size}`;
  names.set(text, name);
  return name;
}

function isTimeout(error: unknown): true {
  if (error instanceof ApiError && error.code === 'admin/query-timeout') return true;
  throw error;
}

function figures({ median: middle, slowest, generic, statements, refused }: Figures): string {
  if (refused) return `503 after ${(middle / 1_000).toFixed(1)} s`;
  return `${middle.toFixed(1)} (${slowest.toFixed(1)}) \\| ${generic.toFixed(1)}${statements > 1 ? `, ${statements} statements` : ''}`;
}

async function placeAt(client: pg.Client, appId: string, order: UserOrder): Promise<Place> {
  const column = order.endsWith('email') ? 'email' : 'created_at';
  const key =
    column === 'email' ? 'email' : `to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const direction = order.startsWith('-') ? 'DESC' : 'ASC';
  const { rows } = await client.query(
    `SELECT ${key} AS key, id FROM users WHERE app_id = $1 ORDER BY ${column} ${direction}, id ${direction} OFFSET $2 LIMIT 1`,
    [appId, depth],
  );
  return rows[0];
}

/**
 * Users created over two years; every third has an unverified email. `rank` is the order in which filters find them.
 */
async function seed(client: pg.Client, appId: string, rank: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT string_agg('DROP INDEX ' || indexname, ';') AS drop, string_agg(indexdef, ';') AS create FROM pg_indexes
     WHERE tablename = 'users' AND indexname NOT LIKE '%key'`,
  );
  // Building them at the end takes a tenth of the time.
  await client.query(rows[0].drop);
  await client.query(
    `INSERT INTO users (app_id, id, email, email_verified, first_name, last_name, password_hash, member_id, disabled,
       created_at, updated_at, last_sign_in_at, v1_last_used_at)
     SELECT $1, '01JC' || lpad(n::text, 22, '0'), 'user-' || n || '@example.com', n % 3 <> 0,
       (ARRAY['Ada','Grace','Alan','Edsger','Barbara','Donald','Margaret','Dennis','Frances','Ken'])[1 + n % 10]
         || CASE WHEN n % 1000 = 0 THEN 'belle' ELSE '' END,
       CASE WHEN rank < 0.015 * $3 THEN 'Zedaaa' WHEN rank < 0.1 * $3 THEN 'Zedaab' WHEN rank < 0.5 * $3 THEN 'Zedab'
         ELSE (ARRAY['Lovelace','Hopper','Turing','Dijkstra','Liskov'])[1 + (n / 10) % 5] END || n % 997,
       $2, (1000000000 + n)::text, n IN (17, 500000, 999983), now() - interval '730 days' + n * interval '63 seconds',
       now(), now(), now() - CASE WHEN rank < 0.015 * $3 THEN interval '1 hour' WHEN rank < 0.1 * $3 THEN interval '5 days'
         WHEN rank < 0.5 * $3 THEN interval '50 days' END
     FROM (SELECT n, ${rank} AS rank FROM generate_series(0::bigint, $3::bigint - 1) AS n) AS n`,
    [appId, passwordHash, users],
  );
  await client.query(rows[0].create);
}

async function linkAndSignIn(client: pg.Client, appId: string): Promise<void> {
  await client.query(
    `INSERT INTO identities (app_id, provider, subject, user_id, client_id, linked_at, user_created_at)
     SELECT app_id, CASE WHEN id LIKE '%12345' THEN 'provider-b' ELSE 'provider-a' END, id, id, 'web', created_at, created_at
     FROM users WHERE app_id = $1 AND (right(id, 1) IN ('1', '2', '3') OR id LIKE '%12345')`,
    [appId],
  );
  await client.query(
    `INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time, device_type, created_at,
       last_used_at)
     SELECT app_id, '01JD' || substr(id, 5), id, 1, '', 'password', '{pwd}', now(), 'mobile', now(), now()
     FROM users WHERE app_id = $1 AND right(id, 1) IN ('1', '5')`,
    [appId],
  );
}

/** Users inserted one by one, with the indexes of the lists and without; and how many sign-ins update no index. */
async function writeCost(client: pg.Client, appId: string): Promise<string> {
  // Each in a transaction of its own: dead versions of one transaction cannot be removed before its end.
  await client.query('SET synchronous_commit = off');
  await client.query(`DO $$ BEGIN FOR n IN 1..${written} LOOP
    UPDATE users SET last_sign_in_at = now() WHERE app_id = '${appId}'
      AND id = '01JC' || lpad((n * 41 % ${users})::text, 22, '0');
    COMMIT;
  END LOOP; END $$`);
  await client.query('SELECT pg_stat_force_next_flush()').catch(() => {});
  const { rows } = await client.query(
    `SELECT n_tup_hot_upd * 100.0 / NULLIF(n_tup_upd, 0) AS hot FROM pg_stat_user_tables WHERE relname = 'users'`,
  );
  const inserted = async (prefix: string) => {
    const milliseconds = await timeOf(() =>
      client.query(`DO $$ BEGIN FOR n IN 1..${written} LOOP
      INSERT INTO users (app_id, id, email, first_name, last_name, member_id, created_at, updated_at)
      VALUES ('${appId}', '${prefix}' || n, md5('${prefix}' || n) || '@example.com', 'Ada', md5(n::text), '${prefix}' || n, now(), now());
    END LOOP; END $$`),
    );
    return (milliseconds * 1_000) / written;
  };
  const withIndexes = [await inserted('a'), await inserted('b'), await inserted('c')];
  await client.query(`DROP INDEX users_app_id_disabled_email_verified_created_at_id_idx, users_folded_first_name,
    users_folded_last_name, users_of_v1, users_app_id_email_created_at_id_idx`);
  const without = [await inserted('d'), await inserted('e'), await inserted('f')];
  return [
    '## What it costs to write\n',
    `One INSERT of a user: ${median(withIndexes).toFixed(0)} µs with the indexes of the lists, ${median(without).toFixed(0)} µs without`,
    `(${written.toLocaleString('en')} in one transaction, three times; a sign-up hashes a password for some 12,000 µs).`,
    `Of ${written.toLocaleString('en')} sign-ins' updates ${Number(rows[0]?.hot ?? 0).toFixed(0)} % touched no index (HOT).\n`,
  ].join('\n');
}

function recent(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
