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

/** Returns other errors unchanged: a migration that waited in vain for a table states its own remedy. */
export function databaseStartError(error: unknown): unknown {
  if (error instanceof MigrationError) return error;
  const ofTls = tlsRemedy((error ?? {}) as object);
  if (!isUnavailable(error) && ofTls === null) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const remedy = ofTls ?? advice[String((error as { code?: unknown }).code)];
  const sentence = remedy
    ? `the database cannot be used (${reason}); ${remedy}`
    : `the database is unreachable (${reason}); start it, or change DATABASE_URL`;
  return new Error(sentence, { cause: error });
}
