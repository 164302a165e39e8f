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

/** Returns other errors unchanged: a migration that waited in vain for a table states its own remedy. */
export function databaseStartError(error: unknown): unknown {
  if (error instanceof MigrationError || !isUnavailable(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const remedy = advice[String((error as { code?: unknown }).code)];
  const sentence = remedy
    ? `the database cannot be used (${reason}); ${remedy}`
    : `the database is unreachable (${reason}); start it, or change DATABASE_URL`;
  return new Error(sentence, { cause: error });
}
