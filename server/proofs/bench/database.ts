// A database of the benchmark's own, filled by SQL and dropped at the end.
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';

/** More than the access tokens that the service remembers, so that a call of each user in turn finds none remembered. */
export const usersPerApp = 24_000;
export const password = 'correct horse battery staple';
/** argon2id with the service's parameters. All users share one password: hashing so many would take minutes. */
export const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$NHE9RU8YIEc20J4OeM2TPA$S7xn18EFa/fl7eYypvPaxS5lpMoXQnH2c9iHooCttBI';

const server = process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

/** Makes a database, and drops it after the work or when the benchmark is stopped. */
export async function withDatabase<T>(work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const name = `foyer_bench_${randomBytes(5).toString('hex')}`;
  await onDatabase(server, (client) => client.query(`CREATE DATABASE ${name}`));
  const drop = () =>
    onDatabase(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void drop().finally(() => process.exit(1)));
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return work(url.toString()).finally(drop);
}

export const emailOf = (user: number) => `user-${user}@example.com`;
export const userIdOf = (user: number) => `01JC${String(user).padStart(22, '0')}`;
export const sessionIdOf = (user: number) => `01JD${String(user).padStart(22, '0')}`;
/** The seeded secret of a session's first refresh token; the database stores its SHA-256. */
export const secretOf = (user: number) => createHash('sha256').update(sessionIdOf(user)).digest();

/** Users 0 to `users` - 1 of an app, each with one live session a few days old. */
export async function seedApp(
  databaseUrl: string,
  appId: string,
  keyId: number,
  users = usersPerApp,
): Promise<void> {
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO users (app_id, id, email, first_name, last_name, password_hash, member_id, created_at, updated_at)
       SELECT $1, '01JC' || lpad(n::text, 22, '0'), 'user-' || n || '@example.com', 'Ada', 'Lovelace', $2,
         (1000000000 + n)::text, now() - interval '30 days', now() - interval '30 days'
       FROM generate_series(0, ${users - 1}) AS n`,
      [appId, passwordHash],
    );
    await client.query(
      `INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time, device_name, device_type,
         os, browser, app_version, ip_address, created_at, last_used_at)
       SELECT $1, s.id, s.user_id, $2::smallint, sha256(sha256(s.id::bytea)), 'password', '{pwd}',
         now() - interval '9 days', 'Phone', 'mobile', 'Android 15', 'Firefox 131', '4.2.0', '203.0.113.7',
         now() - interval '9 days', now() - interval '1 day'
       FROM (SELECT '01JD' || lpad(n::text, 22, '0') AS id, '01JC' || lpad(n::text, 22, '0') AS user_id
         FROM generate_series(0, ${users - 1}) AS n) AS s`,
      [appId, keyId],
    );
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
}

export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
