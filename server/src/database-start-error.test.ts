import { MigrationError } from '@foyer/prisma';
import { expect, test } from 'vitest';
import { databaseStartError } from './database-start-error.js';

const failure = (code: string | undefined, message: string) => Object.assign(new Error(message), { code });

test.each([
  [
    '28P01',
    'password authentication failed for user "foyer"',
    'correct the user or the password in DATABASE_URL',
  ],
  ['28000', 'Peer authentication failed for user "foyer"', 'correct the user in DATABASE_URL, or allow it'],
  ['3D000', 'database "foyer" does not exist', 'create the database, or correct its name in DATABASE_URL'],
  ['53300', 'too many connections for role "foyer"', 'raise the limit of the role or the database'],
  ['25006', 'the PostgreSQL server is a standby', 'point DATABASE_URL at a server that accepts writes'],
  ['08P01', 'transaction blocks not allowed in statement pooling mode', 'set pool_mode = transaction in the'],
  ['08P01', 'unsupported startup parameter: options', 'remove the parameter from DATABASE_URL, or let the'],
  ['08P01', 'no such database: foyer', 'create the database, or correct its name in DATABASE_URL'],
  ['08P01', 'database "foyer" does not exist', 'create the database, or correct its name in DATABASE_URL'],
  ['08P01', '"trust" authentication failed', 'correct the user or the password in DATABASE_URL'],
  ['08P01', 'no such user: foyer', 'correct the user or the password in DATABASE_URL'],
  ['XX000', 'Tenant or user not found', 'correct the user or the password in DATABASE_URL'],
  ['XX000', 'Max client connections reached', 'raise the limit of clients of the connection pooler'],
  [
    '08P01',
    'no more connections allowed (max_client_conn)',
    'raise the limit of clients of the connection pooler',
  ],
  [
    '08P01',
    'server login has been failing, try again later',
    'the connection pooler cannot sign in to PostgreSQL',
  ],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'its certificate must be valid for the host'],
  [undefined, 'The server does not support SSL connections', 'enable TLS on the server (ssl = on), or'],
])('%s %s: the sentence says what to change', (code, message, remedy) => {
  const { message: sentence } = databaseStartError(failure(code, message)) as Error;
  expect(sentence).toContain(`the database cannot be used (${message}); ${remedy}`);
});

test('a database that is away is unreachable, and what is no fault of it is returned unchanged', () => {
  expect(databaseStartError(failure('ECONNREFUSED', 'connect ECONNREFUSED'))).toMatchObject({
    message: 'the database is unreachable (connect ECONNREFUSED); start it, or change DATABASE_URL',
  });
  for (const error of [
    failure('XX000', 'cache lookup failed'),
    failure('42601', 'no such user'),
    new MigrationError('authentication failed'),
    null,
  ]) {
    expect(databaseStartError(error)).toBe(error);
  }
});
