// `npm run proofs -w @foyer/server -- idle --seconds 300`: which statements an instance without requests sends, and how often, on
// a PostgreSQL database of its own.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '@foyer/prisma';
import { createApp } from '../../src/apps/create-app.js';
import { readConfig } from '../../src/env.js';
import { scheduler, startJobs } from '../../src/scheduler.js';
import { buildDeps } from '../../src/wiring.js';
import { withDatabase } from './database.js';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '300' } } });
const seconds = Number(options.seconds);
/** What is due at the start is over by then, and the pauses have their full length. */
const settlingSeconds = 60;
const shownCharacters = 100;

await withDatabase(async (databaseUrl) => {
  let counts = new Map<string, number>();
  const database = await openDatabase({
    databaseUrl,
    onStatement: (sql) => {
      const text = sql.replace(/\s+/g, ' ').trim().slice(0, shownCharacters);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    },
  });
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'error',
  });
  const { deps, close } = await buildDeps(config, { database });
  await startJobs(deps);
  await createApp(deps, { name: 'Idle' });
  const background = scheduler(deps, { timer: true });
  await sleep(settlingSeconds * 1_000);
  counts = new Map();
  await sleep(seconds * 1_000);
  const sent = counts;
  await background.stop();
  await close();
  const total = [...sent.values()].reduce((sum, count) => sum + count, 0);
  console.log('| a minute | statement |\n|---|---|');
  for (const [text, count] of [...sent].sort(([, one], [, other]) => other - one))
    console.log(`| ${((count * 60) / seconds).toFixed(1)} | \`${text}\` |`);
  console.log(`\n${total} statements in ${seconds} s: ${(total / seconds).toFixed(2)} a second`);
});
