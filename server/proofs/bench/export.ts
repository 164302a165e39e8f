// `npm run proofs -w @foyer/server -- export`: time, output and peak memory of `foyer export users --with-hashes` as shipped, on
// users with three ledger entries each, every third with an identity, and one user with a very long ledger.
//   --users 1000000    100,000 by default
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createApp } from '../../src/apps/create-app.js';
import { readConfig } from '../../src/env.js';
import { buildStoreDeps } from '../../src/wiring.js';
import { onDatabase, passwordHash, withDatabase } from './database.js';

const { values: options } = parseArgs({ options: { users: { type: 'string', default: '100000' } } });
const users = Number(options.users);
const longLedger = 200_000;
const sampleMilliseconds = 50;
const mebibyte = 1_024 * 1_024;
const barMebibytes = 300;

await withDatabase(async (databaseUrl) => {
  const environment = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: randomBytes(32).toString('base64') };
  const { deps, close } = await buildStoreDeps(readConfig(environment));
  const { app } = await createApp(deps, { name: 'Export' });
  await close();
  await seed(databaseUrl, app.id);
  const { seconds, bytes, lines, peakMebibytes, code } = await runExport(environment, app.slug);
  console.log(
    '| users | lines | seconds | users a second | MiB written | peak memory, MiB |\n|---|---|---|---|---|---|\n' +
      `| ${users.toLocaleString('en')} | ${lines.toLocaleString('en')} | ${seconds.toFixed(1)} | ${Math.round(users / seconds).toLocaleString('en')} | ${Math.round(bytes / mebibyte)} | ${Math.round(peakMebibytes)} |`,
  );
  const isRight = code === 0 && lines === users && peakMebibytes < barMebibytes;
  if (!isRight)
    console.log(`\nFailed: exit code ${code}, or lines are missing, or more than ${barMebibytes} MiB.`);
  process.exitCode = isRight ? 0 : 1;
});

async function seed(databaseUrl: string, appId: string): Promise<void> {
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO users (app_id, id, email, first_name, last_name, password_hash, member_id, points, ledger_size, claims,
         created_at, updated_at)
       SELECT $1, '01JC' || lpad(n::text, 22, '0'), 'user-' || n || '@example.com', 'Ada', 'Lovelace', $2,
         (1000000000 + n)::text, CASE n WHEN 0 THEN $4::int ELSE 3 END, CASE n WHEN 0 THEN $4::int ELSE 3 END,
         '{"role": "member"}', now(), now()
       FROM generate_series(0, $3::int - 1) AS n`,
      [appId, passwordHash, users, longLedger],
    );
    await client.query(
      `INSERT INTO loyalty_entries (app_id, user_id, id, position, points, description, reference, created_at)
       SELECT $1, '01JC' || lpad(n::text, 22, '0'), '01JE' || lpad(n::text, 14, '0') || lpad(p::text, 8, '0'), p, 1, 'Dinner',
         'order-' || n || '-' || p, now()
       FROM generate_series(0, $2::int - 1) AS n, generate_series(1, CASE n WHEN 0 THEN $3::int ELSE 3 END) AS p`,
      [appId, users, longLedger],
    );
    await client.query(
      `INSERT INTO identities (app_id, provider, subject, user_id, client_id, linked_at, user_created_at)
       SELECT app_id, 'provider-a', id, id, 'web', created_at, created_at
       FROM users WHERE app_id = $1 AND right(id, 1) IN ('1', '4', '7')`,
      [appId],
    );
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
}

async function runExport(environment: Record<string, string>, slug: string) {
  const startedAt = performance.now();
  const { PATH } = process.env;
  const child = spawn(process.execPath, ['dist/cli.js', 'export', 'users', '--app', slug, '--with-hashes'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [bytes, lines, peakMebibytes] = [0, 0, 0];
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  const sampling = setInterval(() => {
    peakMebibytes = Math.max(peakMebibytes, peakOf(child.pid as number));
  }, sampleMilliseconds);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(sampling);
  return { seconds: (performance.now() - startedAt) / 1_000, bytes, lines, peakMebibytes, code };
}

/** The kernel's own record of the peak; 0 once the process has ended. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
