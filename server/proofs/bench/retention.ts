// `npm run proofs -w @foyer/server -- retention --sessions 10000000`: how long the hourly count of users and the daily
// deletion of sessions take, and their statements, on a PostgreSQL database of its own. README.md describes what is in it.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openDatabase, type PrismaClient } from '@foyer/prisma';
import { readConfig } from '../../src/env.js';
import { purge } from '../../src/retention.js';
import { countV2UsageDue } from '../../src/v1/api/migration-figures.js';
import { onDatabase, withDatabase } from './database.js';
import { percentile } from './figures.js';
import { newApp } from './processes.js';

const { values: options } = parseArgs({ options: { sessions: { type: 'string', default: '1000000' } } });
const sessions = Number(options.sessions);
const users = Math.max(1, sessions / 10);
const daysBack = 400;

await withDatabase(async (databaseUrl) => {
  const environment = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: randomBytes(32).toString('base64') };
  await fill(databaseUrl, (await newApp(environment, 'retention')).app_id);
  const database = await openDatabase({ databaseUrl });
  const { prisma, milliseconds } = timed(database.prisma);
  const clock = { now: () => new Date() };
  const measured = async (work: () => Promise<void>) => {
    milliseconds.length = 0;
    const startedAt = performance.now();
    await work();
    const seconds = (performance.now() - startedAt) / 1_000;
    const at = (percent: number) => percentile(milliseconds, percent).toFixed(0);
    return (
      `in ${seconds.toFixed(1)} s by ${milliseconds.length} statements; p50 ${at(50)} ms, p99 ${at(99)} ms, ` +
      `longest ${at(100)} ms`
    );
  };
  const counting = await measured(() => countV2UsageDue({ prisma, clock }));
  console.log(`${users} users with ${sessions} sessions counted ${counting}`);
  const purging = await measured(() => purge({ prisma, clock, config: readConfig(environment) }, 'sessions'));
  const left = await database.prisma.session.count();
  console.log(`${sessions} sessions, ${sessions - left} of them deleted ${purging}`);
  await database.close();
});

/** The sessions started over 400 days; a twentieth ended after a day, a twentieth was never used again. */
async function fill(databaseUrl: string, appId: string): Promise<void> {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const time = Array.from(
    { length: 10 },
    (_, place) => `substr('${digits}', ((ms >> ${45 - 5 * place}) & 31)::int + 1, 1)`,
  );
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO users (app_id, id, email, member_id, created_at, updated_at)
       SELECT $1, '01JC' || lpad(n::text, 22, '0'), n || '@example.com', n::text, now(), now()
       FROM generate_series(0, ${users - 1}) AS n`,
      [appId],
    );
    await client.query(
      `INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time, device_type, created_at,
         last_used_at, ended_at, end_reason)
       SELECT $1, ${time.join(' || ')} || lpad(n::text, 16, '0'), '01JC' || lpad((n::bigint * 7919 % ${users})::text, 22, '0'),
         1, sha256(n::text::bytea), 'password', '{pwd}', t, 'mobile', t,
         CASE n % 20 WHEN 0 THEN t WHEN 1 THEN t ELSE now() END,
         CASE n % 20 WHEN 1 THEN LEAST(now(), t + interval '1 day') END, CASE n % 20 WHEN 1 THEN 'sign_out' END
       FROM (SELECT n, t, (extract(epoch FROM t) * 1000)::bigint AS ms
         FROM (SELECT n, now() - interval '${daysBack} days' + n * (interval '${daysBack} days' / ${sessions}) AS t
           FROM generate_series(0, ${sessions - 1}) AS n) AS started) AS numbered`,
      [appId],
    );
    await client.query('VACUUM ANALYZE');
  });
}

/** A client that records how long its raw statements take. */
function timed(real: PrismaClient) {
  const milliseconds: number[] = [];
  const prisma = new Proxy(real, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== '$queryRaw') return value;
      return async (...given: unknown[]) => {
        const startedAt = performance.now();
        const rows = await value.apply(target, given);
        milliseconds.push(performance.now() - startedAt);
        return rows;
      };
    },
  });
  return { prisma, milliseconds };
}
