// `npm run bench:equal-work -w @foyer/server`: whether the response time reveals that an email has an account. Pairs of
// calls, one for an email with an account and one without, interleaved in alternating order, one at a time; compares
// the medians.
import { parseArgs } from 'node:util';
import { keyRing } from '../src/lib/crypto/key-ring.js';
import { systemRandom } from '../src/lib/crypto/random.js';
import { dropDatabase, emailOf, makeDatabase, seedApp } from './database.js';
import { foyer, startService } from './processes.js';

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

const databaseUrl = await makeDatabase(
  process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres',
);
const random = systemRandom();
const encryptionKey = random.bytes(32).toString('base64');
const environment = {
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEYS: encryptionKey,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
  // Nothing listens there: mails stay queued, as with any slow server.
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'accounts@example.com',
};
try {
  const { app_id, app_key } = JSON.parse(
    await foyer(environment, 'apps', 'create', '--name', 'Bench', '--json'),
  );
  await seedApp(databaseUrl, app_id, keyRing([encryptionKey], random).currentKeyId);
  const service = await startService(environment);
  try {
    process.stdout.write(
      '| call | with account, median ms | without, median ms | apart |\n|---|---|---|---|\n',
    );
    for (const [name, call] of Object.entries(calls)) {
      const ask = async (email: string) => {
        const startedAt = performance.now();
        const answer = await fetch(`http://127.0.0.1:${service.port}/api/v2${call.path}`, {
          method: 'POST',
          headers: { 'x-app-key': app_key, 'content-type': 'application/json' },
          body: JSON.stringify(call.body(email)),
        });
        await answer.arrayBuffer();
        return performance.now() - startedAt;
      };
      const known: number[] = [];
      const unknown: number[] = [];
      for (let pair = -warmUp; pair < pairs; pair += 1) {
        const two = [
          [known, emailOf(pair + warmUp)],
          [unknown, `nobody-${pair + warmUp}@example.com`],
        ] as const;
        for (const [times, email] of pair % 2 === 0 ? two : [two[1], two[0]]) {
          const milliseconds = await ask(email);
          if (pair >= 0) times.push(milliseconds);
        }
      }
      const [with_, without] = [median(known), median(unknown)];
      const apart = (Math.abs(with_ - without) / Math.min(with_, without)) * 100;
      process.stdout.write(
        `| ${name} | ${with_.toFixed(2)} | ${without.toFixed(2)} | ${apart.toFixed(1)} % |\n`,
      );
    }
  } finally {
    await service.stop();
  }
} finally {
  await dropDatabase(
    process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres',
    databaseUrl,
  );
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
