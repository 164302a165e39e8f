// `npm run bench`: the service's calls a second and ceilings measured in the same run. README.md describes the method.
//   --quick            an overview, in under a minute
//   --only <calls>     only these, such as refresh,me; README.md names them
//   --profile <dir>    node writes the service's CPU profile there
// Only a full run is written to RESULTS.md.
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { keyRing } from '../../engines/keys/key-ring.js';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { withDatabase } from './database.js';
import { seedPasskeys } from './passkeys.js';
import { seededApp, startCeiling, startService } from './processes.js';
import { reportOf } from './report.js';
import { calls, measureRounds, type Plan } from './rounds.js';
import { countStatements } from './statements.js';
import { ceilingTarget, serviceTarget } from './targets.js';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});
const plan: Plan = {
  calls: calls.filter((call) => options.only?.split(',').includes(call) ?? true),
  ...(options.quick
    ? { rounds: 3, fastSeconds: 1, hashingSeconds: 1.5 }
    : { rounds: 9, fastSeconds: 1.5, hashingSeconds: 2.5 }),
};
if (plan.calls.length === 0) throw new Error(`--only takes one of: ${calls.join(', ')}`);

const random = systemRandom();
const encryptionKey = random.bytes(32).toString('base64');
const keys = keyRing([encryptionKey], random);
const loadBefore = loadavg()[0] as number;

const started: { stop(): Promise<void> }[] = [];
const report = await withDatabase((databaseUrl) =>
  bench(databaseUrl).finally(() => Promise.all(started.map((running) => running.stop()))),
);
process.stdout.write(report);
const whole = !options.quick && !options.only && !options.profile;
if (whole) await writeFile(new URL('./RESULTS.md', import.meta.url), report);

async function start<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const running = await starting;
  started.push(running);
  return running;
}

async function bench(databaseUrl: string): Promise<string> {
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: encryptionKey,
    RATE_LIMITS: 'off',
    // The issuer of the tokens, the same for all instances.
    BASE_URL: 'http://localhost:3000',
  };
  const app = await seededApp(environment, 'service', keys.currentKeyId);
  const ceilingApp = await seededApp(environment, 'ceiling', keys.currentKeyId);
  for (const { app_id } of [app, ceilingApp]) await seedPasskeys(databaseUrl, app_id);
  const service = await start(startService(environment, options.profile));
  const configTag = await configTagOf(service.port, app.app_key);
  const target = serviceTarget(app.app_key, app.app_id, configTag, keys);
  const sides = {
    service: { running: service, target },
    otherInstance: { running: await start(startService(environment)), target },
    ceiling: {
      running: await start(startCeiling({ DATABASE_URL: databaseUrl, APP_ID: ceilingApp.app_id })),
      target: ceilingTarget(ceilingApp.app_id, keys),
    },
  };
  const measured = await measureRounds(sides, plan);
  return reportOf(measured, await countStatements(environment, app.app_key), loadBefore);
}

async function configTagOf(port: number, appKey: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/config`, {
    headers: { 'X-App-Key': appKey },
  });
  return response.headers.get('etag') as string;
}
