import { type Database, MigrationError } from '@foyer/prisma';
import { expect, test } from 'vitest';
import { readConfig } from './env.js';
import { buildStoreDeps } from './wiring.js';

const config = readConfig({
  DATABASE_URL: 'postgresql://localhost/foyer',
  ENCRYPTION_KEYS: btoa('k'.repeat(32)),
});

/** Fails like a database whose migration fails. */
function failing(error: Error): Database {
  return { connection: () => Promise.reject(error), close: async () => {} } as unknown as Database;
}

test('a migration that gives up reports its own reason, not that the database is unreachable', async () => {
  const cause = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  const error = new MigrationError('The migration changed nothing, because a long transaction uses a table', {
    cause,
  });
  await expect(buildStoreDeps(config, { database: failing(error) })).rejects.toBe(error);
});

test.each([
  ['25006', 'point DATABASE_URL at a server that accepts writes'],
  ['53300', 'raise the limit of the role or the database (CONNECTION LIMIT)'],
  ['28P01', 'correct the user or the password in DATABASE_URL'],
  ['28000', 'correct the user in DATABASE_URL'],
  ['3D000', 'create the database'],
])('what PostgreSQL refuses with %s at the start is reported with its remedy', async (code, remedy) => {
  const error = Object.assign(new Error('as PostgreSQL says'), { code });
  await expect(buildStoreDeps(config, { database: failing(error) })).rejects.toThrow(
    `the database cannot be used (as PostgreSQL says); ${remedy}`,
  );
});

test.each([
  ['The server does not support SSL connections', undefined, 'enable TLS on the server'],
  [
    'self-signed certificate in certificate chain',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'sslrootcert=/path/to/ca.crt',
  ],
  ["Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID', 'valid for the host'],
])('a failure of TLS at the start, %s, is reported with its remedy', async (message, code, remedy) => {
  const error = Object.assign(new Error(message), code && { code });
  const failure = buildStoreDeps(config, { database: failing(error) });
  await expect(failure).rejects.toThrow(`the database cannot be used (${message}); `);
  await expect(failure).rejects.toThrow(remedy);
});

test('a connection that is lost during the migration is reported as an unreachable database', async () => {
  const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  await expect(buildStoreDeps(config, { database: failing(error) })).rejects.toThrow(
    'the database is unreachable (read ECONNRESET); start it, or change DATABASE_URL',
  );
});
