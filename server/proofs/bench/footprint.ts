// `npm run proofs -w @foyer/server -- footprint`: what users cost the database: bytes per row of the tables that grow with them,
// and bytes of write-ahead log per call. Run it on a PostgreSQL server that nobody else uses: the log is counted for the whole
// server.
import { randomBytes } from 'node:crypto';
import { emailOf, onDatabase, password, withDatabase } from './database.js';
import { caller, dataOf, newApp, seededApp, startService } from './processes.js';

const users = 200;
const refreshesPerUser = 20;

type Tokens = { access_token: string; refresh_token: string };

await withDatabase(async (databaseUrl) => {
  const environment = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: randomBytes(32).toString('base64') };
  const app = await newApp(environment, 'footprint');
  const service = await startService({ ...environment, RATE_LIMITS: 'off' });
  try {
    const call = caller(service.port, { 'X-App-Key': app.app_key });
    const tokens: Tokens[] = [];
    const everyUser = async (work: (user: number) => Promise<unknown>) => {
      for (let user = 0; user < users; user += 1) await work(user);
    };
    const signUp = (user: number) => call('/auth/sign-up', { email: emailOf(user), password });
    const signIn = async (user: number) => {
      tokens[user] = dataOf(await call('/auth/sign-in', { email: emailOf(user), password }));
    };
    const refresh = async (user: number) => {
      const { refresh_token } = tokens[user] as Tokens;
      tokens[user] = dataOf(await call('/auth/token/refresh', { refresh_token }));
    };

    console.log('| call | bytes of write-ahead log |\n|---|---|');
    const report = async (name: string, calls: number, work: () => Promise<void>) => {
      console.log(
        `| ${name} | ${Math.round((await logOf(databaseUrl, work)) / calls).toLocaleString('en')} |`,
      );
    };
    await report('sign-up', users, () => everyUser(signUp));
    await report('sign-in', users, () => everyUser(signIn));
    await everyUser(refresh);
    await report('refresh', users * refreshesPerUser, async () => {
      for (let round = 0; round < refreshesPerUser; round += 1) await everyUser(refresh);
    });
  } finally {
    await service.stop();
  }
  await seededApp(environment, 'rows', 0);
  await onDatabase(databaseUrl, async (client) => {
    await client.query(`INSERT INTO audit_log (app_id, id, actor, action, target, user_id, ip_address, details, created_at)
      SELECT app_id, '01JD' || right(id, 22), 'user:' || user_id, 'user.signed_in', 'user:' || user_id, user_id, ip_address,
        jsonb_build_object('method', method, 'session', id), created_at FROM sessions`);
    await client.query('VACUUM ANALYZE');
    console.log('\n| row of | bytes | and of its indexes |\n|---|---|---|');
    for (const table of ['users', 'sessions', 'audit_log']) {
      const { rows } = await client.query<{ bytes: number; indexes: number }>(
        `SELECT (pg_table_size($1) / count(*))::int AS bytes, (pg_indexes_size($1) / count(*))::int AS indexes FROM ${table}`,
        [table],
      );
      console.log(`| ${table} | ${rows[0]?.bytes} | ${rows[0]?.indexes} |`);
    }
  });
});

/** The bytes of write-ahead log that the server wrote during the work. */
async function logOf(databaseUrl: string, work: () => Promise<void>): Promise<number> {
  return onDatabase(databaseUrl, async (client) => {
    const position = async () => {
      const { rows } = await client.query<{ bytes: string }>(
        `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
      );
      return Number(rows[0]?.bytes);
    };
    const before = await position();
    await work();
    return (await position()) - before;
  });
}
