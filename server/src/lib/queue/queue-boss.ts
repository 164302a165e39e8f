// pg-boss on the service's database: installation, and execution of its statements.
import type { Connection, Database, Prisma } from '@foyer/prisma';
import PgBoss from 'pg-boss';
import type { Logger } from '../logger.js';

// An arbitrary advisory lock id: instances that start together would otherwise create the same tables and could deadlock.
const installLockKey = 61_370_842;

/** Disables the workers, schedules and maintenance of pg-boss. */
const quiet = { supervise: false, schedule: false, archiveCompletedAfterSeconds: 3_600, deleteAfterHours: 1 };

/** A job may be tried for this long, if its own limit allows it. */
const retentionDays = 40;

/** For fetching and ending jobs, over the service's own connections. */
export function bossOn(database: Database, logger: Logger): PgBoss {
  let away = false;
  return new PgBoss({
    ...quiet,
    retentionDays,
    db: {
      async executeSql(text, values) {
        try {
          const rows = isScript(text)
            ? await database.connection((connection) => connection.script(text))
            : await queryWith(database.prisma, text, values);
          away = false;
          return { rows: rows ?? [] };
        } catch (error) {
          // pg-boss treats a failed fetch as an empty queue, so the error is logged here, once.
          if (!away) logger.warn({ err: error }, 'the queue cannot ask the database');
          away = true;
          throw error;
        }
      },
    },
  });
}

/** The executor of `send` in the caller's transaction. */
export function transactionDb(tx: Prisma.TransactionClient): PgBoss.Db {
  return { executeSql: async (text, values) => ({ rows: await queryWith(tx, text, values) }) };
}

/** Creates or updates pg-boss's schema, and creates missing queues. */
export function installBoss(database: Database, names: string[]): Promise<void> {
  return database.connection(async (connection) => {
    await connection.query(`SELECT pg_advisory_lock(${installLockKey})::text AS locked`);
    try {
      const boss = new PgBoss({ ...quiet, db: installing(connection) });
      await boss.start();
      for (const name of names) await boss.createQueue(name);
      // The embedded database has one process at a time: jobs that are still active were interrupted with the previous one.
      if (database.kind === 'embedded') await connection.script(dueAgain);
    } finally {
      await connection.query(`SELECT pg_advisory_unlock(${installLockKey}) AS unlocked`);
    }
  });
}

/** Deletes a job that has failed for the last time; false when it is to be tried again. */
export async function deleteIfFailed(database: Database, name: string, id: string): Promise<boolean> {
  const count = await database.prisma.$executeRaw`
    DELETE FROM pgboss.job WHERE name = ${name} AND id = ${id}::uuid AND state = 'failed'`;
  return count > 0;
}

const dueAgain = `UPDATE pgboss.job SET state = 'retry', start_after = now() WHERE state = 'active'`;

function installing(connection: Connection): PgBoss.Db {
  return {
    async executeSql(text, values) {
      if (!isScript(text)) return { rows: await connection.query(text, values) };
      await connection.script(text);
      return { rows: [] };
    },
  };
}

/** pg-boss sends its transactions as one text of several statements. */
function isScript(text: string): boolean {
  return text.trimStart().startsWith('BEGIN');
}

// biome-ignore lint/suspicious/noExplicitAny: pg-boss's own type of a row.
function queryWith(client: Prisma.TransactionClient, text: string, values: unknown[] = []): Promise<any[]> {
  return client.$queryRawUnsafe(text, ...values.map((value) => value ?? null));
}
