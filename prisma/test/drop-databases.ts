// Drops the databases at the end of a run on PostgreSQL.
import { randomBytes } from 'node:crypto';
import { dropDatabasesOfRun } from '../src/testing-postgresql.js';

export default function dropAtTheEnd(): (() => Promise<void>) | undefined {
  const server = process.env.DATABASE_URL;
  if (!server) return undefined;
  const run = randomBytes(4).toString('hex');
  // The workers, started later, inherit it.
  process.env.FOYER_TEST_RUN = run;
  return () => dropDatabasesOfRun(server, run);
}
