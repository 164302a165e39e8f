// `npm run proofs -w @foyer/server -- growth`: the calls that every app makes all the time, and the lists of users and records, on a
// database of 1,000 users and records and on one of 1,000,000, alternately. Written to GROWTH.md.
//   --users 100000   a smaller large side; then nothing is written
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { openDatabase } from '@foyer/prisma';
import { keyRing } from '../../engines/keys/key-ring.js';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { withDatabase } from './database.js';
import { median } from './figures.js';
import { caller, dataOf, type Running, seededApp, startService } from './processes.js';
import { collectionOf, seedRecords } from './records.js';
import { type Call, measureRounds, type Pair, type Side } from './rounds.js';
import { serviceTarget } from './targets.js';

const { values: options } = parseArgs({ options: { users: { type: 'string', default: '1000000' } } });
const [few, many] = [1_000, Number(options.users)];
const whole = many === 1_000_000;
const calls = ['refresh', 'me', 'signIn'] as const satisfies Call[];
const rounds = whole ? 9 : 3;
const pairsOfLists = whole ? 200 : 50;

type Sized = Side & { backend: ReturnType<typeof caller>; size: number };

type List = (side: Sized) => [path: string, body?: unknown];

const lists: Record<string, List> = {
  'users, newest first': () => ['/admin/users?limit=25'],
  'users, by email': () => ['/admin/users?limit=25&order=email'],
  'users, q finds one': ({ size }) => [`/admin/users?limit=25&q=user-${size - 1}%40`],
  'records, by an indexed field': ({ size }) => [
    `/data/${collectionOf(size)}/query`,
    { orderBy: [{ field: 'n' }], limit: 20 },
  ],
  'records, field == value': ({ size }) => [
    `/data/${collectionOf(size)}/query`,
    { where: [{ field: 'n', op: '==', value: 500 }] },
  ],
};

const random = systemRandom();
const encryptionKey = random.bytes(32).toString('base64');
const keys = keyRing([encryptionKey], random);
const loadBefore = loadavg()[0] as number;
const started: Running[] = [];

const report = await withDatabase((small) =>
  withDatabase((large) =>
    bench(small, large).finally(() => Promise.all(started.map((running) => running.stop()))),
  ),
);
process.stdout.write(report);
if (whole) await writeFile(new URL('./GROWTH.md', import.meta.url), report);

async function bench(smallUrl: string, largeUrl: string): Promise<string> {
  const small = await sized(smallUrl, few);
  const large = await sized(largeUrl, many);
  const plan = { calls, rounds, fastSeconds: 1.5, hashingSeconds: 2.5 };
  const measured = await measureRounds({ service: large, ceiling: small }, plan);
  const rows = calls.map((call) => callRow(call, measured[call]));
  for (const [name, list] of Object.entries(lists)) rows.push(await listRow(name, list, small, large));
  return `# Growth: ${few.toLocaleString('en')} and ${many.toLocaleString('en')} users and records

${new Date().toISOString().slice(0, 10)}: ${cpus()[0]?.model}, ${availableParallelism()} cores (load before the run ${loadBefore.toFixed(1)}), Node ${process.version};
made by \`npm run proofs -w @foyer/server -- growth\`. Each size is a database and a process of its own, measured alternately.
Calls: requests a second on 32 connections, medians of ${rounds} rounds, the lowest and highest ratio in brackets.
Lists: milliseconds of one call at a time, medians of ${pairsOfLists} pairs. A ratio of 1 or more: no slower when large.

| what | ${few.toLocaleString('en')} | ${many.toLocaleString('en')} | large to small | bar, aim |
|---|--:|--:|--:|---|
${rows.join('\n')}
`;
}

async function sized(databaseUrl: string, size: number): Promise<Sized> {
  const environment = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: encryptionKey, RATE_LIMITS: 'off' };
  const app = await seededApp(environment, 'growth', keys.currentKeyId, size);
  const database = await openDatabase({ databaseUrl });
  await seedRecords(database, app.app_id, [size]);
  await database.close();
  const running = await startService(environment);
  started.push(running);
  const target = serviceTarget(app.app_key, app.app_id, '', keys, size);
  return {
    running,
    target,
    size,
    backend: caller(running.port, { 'X-App-Key': app.app_key, Authorization: `Bearer ${app.secret_key}` }),
  };
}

function callRow(call: (typeof calls)[number], pairs: Pair[]): string {
  const names = { refresh: 'refresh', me: 'GET /me', signIn: 'sign-in' };
  const perSecond = (side: keyof Pair) => median(pairs.map((pair) => pair[side].perSecond)).toFixed(0);
  const ratios = pairs.map(({ service, ceiling }) => service.perSecond / ceiling.perSecond);
  return `| ${names[call]} | ${perSecond('ceiling')}/s | ${perSecond('service')}/s | ${spread(ratios)} | 0.85, 0.95 |`;
}

async function listRow(name: string, list: List, small: Sized, large: Sized): Promise<string> {
  const times = { small: [] as number[], large: [] as number[] };
  const warmUp = 10;
  for (let pair = -warmUp; pair < pairsOfLists; pair += 1) {
    const both = [
      [times.small, small],
      [times.large, large],
    ] as const;
    for (const [own, side] of pair % 2 === 0 ? both : both.toReversed()) {
      const answer = await side.backend(...list(side));
      dataOf(answer);
      if (pair >= 0) own.push(answer.milliseconds);
    }
  }
  const [a, b] = [median(times.small), median(times.large)];
  return `| ${name} | ${a.toFixed(1)} ms | ${b.toFixed(1)} ms | **${(a / b).toFixed(2)}** | |`;
}

function spread(values: number[]): string {
  return `**${median(values).toFixed(2)}** (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`;
}
