// `npm run proofs -w @foyer/server -- contention`: what others notice while a few users, or many users of one record, keep calls
// in progress that wait for the same row of the database. Prints a table, and how often the load itself was answered.
//   --seconds 20       of each measurement
//   --only "one record"   a part of the name of a load
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { TokenAnswer } from '@foyer/contract';
import { keyRing } from '../../engines/keys/key-ring.js';
import { systemRandom } from '../../src/lib/crypto/random.js';
import type { LoadedCall, LoadReport } from './contention-load.js';
import { emailOf, password, withDatabase } from './database.js';
import { percentile } from './figures.js';
import { type NewApp, type Running, seededApp, startService } from './processes.js';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, only: { type: 'string' } },
});
const seconds = Number(options.seconds);
const usersPerApp = 400;
/** The user whose session is refreshed. */
const observer = 399;
const pauseMilliseconds = 20;
/** The load fills the queues in this time. */
const settlingMilliseconds = 2_000;
const loadBefore = loadavg()[0] as number;
const encryptionKey = randomBytes(32).toString('base64');
const keyId = keyRing([encryptionKey], systemRandom()).currentKeyId;

type Called = { app: NewApp; authorization?: string | undefined; ip: string };
type Side = { running: Running; attacked: NewApp; other: NewApp };

const table: string[] = [];

await withDatabase(async (databaseUrl) => {
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: encryptionKey,
    RATE_LIMITS: 'off',
    TRUST_PROXY: 'loopback',
    BASE_URL: 'https://accounts.example.com',
  };
  const attacked = await seededApp(environment, 'attacked', keyId, usersPerApp);
  const other = await seededApp(environment, 'other', keyId, usersPerApp);
  const running = await startService(environment);
  try {
    await measureAll({ running, attacked, other });
  } finally {
    await running.stop();
  }
});

async function measureAll(side: Side): Promise<void> {
  const { attacked } = side;
  const backend = { app: attacked, authorization: attacked.secret_key, ip: '192.0.2.1' };
  for (const access_mode of ['owner', 'shared']) {
    await call(side, backend, 'POST', '/admin/collections', { name: access_mode, access_mode });
  }
  const tokens: string[] = [];
  for (let user = 0; user < 100; user += 1) tokens.push((await signedIn(side, attacked, user)).access_token);
  const idle = await measure(side, 'no load', null, null);
  const megabyte = JSON.stringify({ fields: { text: 'x'.repeat(1_000_000) } });
  const kilobyte = JSON.stringify({ fields: { text: 'x'.repeat(1_000) } });
  const put = { method: 'PUT', app_key: attacked.app_key, type: 'application/json' } as const;
  const client = (user: number) => ({ authorization: tokens[user] as string, ip: `198.51.100.${user + 1}` });
  const times = <T>(count: number, make: (place: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));
  const form = '--f\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--f--\r\n';
  const loads: Record<string, LoadedCall[]> = {
    '3 users, 30 parallel PUTs of 1 MB each': times(90, (i) => ({
      ...put,
      ...client(i % 3),
      path: `/data/owner/${i}`,
      body: megabyte,
    })),
    '3 users, 30 parallel PUTs of 1 kB each': times(90, (i) => ({
      ...put,
      ...client(i % 3),
      path: `/data/owner/${i}`,
      body: kilobyte,
    })),
    '90 users of one record, PUTs of 100 kB': times(90, (i) => ({
      ...put,
      ...client(i),
      path: '/data/shared/hot',
      body: JSON.stringify({ fields: { text: 'x'.repeat(100_000) } }),
    })),
    '3 users, 30 parallel uploads each': times(90, (i) => ({
      ...put,
      ...client(i % 3),
      method: 'POST',
      path: '/files',
      type: 'multipart/form-data; boundary=f',
      body: form,
    })),
    '3 users, 30 parallel PATCH /me each': times(90, (i) => ({
      ...put,
      ...client(i % 3),
      method: 'PATCH',
      path: '/me',
      body: JSON.stringify({ first_name: `Ada ${i}` }),
    })),
    'a backend, 90 parallel changes of one user': times(90, (i) => ({
      ...put,
      authorization: attacked.secret_key,
      ip: '192.0.2.1',
      path: '/admin/users/01JC0000000000000000000007/claims',
      body: JSON.stringify({ claims: { place: i } }),
    })),
  };
  for (const [name, calls] of Object.entries(loads)) {
    if (options.only === undefined || name.includes(options.only)) await measure(side, name, calls, idle);
  }
  const cores = `${availableParallelism()} cores, load before the run ${loadBefore.toFixed(1)}`;
  console.log(
    `\n${cores}; ${seconds} s each; p50 / p99 in milliseconds, of the attacked app and of another one\n`,
  );
  console.log(table.join('\n'));
}

type Figures = { signIn: number };

/** What others notice: of the same app and of another one, each call after the answer to the one before. */
async function measure(
  side: Side,
  name: string,
  calls: LoadedCall[] | null,
  idle: Figures | null,
): Promise<Figures> {
  const clients = [
    await signedIn(side, side.attacked, observer),
    await signedIn(side, side.other, observer),
  ] as const;
  const load = calls && (await startLoad(side.running.port, calls));
  await sleep(settlingMilliseconds);
  const until = performance.now() + seconds * 1_000;
  const [same, other, ready] = await Promise.all([
    others(side, side.attacked, clients[0], until),
    others(side, side.other, clients[1], until),
    repeat(until, () => get(side, '/readyz')),
  ]);
  const report = await load?.stop();
  const sign = percentile([...same.signIn, ...other.signIn], 50);
  const cell = (values: number[]) =>
    `${percentile(values, 50).toFixed(0)} / ${percentile(values, 99).toFixed(0)}`;
  const both = (of: 'signIn' | 'refresh' | 'me') => `${cell(same[of])}, ${cell(other[of])}`;
  const ratio = idle ? (sign / idle.signIn).toFixed(1) : '';
  if (table.length === 0) {
    table.push('| load | sign-in | p50 to idle | refresh | GET /me | /readyz | the load itself |');
    table.push('|---|---|--:|---|---|---|---|');
  }
  table.push(
    `| ${name} | ${both('signIn')} | ${ratio} | ${both('refresh')} | ${both('me')} | ${cell(ready)} | ${report ?? ''} |`,
  );
  console.log(table.at(-1));
  return { signIn: sign };
}

async function others(side: Side, app: NewApp, session: TokenAnswer, until: number) {
  const client = { app, ip: `203.0.113.${app === side.attacked ? 1 : 2}` };
  let user = 200;
  let { refresh_token: refreshToken, access_token: accessToken } = session;
  const [signIn, refresh, me] = await Promise.all([
    repeat(until, () => {
      user = user === 390 ? 200 : user + 1;
      return call(side, client, 'POST', '/auth/sign-in', { email: emailOf(user), password });
    }),
    repeat(
      until,
      async () => {
        const { data } = await call(side, client, 'POST', '/auth/token/refresh', {
          refresh_token: refreshToken,
        });
        refreshToken = data.refresh_token;
        accessToken = data.access_token;
        // A session may be refreshed 64 times in 30 seconds.
        await sleep(500);
      },
      500,
    ),
    repeat(until, () => call(side, { ...client, authorization: accessToken }, 'GET', '/me')),
  ]);
  return { signIn, refresh, me };
}

/** The milliseconds of each call, without those that it waits afterwards. */
async function repeat(until: number, work: () => Promise<unknown>, waited = 0): Promise<number[]> {
  const milliseconds: number[] = [];
  while (performance.now() < until) {
    const sentAt = performance.now();
    await work();
    milliseconds.push(performance.now() - sentAt - waited);
    await sleep(pauseMilliseconds);
  }
  return milliseconds;
}

async function get({ running }: Side, path: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${running.port}${path}`);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  await answer.text();
}

async function call({ running }: Side, by: Called, method: string, path: string, body?: unknown) {
  const answer = await fetch(`http://127.0.0.1:${running.port}/api/v2${path}`, {
    method,
    headers: {
      'X-App-Key': by.app.app_key,
      'X-Forwarded-For': by.ip,
      'Content-Type': 'application/json',
      ...(by.authorization !== undefined && { Authorization: `Bearer ${by.authorization}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

async function signedIn(side: Side, app: NewApp, user: number): Promise<TokenAnswer> {
  const client = { app, ip: '203.0.113.9' };
  return (await call(side, client, 'POST', '/auth/sign-in', { email: emailOf(user), password })).data;
}

/** Runs in a process of its own, so that large bodies delay no measurement. */
async function startLoad(port: number, calls: LoadedCall[]): Promise<{ stop(): Promise<string> }> {
  const file = fileURLToPath(new URL('./contention-load.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  const started = once(child, 'message');
  child.send({ port, calls });
  await started;
  return {
    async stop() {
      const reported = once(child, 'message');
      child.send('stop');
      const [report] = (await reported) as [LoadReport];
      return Object.entries(report)
        .map(([status, count]) => `${count} with ${status}`)
        .join(', ');
    },
  };
}
