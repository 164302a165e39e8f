// Migrates a database to this version of the program, in the manner and the table of `prisma migrate deploy`.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { problemsOf } from './check-database.js';
import type { Connection, Database } from './database.js';
import { lockedTransaction } from './locked-transaction.js';
import { checksumOf, type Migration, readMigrations } from './migration-files.js';

/** The database cannot be migrated; the message states the reason and the remedy. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

export type MigrateOptions = {
  /** How long to wait for another instance that is migrating, and for tables in use. */
  waitSeconds?: number;
  /** How long to wait for a table in use at a time: all other statements on the table wait meanwhile. */
  lockMilliseconds?: number;
  migrations?: Migration[];
};

type Limits = Required<Pick<MigrateOptions, 'waitSeconds' | 'lockMilliseconds'>>;

type Row = { migration_name: string; checksum: string; finished: boolean };

// The key that Prisma's own command uses, so that the two never run concurrently.
export const migrationLockKey = 72707369;
/** The others' turn, after the migration has given up a lock. */
const pauseMilliseconds = 500;
// The limit is longer than PostgreSQL's `deadlock_timeout` (1 s by default), after which it cancels an autovacuum that
// blocks the migration.
const defaultLockMilliseconds = 3_000;
const lockNotAvailable = '55P03';

/** Applies what is missing and returns its names. Instances that start together apply each migration once. */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { waitSeconds = 60, lockMilliseconds = defaultLockMilliseconds } = options;
  const migrations = options.migrations ?? (await readMigrations());
  return database.connection(async (connection) => {
    if (database.kind === 'postgresql') await requireUsable(connection, migrations);
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(connection, migrations, { waitSeconds, lockMilliseconds });
      if (name === null) return applied;
      applied.push(name);
    }
  });
}

async function requireUsable(connection: Connection, migrations: Migration[]): Promise<void> {
  const problems = await problemsOf(connection, migrations);
  if (problems.length > 0) throw new MigrationError(problems.join('\n'));
}

/**
 * Applies the first migration that is missing, in one transaction with its row: it is applied and recorded, or neither.
 * Returns null if none is missing.
 */
async function applyNext(
  connection: Connection,
  migrations: Migration[],
  limits: Limits,
): Promise<string | null> {
  const { waitSeconds } = limits;
  let isLocked = false;
  try {
    return await lockedTransaction(connection, { key: migrationLockKey, waitSeconds }, async () => {
      isLocked = true;
      await ensureHistory(connection);
      const [next] = missingMigrations(migrations, await readApplied(connection));
      if (next) await applyPatiently(connection, next, limits);
      return next?.name ?? null;
    });
  } catch (cause) {
    if (isLocked || codeOf(cause) !== lockNotAvailable) throw cause;
    throw new MigrationError(
      `Another instance has been migrating this database for more than ${waitSeconds} seconds. Wait until it is done, ` +
        'then start again.',
      { cause },
    );
  }
}

/** Decides what to apply, and refuses a history that is not a prefix of ours. */
export function missingMigrations(migrations: Migration[], applied: Row[]): Migration[] {
  for (const row of applied) {
    const known = migrations.find((migration) => migration.name === row.migration_name);
    if (!row.finished) {
      throw new MigrationError(
        `The migration ${row.migration_name} failed half way in an earlier run. Look at the tables it changes, then ` +
          `run \`prisma migrate resolve --rolled-back ${row.migration_name}\` (or --applied) and start again.`,
      );
    }
    if (!known) {
      throw new MigrationError(
        `The database is newer than this program: it holds the migration ${row.migration_name}, which this version ` +
          'does not know. Start the newer version, or restore a backup from before it.',
      );
    }
    if (!sameScript(known, row.checksum)) {
      throw new MigrationError(
        `The migration ${row.migration_name} was changed after it was applied to this database. Restore its file as ` +
          'it was, and put the change into a new migration.',
      );
    }
  }
  const names = new Set(applied.map((row) => row.migration_name));
  return migrations.filter((migration) => !names.has(migration.name));
}

/** A checkout may convert line endings to those of Windows; the script is the same. */
function sameScript(migration: Migration, checksum: string): boolean {
  if (migration.checksum === checksum) return true;
  const unix = migration.sql.replaceAll('\r\n', '\n');
  return checksumOf(unix) === checksum || checksumOf(unix.replaceAll('\n', '\r\n')) === checksum;
}

async function readApplied(connection: Connection): Promise<Row[]> {
  return connection.query<Row>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
  );
}

/** Worth another attempt. */
class TableInUseError extends MigrationError {}

/**
 * Tries again while another transaction uses a table. The rollback to the savepoint releases the tables, but not the advisory
 * lock: another instance would lock the tables during the pause.
 */
async function applyPatiently(
  connection: Connection,
  migration: Migration,
  { waitSeconds, lockMilliseconds }: Limits,
): Promise<void> {
  const giveUpAt = performance.now() + waitSeconds * 1_000;
  await connection.script('SAVEPOINT attempt');
  for (;;) {
    try {
      await apply(connection, migration, lockMilliseconds);
      return;
    } catch (error) {
      if (!(error instanceof TableInUseError) || performance.now() > giveUpAt) throw error;
    }
    await connection.script('ROLLBACK TO SAVEPOINT attempt');
    await sleep(pauseMilliseconds);
  }
}

async function apply(connection: Connection, migration: Migration, lockMilliseconds: number): Promise<void> {
  try {
    // Where the tables are distributed, a transaction may then change several; PostgreSQL ignores the setting.
    await connection.script(`SET LOCAL lock_timeout = ${lockMilliseconds};
      SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
    await connection.script(migration.sql);
    await connection.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, clock_timestamp(), $3, now(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (codeOf(cause) === lockNotAvailable) {
      throw new TableInUseError(
        `The migration ${migration.name} changed nothing, because a long transaction uses a table that it changes: a ` +
          'backup, or a session that is idle in a transaction (pg_stat_activity). End it, then start again.',
        { cause },
      );
    }
    throw new MigrationError(`The migration ${migration.name} failed and changed nothing: ${reason}`, {
      cause,
    });
  }
}

/** Does not use CREATE TABLE IF NOT EXISTS, which takes the privilege to create tables where nothing is to be created, too. */
async function ensureHistory(connection: Connection): Promise<void> {
  const [row] = await connection.query<{ exists: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists",
  );
  if (!row?.exists) await connection.script(migrationsTable);
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

// Identical to Prisma's.
const migrationsTable = `CREATE TABLE _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`;
