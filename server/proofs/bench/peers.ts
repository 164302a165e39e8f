// `npm run proofs -w @foyer/server -- peers`: sign-up, sign-in, refresh and GET /me of Foyer and of other services, alternately in
// one run, by one load generator, each on a database of its own. Written to PEERS.md, below what is said there by hand.
//   --quick              an overview; then nothing is written
//   --only better-auth   only these peers
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { onDatabase, withDatabase } from './database.js';
import { median } from './figures.js';
import { type Conversation, type Measured, measure } from './load.js';
import { type Api, foyerApi, peerApis, type Tokens } from './peer-apis.js';
import { newApp, type Running, startPeer, startService } from './processes.js';
import { processorMicroseconds } from './processor-time.js';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
type PeerName = keyof typeof peerApis;
const names = (Object.keys(peerApis) as PeerName[]).filter(
  (name) => options.only?.split(',').includes(name) ?? true,
);
const [rounds, fastSeconds, hashingSeconds] = options.quick ? [2, 1.5, 4] : [7, 1.5, 2.5];
const connections = 32;
/** The number of users of each connection. A session of Foyer may be refreshed 64 times in 30 seconds. */
const usersOfEach = 8;
const calls = ['signUp', 'signIn', 'refresh', 'me'] as const;
type Call = (typeof calls)[number];

type User = { email: string; tokens?: Tokens };
type Side = { name: string; api: Api; running: Running; users: User[][] };
type Figures = Measured & { microseconds: number };

const loadBefore = loadavg()[0] as number;
const started: Running[] = [];
let signedUp = 0;
const report = await withDatabase((databaseUrl) =>
  bench(databaseUrl).finally(() => Promise.all(started.map((running) => running.stop()))),
);
process.stdout.write(report);
if (!options.quick && !options.only) {
  const page = new URL('./PEERS.md', import.meta.url);
  const [words] = readFileSync(page, 'utf8').split('## The last run');
  writeFileSync(page, `${words}${report}`);
}

async function bench(databaseUrl: string): Promise<string> {
  const environment = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: randomBytes(32).toString('base64') };
  const { app_key } = await newApp(environment, 'peers');
  const service = await startService({ ...environment, RATE_LIMITS: 'off' });
  started.push(service);
  const sides: Side[] = [side('Foyer', foyerApi(app_key), service)];
  for (const name of names) {
    const own = new URL(databaseUrl);
    own.pathname += `_${name.replace('-', '_')}`;
    await onDatabase(databaseUrl, (client) => client.query(`CREATE DATABASE ${own.pathname.slice(1)}`));
    const running = await startPeer(name, {
      DATABASE_URL: own.toString(),
      SECRET: `S3cret-${randomBytes(24).toString('hex')}`,
    });
    started.push({
      ...running,
      async stop() {
        await running.stop();
        await onDatabase(databaseUrl, (client) =>
          client.query(`DROP DATABASE ${own.pathname.slice(1)} WITH (FORCE)`),
        );
      },
    });
    sides.push(side(name, peerApis[name], running));
  }
  return reportOf(sides, await measureRounds(sides));
}

function side(name: string, api: Api, running: Running): Side {
  return { name, api, running, users: Array.from({ length: connections }, () => []) };
}

type Measurements = Record<string, Record<Call, Figures[]>>;

async function measureRounds(sides: Side[]): Promise<Measurements> {
  const measured: Measurements = Object.fromEntries(
    sides.map(({ name }) => [name, { signUp: [], signIn: [], refresh: [], me: [] }]),
  );
  for (const one of sides) {
    await measureCall(one, 'signUp', hashingSeconds, usersOfEach);
    await measureCall(one, 'signIn', hashingSeconds, usersOfEach);
    if (one.api.refresh) await measureCall(one, 'refresh', fastSeconds);
    await measureCall(one, 'me', fastSeconds);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const call of calls) {
      const seconds = call === 'signUp' || call === 'signIn' ? hashingSeconds : fastSeconds;
      for (const one of round % 2 === 0 ? sides : sides.toReversed()) {
        if (call === 'refresh' && !one.api.refresh) continue;
        const figures = await measureCall(one, call, seconds);
        measured[one.name]?.[call].push(figures);
      }
    }
  }
  return measured;
}

async function measureCall(one: Side, call: Call, seconds: number, atLeast = 0): Promise<Figures> {
  const { port, pid } = one.running;
  const before = processorMicroseconds(pid);
  const conversations = one.users.map((users, connection) => conversation(one.api, call, users, connection));
  const result = await measure({ port, conversations, seconds, atLeast });
  return { ...result, microseconds: (processorMicroseconds(pid) - before) / result.answers };
}

function conversation(api: Api, call: Call, users: User[], connection: number): Conversation {
  if (call === 'signUp') {
    let email = '';
    return {
      status: api.signUpStatus,
      next() {
        signedUp += 1;
        email = `user-${connection}-${signedUp}@example.com`;
        return api.signUp(email);
      },
      answered() {
        if (users.length < usersOfEach) users.push({ email });
      },
    };
  }
  let turn = -1;
  const current = () => users[turn % users.length] as User & { tokens: Tokens };
  return {
    next() {
      turn += 1;
      const { email, tokens } = current();
      if (call === 'signIn') return api.signIn(email);
      return call === 'me' ? api.me(tokens) : (api.refresh as NonNullable<Api['refresh']>)(tokens);
    },
    answered(body) {
      if (call !== 'me') current().tokens = { ...current().tokens, ...api.tokensOf(body) };
    },
  };
}

function reportOf(sides: Side[], measured: Measurements): string {
  const titles: Record<Call, string> = {
    signUp: 'sign-up',
    signIn: 'sign-in',
    refresh: 'refresh',
    me: 'GET /me',
  };
  const rows = sides.flatMap(({ name }) =>
    calls.map((call) => {
      const own = measured[name]?.[call] ?? [];
      if (own.length === 0) return `| ${name} | ${titles[call]} | – | | | | |`;
      const foyer = measured.Foyer?.[call] as Figures[];
      const ratios = foyer.map(({ perSecond }, round) => perSecond / (own[round] as Figures).perSecond);
      const figure = (field: keyof Figures, digits: number) =>
        median(own.map((figures) => figures[field])).toFixed(digits);
      const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
      const ratio =
        name === 'Foyer' ? '' : `**${median(ratios).toFixed(2)}** (${least.toFixed(2)}–${most.toFixed(2)})`;
      return `| ${name} | ${titles[call]} | ${figure('perSecond', 0)} | ${figure('p50', 1)} | ${figure('p99', 1)} | ${figure('microseconds', 0)} | ${ratio} |`;
    }),
  );
  return `## The last run

${new Date().toISOString().slice(0, 10)}: ${cpus()[0]?.model}, ${availableParallelism()} cores (load before the run ${loadBefore.toFixed(1)}), Node ${process.version};
${names.map((name) => `${name} ${versionOf(name)}`).join(', ')}; ${connections} connections, medians of ${rounds} rounds,
the lowest and highest ratio in brackets.

| service | call | requests/s | p50 ms | p99 ms | CPU µs | Foyer's requests to its |
|---|---|--:|--:|--:|--:|--:|
${rows.join('\n')}
`;
}

function versionOf(name: PeerName): string {
  const lock = JSON.parse(readFileSync(new URL('./peers/package-lock.json', import.meta.url), 'utf8'));
  return lock.packages[`node_modules/${name}`].version;
}
