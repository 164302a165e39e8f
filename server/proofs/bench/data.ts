// `npm run proofs -w @foyer/server -- data`: queries on collections of up to 1,000,000 records, with and without an index,
// on PostgreSQL and on the embedded database, and the effect of a query that times out on other calls. README.md
// describes the method. A full run is written to DATA.md.
//   --records 100000   a smaller largest collection
//   --only embedded    or postgresql
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp } from '../../src/apps/create-app.js';
import { readConfig } from '../../src/env.js';
import { buildStoreDeps } from '../../src/wiring.js';
import { password, withDatabase } from './database.js';
import { percentile } from './figures.js';
import { caller, dataOf, startService } from './processes.js';
import { collectionOf, seedRecords } from './records.js';

const { values: options } = parseArgs({
  options: { records: { type: 'string', default: '1000000' }, only: { type: 'string' } },
});
const largest = Number(options.records);
const sizes = [1_000, 10_000, 100_000, 1_000_000].filter((size) => size < largest).concat(largest);
const timesEach = 50;
const loadBefore = load();

type Call = ReturnType<typeof caller>;

const indexed = {
  'order by n, 20': { orderBy: [{ field: 'n' }], limit: 20 },
  'n == x': { where: [{ field: 'n', op: '==', value: 500 }] },
  'n >= x, half == 1, order by n desc, 20': {
    where: [
      { field: 'n', op: '>=', value: 100 },
      { field: 'half', op: '==', value: 1 },
    ],
    orderBy: [{ field: 'n', direction: 'desc' }],
    limit: 20,
  },
  'start after x, order by n, 20': { orderBy: [{ field: 'n' }], startAfter: [500], limit: 20 },
};
const unindexed = {
  where: [{ field: 'title', op: '==', value: 'nothing' }],
  orderBy: [{ field: 'author.name' }],
};

const report: string[] = [];

function say(line: string): void {
  report.push(line);
  console.log(line);
}

async function measure(kind: string, call: Call, secretKey: string): Promise<void> {
  const backend = { Authorization: `Bearer ${secretKey}` };
  const query = (size: number, body: object) => call(`/data/${collectionOf(size)}/query`, body, backend);
  say(`\n## ${kind}\n`);
  say(`| query | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} |`);
  say(`|---|${'--:|'.repeat(sizes.length)}`);
  for (const [what, body] of Object.entries(indexed)) {
    const row: string[] = [];
    for (const size of sizes) {
      const times: number[] = [];
      for (let i = 0; i < timesEach; i += 1) {
        const answer = await query(size, body);
        dataOf(answer);
        times.push(answer.milliseconds);
      }
      row.push(`${percentile(times, 50).toFixed(1)} (${percentile(times, 99).toFixed(1)})`);
    }
    say(`| ${what} | ${row.join(' | ')} |`);
  }
  const read: string[] = [];
  for (const size of sizes) {
    read.push(outcome(await query(size, unindexed)));
  }
  say(`| without an index, once | ${read.join(' | ')} |\n`);

  const user = dataOf(await call('/auth/sign-up', { email: 'ada@example.com', password }));
  const asUser = { Authorization: `Bearer ${user.access_token}` };
  const me = async (during: Promise<unknown>) => {
    let over = false;
    void during.then(() => {
      over = true;
    });
    const times: number[] = [];
    while (!over) {
      const answer = await call('/me', undefined, asUser);
      dataOf(answer);
      times.push(answer.milliseconds);
    }
    const [middle, slow] = [percentile(times, 50).toFixed(1), percentile(times, 99).toFixed(1)];
    return `${times.length} calls, median ${middle}, p99 ${slow}`;
  };
  say(`- GET /me alone: ${await me(new Promise((resolve) => setTimeout(resolve, 3_000)))}`);
  const scans = Array.from({ length: 6 }, () => query(largest, unindexed));
  say(`- GET /me beside six such queries at once: ${await me(Promise.all(scans))}`);
  say(`- And those: ${(await Promise.all(scans)).map(outcome).join(', ')}`);
}

function outcome({ status, milliseconds }: Awaited<ReturnType<Call>>): string {
  return `${status} after ${Math.round(milliseconds)}`;
}

async function run(kind: string, environment: Record<string, string>): Promise<void> {
  const { deps, database, close } = await buildStoreDeps(readConfig({ ...environment, LOG_LEVEL: 'silent' }));
  const { app, secretKey } = await createApp(deps, { name: 'Bench' });
  const began = performance.now();
  await seedRecords(database, app.id, sizes);
  console.log(`${kind}: filled in ${Math.round((performance.now() - began) / 1_000)} s`);
  await close();
  const service = await startService({ ...environment, RATE_LIMITS: 'off' });
  await measure(kind, caller(service.port, { 'X-App-Key': app.appKey }), secretKey).finally(service.stop);
}

const secret = { ENCRYPTION_KEYS: 'a secret key of the benchmark alone and long enough' };
if (options.only !== 'embedded') {
  await withDatabase((databaseUrl) =>
    run('PostgreSQL', { ...secret, DATABASE_URL: databaseUrl, BASE_URL: 'https://accounts.example.com' }),
  );
}
if (options.only !== 'postgresql') {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-bench-data-'));
  try {
    await run('embedded', { ...secret, DATA_DIR: directory });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
if (!options.only && largest === 1_000_000) {
  const head = [
    '# Queries on collections of up to 1,000,000 records\n',
    `Made by \`npm run proofs -w @foyer/server -- data\`. Milliseconds of a call, median of ${timesEach} and p99 in brackets, by the`,
    `number of records in the collection; README.md tells the method. The load of the machine, of two cores, was`,
    `${loadBefore} before and ${load()} at the end: this benchmark's and that of others.`,
  ];
  writeFileSync(new URL('./DATA.md', import.meta.url), `${[...head, ...report].join('\n')}\n`);
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
