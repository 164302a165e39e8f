// `npm run proofs -w @foyer/server -- bodies`: how long each kind of large body blocks the event loop of the service, and so every
// other call, in milliseconds of processor time. Each kind is sent at its maximum a few times, the longest block counts.
//   --only import      a part of the name of a body
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../../test/free-port.js';
import { withDatabase } from './database.js';
import { newApp } from './processes.js';

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const timesEach = 5;
const maxMilliseconds = 50;
const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const monitor = new URL('loop-monitor.mjs', import.meta.url).href;

type Sent = { method: string; path: string; body: string; headers?: Record<string, string> };

const times = <T>(count: number, make: (place: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const keyed = (count: number, value: (place: number) => unknown) =>
  Object.fromEntries(times(count, (i) => [`key_${i}_${Math.random().toString(36).slice(2, 8)}`, value(i)]));
const importOf = (users: unknown): Sent => ({
  method: 'POST',
  path: '/admin/users/import',
  body: JSON.stringify({ users }),
});
const configOf = (parameters: unknown): Sent => ({
  method: 'PUT',
  path: '/admin/config',
  body: JSON.stringify({ parameters }),
  headers: { 'If-Match': '*' },
});
const recordOf = (fields: unknown): Sent => ({
  method: 'PUT',
  path: `/data/bodies/${Math.random().toString(36).slice(2)}`,
  body: JSON.stringify({ fields }),
});
const queryOf = (filter: unknown): Sent => ({
  method: 'POST',
  path: '/data/bodies/query',
  body: JSON.stringify(filter),
});
const emails = () => Math.random().toString(36).slice(2);
const long = (characters: number) => 'x'.repeat(characters);

/** Each makes a body near the limits of its route: bytes, values, keys. */
const bodies: Record<string, () => Sent> = {
  'import: 1,000 users with names': () =>
    importOf(
      times(1_000, () => ({
        email: `${emails()}@example.com`,
        first_name: long(100),
        last_name: long(100),
        email_verified: true,
        member_id: emails(),
      })),
    ),
  'import: 1,000 users with claims': () =>
    importOf(times(1_000, () => ({ email: `${emails()}@example.com`, claims: keyed(17, () => long(24)) }))),
  'import: 1,000 users with lists in claims': () =>
    importOf(
      times(1_000, () => ({ email: `${emails()}@example.com`, claims: { list: times(44, (i) => i) } })),
    ),
  'import: 1,000 users, none valid': () =>
    importOf(times(1_000, () => ({ ...keyed(15, (i) => i), email: 'no', first_name: 7, photo_url: 'x' }))),
  'import: one user with 19,000 unknown keys': () => importOf([keyed(19_000, () => 1)]),
  'import: 1,000 numbers': () => importOf(times(1_000, (i) => i)),
  'import: 49,000 numbers': () => importOf(times(49_000, (i) => i)),
  'import: 1,000 passwords': () => importOf(times(1_000, () => keyed(15, () => ({ password: 1 })))),
  'config: a string of 1 MB': () => configOf({ a: { type: 'string', value: long(990_000) } }),
  'config: 500 parameters': () =>
    configOf(
      Object.fromEntries(
        times(500, (i) => [`p${i}`, { type: 'string', value: long(1_000), description: long(900) }]),
      ),
    ),
  'config: JSON with 19,000 keys': () => configOf({ a: { type: 'json', value: keyed(19_000, (i) => i) } }),
  'config: JSON with 49,000 numbers': () =>
    configOf({ a: { type: 'json', value: times(49_000, (i) => i / 7) } }),
  'config: 6,000 parameters': () =>
    configOf(Object.fromEntries(times(6_000, (i) => [`p${i}`, { type: 'x', value: 1 }]))),
  'config: 500 parameters, none valid': () =>
    configOf(Object.fromEntries(times(500, (i) => [`p ${i}`, { type: 'json', value: 'x', other: 1 }]))),
  'config: escapes': () => ({
    ...configOf({}),
    body: `{"parameters":{"a":{"type":"string","value":"${'\\ud83d\\ude00'.repeat(80_000)}"}}}`,
  }),
  'record: a string of 1 MB': () => recordOf({ a: long(1_000_000) }),
  'record: 2,000 keys': () => recordOf(keyed(1_990, () => long(480))),
  'record: 20,000 numbers': () => recordOf({ a: times(19_990, (i) => i / 7) }),
  'record: 20,000 strings': () => recordOf({ a: times(19_990, () => long(45)) }),
  'record: 4,000 keys, too many': () => recordOf(keyed(3_990, () => long(200))),
  'record: escapes': () => ({
    ...recordOf({}),
    body: `{"fields":{"a":"${'\\ud83d\\ude00'.repeat(85_000)}"}}`,
  }),
  'record: long digits': () => ({
    ...recordOf({}),
    body: `{"fields":{"a":[${times(19_000, () => `0.${'1234567890'.repeat(5)}`).join()}]}}`,
  }),
  'record: merged into one of 17,000 numbers': () => ({
    ...recordOf({ b: { c: Math.random(), d: keyed(900, (i) => i) } }),
    method: 'PATCH',
    path: '/data/bodies/merged',
  }),
  'query: many conditions': () =>
    queryOf({ where: times(50, (i) => [`field_${i}`, 'in', times(45, (j) => `${j} ${long(20)}`)]) }),
  'query: nonsense': () => queryOf(keyed(2_400, () => 1)),
};

type Row = { name: string; bytes: number; status: number; milliseconds: number };

await withDatabase(async (databaseUrl) => {
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: 'of-the-benchmark-alone-and-long-enough-for-one',
    RATE_LIMITS: 'off',
  };
  const app = await newApp(environment, 'Bodies');
  const service = await startMonitored(environment);
  const headers = { 'X-App-Key': app.app_key, Authorization: `Bearer ${app.secret_key}` };
  const send = async ({ method, path, body, headers: more }: Sent) => {
    const url = `http://127.0.0.1:${service.port}/api/v2${path}`;
    const type = { 'Content-Type': 'application/json', ...headers, ...more };
    const answer = await fetch(url, { method, headers: type, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  try {
    const collection = JSON.stringify({ name: 'bodies', access_mode: 'owner' });
    await send({ method: 'POST', path: '/admin/collections', body: collection });
    await send({ ...recordOf({ a: times(17_000, (i) => i) }), path: '/data/bodies/merged' });
    const rows: Row[] = [];
    for (const [name, make] of Object.entries(bodies)) {
      if (!name.includes(options.only)) continue;
      rows.push(await measure(name, make, send, service.longest));
      const { bytes, status, milliseconds } = rows.at(-1) as Row;
      console.log(
        `${milliseconds.toFixed(1).padStart(7)} ms  ${status}  ${name} (${Math.round(bytes / 1_000)} kB)`,
      );
    }
    const over = rows.filter(({ milliseconds }) => milliseconds > maxMilliseconds);
    console.log(
      `\n${over.length} of ${rows.length} kinds block the event loop for more than ${maxMilliseconds} ms.`,
    );
    if (over.length > 0) process.exitCode = 1;
  } finally {
    await service.stop();
  }
});

/** The first call of a kind compiles code, so that it does not count. */
async function measure(
  name: string,
  make: () => Sent,
  send: (sent: Sent) => Promise<number>,
  longest: () => Promise<number>,
): Promise<Row> {
  let status = 0;
  let bytes = 0;
  const blocks: number[] = [];
  for (let time = 0; time <= timesEach; time += 1) {
    const sent = make();
    bytes = Buffer.byteLength(sent.body);
    await longest();
    status = await send(sent);
    // What is written after the answer.
    await sleep(100);
    blocks.push(await longest());
  }
  return { name, bytes, status, milliseconds: Math.max(...blocks.slice(1)) };
}

/** The service with `loop-monitor.mjs`, and its longest block since the last question. */
async function startMonitored(environment: Record<string, string>) {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', monitor, cli, 'start'], {
    env: { PATH: process.env.PATH ?? '', ...environment, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const answers: ((milliseconds: number) => void)[] = [];
  lines.on('line', (line) => {
    const [, milliseconds] = /^longest (.*)/.exec(line) ?? [];
    if (milliseconds !== undefined) answers.shift()?.(Number(milliseconds));
  });
  const url = `http://127.0.0.1:${port}/readyz`;
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('the service did not start');
    await sleep(100);
  }
  return {
    port,
    longest: () =>
      new Promise<number>((resolve) => {
        answers.push(resolve);
        child.stdin.write('?\n');
      }),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
