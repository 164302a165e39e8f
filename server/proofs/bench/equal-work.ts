// `npm run proofs -w @foyer/server -- equal-work`: whether the response time reveals that an email has an account. Pairs of
// calls, one for an email with an account and one without, interleaved in alternating order, one at a time; compares
// the medians.
import { parseArgs } from 'node:util';
import { keyRing } from '../../engines/keys/index.js';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { emailOf, withDatabase } from './database.js';
import { median } from './figures.js';
import { caller, seededApp, startService } from './processes.js';

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '300' } } });
const pairs = Number(values.pairs);
const warmUp = 20;

const calls: Record<string, { path: string; body(email: string): unknown }> = {
  'sign-in, wrong password': {
    path: '/auth/sign-in',
    body: (email) => ({ email, password: 'not the password' }),
  },
  'email-code/send': { path: '/auth/email-code/send', body: (email) => ({ email }) },
  'password/forgot': { path: '/auth/password/forgot', body: (email) => ({ email }) },
};

const random = systemRandom();
const encryptionKey = random.bytes(32).toString('base64');
await withDatabase(async (databaseUrl) => {
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: encryptionKey,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    // Nothing listens there: mails stay queued, as with any slow server.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'accounts@example.com',
  };
  const { app_key } = await seededApp(environment, 'Bench', keyRing([encryptionKey], random).currentKeyId);
  const service = await startService(environment);
  await compare(caller(service.port, { 'X-App-Key': app_key })).finally(service.stop);
});

async function compare(call: ReturnType<typeof caller>): Promise<void> {
  console.log('| call | with account, median ms | without, median ms | apart |\n|---|---|---|---|');
  for (const [name, { path, body }] of Object.entries(calls)) {
    const known: number[] = [];
    const unknown: number[] = [];
    for (let pair = -warmUp; pair < pairs; pair += 1) {
      const two = [
        [known, emailOf(pair + warmUp)],
        [unknown, `nobody-${pair + warmUp}@example.com`],
      ] as const;
      for (const [times, email] of pair % 2 === 0 ? two : two.toReversed()) {
        const { milliseconds } = await call(path, body(email));
        if (pair >= 0) times.push(milliseconds);
      }
    }
    const [with_, without] = [median(known), median(unknown)];
    const apart = (Math.abs(with_ - without) / Math.min(with_, without)) * 100;
    console.log(`| ${name} | ${with_.toFixed(2)} | ${without.toFixed(2)} | ${apart.toFixed(1)} % |`);
  }
}
