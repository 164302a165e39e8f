// `npm run bench`: the service's calls a second beside ceilings measured in the same run. README.md tells the method.
//   --quick            a look, in under a minute; RESULTS.md is left alone
//   --profile <dir>    node writes the service's CPU profile there
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { keyRing } from '../src/lib/key-ring.js';
import { systemRandom } from '../src/lib/random.js';
import { encodeRefreshToken } from '../src/sessions/refresh-token.js';
import {
  keySetConversations,
  meConversations,
  refreshConversations,
  signInConversations,
  type Target,
} from './conversations.js';
import { dropDatabase, makeDatabase, secretOf, seedApp, sessionIdOf, usersPerApp } from './database.js';
import { type Measured, measure } from './load.js';
import {
  foyer,
  type RawArgon2,
  type Running,
  startCeiling,
  startRawArgon2,
  startService,
} from './processes.js';
import { type Rounds, reportOf } from './report.js';
import { countStatements } from './statements.js';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' } },
});
const rounds = options.quick ? 3 : 5;
const seconds = options.quick ? { fast: 1, hashing: 1.5 } : { fast: 3, hashing: 5 };
const warmSeconds = 2;

const server = process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const random = systemRandom();
const secretKey = random.bytes(32).toString('base64');

type Side = { running: Running; target: Target };

const databaseUrl = await makeDatabase(server);
try {
  process.stdout.write(await bench());
} finally {
  await dropDatabase(server, databaseUrl);
}

async function bench(): Promise<string> {
  const environment = { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, RATE_LIMITS: 'off' };
  const service = await newApp(environment, 'service');
  const ceiling = await newApp(environment, 'ceiling');
  const started: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(running: T): T => {
    started.push(running);
    return running;
  };
  try {
    const sides = {
      service: {
        running: keep(await startService(environment, options.profile)),
        target: serviceTarget(service.app_id, service.app_key),
      },
      ceiling: {
        running: keep(await startCeiling({ DATABASE_URL: databaseUrl, APP_ID: ceiling.app_id })),
        target: ceilingTarget(),
      },
    };
    const measured = await measureRounds(sides, keep(await startRawArgon2()));
    const report = reportOf(measured, await countStatements(environment, service.app_key));
    if (!options.quick) await writeFile(new URL('./RESULTS.md', import.meta.url), report);
    return report;
  } finally {
    await Promise.all(started.map((running) => running.stop()));
  }
}

async function newApp(environment: Record<string, string>, name: string) {
  const said = await foyer(environment, 'apps', 'create', '--name', name, '--json');
  const app = JSON.parse(said) as { app_id: string; app_key: string };
  await seedApp(databaseUrl, app.app_id, keyRing([secretKey], random).currentKeyId);
  return app;
}

function serviceTarget(appId: string, appKey: string): Target {
  const ring = keyRing([secretKey], random);
  return {
    paths: {
      refresh: '/api/v2/auth/token/refresh',
      me: '/api/v2/me',
      keySet: '/api/v2/.well-known/jwks.json',
      signIn: '/api/v2/auth/sign-in',
    },
    headers: headersOf({ 'X-App-Key': appKey }),
    refreshTokens: Array.from({ length: usersPerApp }, (_, user) =>
      encodeRefreshToken(ring, appId, {
        keyId: ring.currentKeyId,
        sessionId: sessionIdOf(user),
        generation: 0,
        secret: secretOf(user),
      }),
    ),
    accessTokens: [],
  };
}

function ceilingTarget(): Target {
  return {
    paths: { refresh: '/refresh', me: '/me', keySet: '/keys', signIn: '' },
    headers: headersOf({}),
    refreshTokens: Array.from(
      { length: usersPerApp },
      (_, user) => `${sessionIdOf(user)}.${secretOf(user).toString('base64url')}`,
    ),
    accessTokens: [],
  };
}

function headersOf(more: Record<string, string>): string {
  const headers = {
    Host: 'localhost',
    Accept: 'application/json',
    'User-Agent': 'Mozilla/5.0 (Android 15; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0',
    ...more,
  };
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

async function measureRounds(sides: { service: Side; ceiling: Side }, rawArgon2: RawArgon2): Promise<Rounds> {
  const fast = { refresh: refreshConversations, me: meConversations, keySet: keySetConversations };
  const run = (
    { running, target }: Side,
    call: keyof typeof fast,
    forSeconds = seconds.fast,
  ): Promise<Measured> =>
    measure({ port: running.port, conversations: fast[call](target), seconds: forSeconds });
  const signIns = (): Promise<Measured> =>
    measure({
      port: sides.service.running.port,
      conversations: signInConversations(sides.service.target),
      seconds: seconds.hashing,
    });
  const measured: Rounds = { refresh: [], me: [], keySet: [], signIn: [], storm: [] };
  const calls = Object.keys(fast) as (keyof typeof fast)[];

  // The first round is not counted: it warms the processes and gives every reader an access token.
  for (let round = 0; round <= rounds; round += 1) {
    for (const call of calls) {
      // Who goes first changes, so that neither side always meets the database as the other left it.
      const first = round % 2 === 0 ? 'service' : 'ceiling';
      const second = first === 'service' ? 'ceiling' : 'service';
      const time = round === 0 ? warmSeconds : seconds.fast;
      const results = {
        [first]: await run(sides[first], call, time),
        [second]: await run(sides[second], call, time),
      };
      if (round > 0) measured[call].push(results as { service: Measured; ceiling: Measured });
    }
    if (round === 0) continue;
    measured.signIn.push({
      service: await signIns(),
      rawPerSecond: await rawArgon2.perSecond(seconds.hashing),
    });
    const idle = await run(sides.service, 'me');
    const [storm] = await Promise.all([run(sides.service, 'me'), signIns()]);
    measured.storm.push({ idle, storm });
  }
  return measured;
}
