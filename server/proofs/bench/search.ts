// `npm run proofs -w @foyer/server -- search`: the search of the dashboard's page Users as somebody types, out of 1,000,000
// users on PostgreSQL: the page's own request for each text from two characters on, as a team member. Prints the times, and
// the plan of the slowest. README.md describes the method.
//   --users <n>        another number than 1,000,000
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Query } from '@foyer/prisma';
import type pg from 'pg';
import { listUsers } from '../../src/admin-users/list/list-users.js';
import { createApp } from '../../src/apps/create-app.js';
import { ownerLink } from '../../src/console/invitations/owner-link.js';
import type { Deps } from '../../src/deps.js';
import { readConfig } from '../../src/env.js';
import { systemElapsed } from '../../src/lib/elapsed.js';
import { buildStoreDeps } from '../../src/wiring.js';
import { onDatabase, password, passwordHash, withDatabase } from './database.js';
import { caller, dataOf, startService } from './processes.js';

const { values: options } = parseArgs({ options: { users: { type: 'string', default: '1000000' } } });
const users = Number(options.users);
const timesEach = 5;
const limitMilliseconds = 200;

/** Typed to the end, one character at a time. */
const typed = {
  'a first name of 25,000 users': 'margaret',
  'a last name of 25,000 users': 'lovelace',
  'an email': 'ada.hopper.160000@example.com',
  'a full name': 'margaret lovelace',
  'a full name, last name first': 'lovelace margaret',
  'inner words of an email': 'hopper 160000',
  'short words of many users': 'ma lo',
  'the domain of every user': '@example.com',
  'the same without the @': 'example.com',
  'a member id': '1000500000',
  'a text that nobody has': 'zzyzx',
};

await withDatabase(async (databaseUrl) => {
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: 'of-the-benchmark-alone-and-long-enough-for-one',
  };
  const { deps, close } = await buildStoreDeps(readConfig(environment));
  const { app } = await createApp(deps, { name: 'Bench' });
  const startedAt = performance.now();
  await onDatabase(databaseUrl, (client) => seed(client, app.id));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`${users.toLocaleString('en')} users in ${seconds} s`);
  const service = await startService({ ...environment, RATE_LIMITS: 'off' });
  try {
    // The start has made another link, which this one replaces.
    const link = await ownerLink(deps, 'http://localhost');
    const { appKey: consoleKey } = await deps.prisma.app.findUniqueOrThrow({ where: { slug: 'console' } });
    const accept = { token: link.slice(link.indexOf('#') + 1), email: 'owner@example.com', password };
    const onConsole = caller(service.port, { 'X-App-Key': consoleKey });
    const { access_token } = dataOf(await onConsole('/console/invitations/accept', accept));
    const headers = { 'X-App-Key': app.appKey, Authorization: `Bearer ${access_token}` };
    const call = caller(service.port, headers);
    const search = async (text: string) => {
      const answer = await call(`/admin/users?${new URLSearchParams({ q: text, limit: '25' })}`);
      dataOf(answer);
      return answer.milliseconds;
    };
    // The first call of a service opens connections and compiles code.
    await search('first');
    const slowest = await report(search);
    console.log(
      `\nThe last statement for "${slowest}":\n${await planOf(deps, databaseUrl, app.id, slowest)}`,
    );
  } finally {
    await service.stop();
    await close();
  }
});

/** Prints the times, and returns the slowest text. */
async function report(search: (text: string) => Promise<number>): Promise<string> {
  let slowest = { text: '', milliseconds: 0 };
  let over = 0;
  console.log('\n| typed | texts | median ms | slowest ms | its text |\n|---|---|---|---|---|');
  for (const [what, text] of Object.entries(typed)) {
    const times: { text: string; milliseconds: number }[] = [];
    for (let length = 2; length <= text.length; length += 1) {
      const part = text.slice(0, length);
      for (let time = 0; time < timesEach; time += 1) {
        times.push({ text: part, milliseconds: await search(part) });
      }
    }
    times.sort((left, right) => left.milliseconds - right.milliseconds);
    const last = times.at(-1) as (typeof times)[number];
    const middle = times[Math.floor(times.length / 2)] as (typeof times)[number];
    over += times.filter(({ milliseconds }) => milliseconds > limitMilliseconds).length;
    if (last.milliseconds > slowest.milliseconds) slowest = last;
    const figures = [middle.milliseconds.toFixed(1), last.milliseconds.toFixed(1)];
    console.log(`| ${what} | ${text.length - 1} | ${figures.join(' | ')} | ${last.text} |`);
  }
  console.log(`\n${over} answers took more than ${limitMilliseconds} ms. Load: ${loadavg()[0]?.toFixed(1)}.`);
  return slowest.text;
}

async function planOf(
  deps: Pick<Deps, 'query'>,
  databaseUrl: string,
  appId: string,
  q: string,
): Promise<string> {
  let last: { text: string; values: unknown[] } | undefined;
  const query: Query = (statement) => {
    last = statement;
    return deps.query(statement);
  };
  const none = { email: null, disabled: null, emailVerified: null, provider: null, createdAfter: null };
  const filters = { ...none, q, createdBefore: null, v1UsedAfter: null, uids: null };
  const list = { filters, order: '-created_at', limit: 25, after: null } as const;
  await listUsers({ query, elapsed: systemElapsed }, appId, list);
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, COSTS OFF) ${last?.text}`, last?.values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

/** Created over two years, with 40 first and 40 last names in no order. */
async function seed(client: pg.Client, appId: string): Promise<void> {
  await client.query(
    `INSERT INTO users (app_id, id, email, email_verified, first_name, last_name, password_hash, member_id, created_at,
       updated_at)
     SELECT $1, '01JC' || lpad(n::text, 22, '0'), lower(first || '.' || last || '.' || n || '@example.com'), n % 3 <> 0,
       first, last, $2, (1000000000 + n)::text, now() - interval '730 days' + n * interval '63 seconds', now()
     FROM (SELECT n,
         (ARRAY['Ada','Grace','Alan','Edsger','Barbara','Donald','Margaret','Dennis','Frances','Ken','Radia','Tim','Adele',
           'Brian','Bjarne','Guido','James','Yukihiro','Linus','Leslie','Tony','Robin','John','Niklaus','Kathleen','Jean',
           'Betty','Mary','Marlyn','Ruth','Hedy','Katherine','Dorothy','Annie','Evelyn','Joan','Shafi','Silvio','Whitfield',
           'Martin'])[1 + n * 7919 % 40] AS first,
         (ARRAY['Lovelace','Hopper','Turing','Dijkstra','Liskov','Knuth','Hamilton','Ritchie','Allen','Thompson','Perlman',
           'Lee','Goldberg','Kernighan','Stroustrup','Rossum','Gosling','Matsumoto','Torvalds','Lamport','Hoare','Milner',
           'McCarthy','Wirth','Booth','Bartik','Holberton','Keller','Meltzer','Teitelbaum','Lamarr','Johnson','Vaughan',
           'Easley','Boyd','Clarke','Goldwasser','Micali','Diffie','Hellman'])[1 + n * 104729 / 40 % 40] AS last
       FROM generate_series(0::bigint, $3::bigint - 1) AS n) AS named`,
    [appId, passwordHash, users],
  );
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
}
