// Translates what a PostgreSQL server answers at the start into sentences with the remedy.
import { isUnavailable, MigrationError } from '@foyer/prisma';

/** The advice by SQLSTATE. */
const advice: Record<string, string> = {
  '25006': 'point DATABASE_URL at a server that accepts writes',
  '53300':
    'raise the limit of the role or the database (CONNECTION LIMIT) or max_connections of the server, or lower ' +
    'DATABASE_CONNECTIONS of all instances',
  '28P01': 'correct the user or the password in DATABASE_URL, percent-encoded',
  '28000': 'correct the user in DATABASE_URL, or allow it in pg_hba.conf',
  '3D000': 'create the database, or correct its name in DATABASE_URL',
};

/** Connection poolers report what they refuse with a code of their own, 08P01 or XX000. */
const adviceOfPoolers: [RegExp, string | undefined][] = [
  [/statement pooling mode/, 'set pool_mode = transaction in the connection pooler'],
  [
    /unsupported startup parameter/,
    'remove the parameter from DATABASE_URL, or let the connection pooler ignore it (ignore_startup_parameters)',
  ],
  [/no such database|^database ".*" does not exist$/, advice['3D000']],
  [/authentication failed|no such user|Tenant or user not found/, advice['28P01']],
  [
    /max_client_conn|max client(s| connections) reached/i,
    'raise the limit of clients of the connection pooler, or lower DATABASE_CONNECTIONS of all instances',
  ],
  [
    /server login|cannot connect to server/,
    'the connection pooler cannot sign in to PostgreSQL, or not reach it; its log says why',
  ],
];

const noTls = /does not support SSL connections/;
const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

function tlsRemedy({ message, code }: { message?: unknown; code?: unknown }): string | null {
  if (noTls.test(String(message))) {
    return 'enable TLS on the server (ssl = on), or, in a network that you trust, set sslmode=disable in DATABASE_URL';
  }
  if (tlsCodes.test(String(code))) {
    return (
      'its certificate must be valid for the host in DATABASE_URL; name the certificate of the authority that issued it with ' +
      'sslrootcert=/path/to/ca.crt'
    );
  }
  return null;
}

function poolerRemedy(code: unknown, message: string): string | undefined {
  if (code !== '08P01' && code !== 'XX000') return undefined;
  return adviceOfPoolers.find(([pattern]) => pattern.test(message))?.[1];
}

/** Returns other errors unchanged: a migration that waited in vain for a table states its own remedy. */
export function databaseStartError(error: unknown): unknown {
  if (error instanceof MigrationError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const { code } = (error ?? {}) as { code?: unknown };
  const remedy = tlsRemedy((error ?? {}) as object) ?? advice[String(code)] ?? poolerRemedy(code, reason);
  if (!isUnavailable(error) && remedy === undefined) return error;
  const sentence = remedy
    ? `the database cannot be used (${reason}); ${remedy}`
    : `the database is unreachable (${reason}); start it, or change DATABASE_URL`;
  return new Error(sentence, { cause: error });
}
