// pg-boss on the service's database: installation, and execution of its statements.
import { type Connection, type Database, type Db, lockedTransaction, type Tx } from '@foyer/prisma';
import PgBoss from 'pg-boss';
import type { Logger } from '../../src/lib/logger.js';
import type { SealedJob } from './sealed-job.js';

// An arbitrary key: instances that start together would otherwise create the same tables and could deadlock.
const installLock = { key: 61_370_842, waitSeconds: 60 };

/** Disables the workers, schedules and maintenance of pg-boss. */
const quiet = { supervise: false, schedule: false, archiveCompletedAfterSeconds: 3_600, deleteAfterHours: 1 };

/** A job may be tried for this long, if its own limit allows it. */
const retentionDays = 40;

/** Executes the queue's own statements, over the service's connections. */
export function queueDb(database: Database, logger: Logger): PgBoss.Db {
  let away = false;
  return {
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
  };
}

/** An instance that fetches and ends jobs. */
export function bossOn(db: PgBoss.Db): PgBoss {
  return new PgBoss({ ...quiet, retentionDays, db });
}

/** The executor of `send` in the caller's transaction. */
export function transactionDb(tx: Tx): PgBoss.Db {
  return { executeSql: async (text, values) => ({ rows: await queryWith(tx, text, values) }) };
}

/** Creates or updates pg-boss's schema, and creates missing queues. */
export function installBoss(database: Database, names: string[]): Promise<void> {
  const install = async (connection: Connection) => {
    const boss = new PgBoss({ ...quiet, db: installing(connection) });
    await boss.start();
    const existing = await connection.query<{ name: string }>('SELECT name FROM pgboss.queue');
    const missing = names.filter((name) => existing.every((queue) => queue.name !== name));
    for (const name of missing) await boss.createQueue(name);
    // The embedded database has one process at a time: jobs that are still active were interrupted with the previous one.
    if (database.kind === 'embedded') await connection.script(dueAgain);
  };
  return database.connection((connection) =>
    lockedTransaction(connection, installLock, () => install(connection)),
  );
}

export type QueueState = {
  name: string;
  due: boolean;
  /** Until the first job is due; null without one. */
  seconds: number | null;
  /** A job has been running for longer than it may. */
  expired: boolean;
};

/** One statement for all queues; an index finds the first job of each. Running jobs have no index, so `expiry` reads all. */
export async function readQueues(
  db: PgBoss.Db,
  names: string[],
  { expiry }: { expiry: boolean },
): Promise<QueueState[]> {
  const { rows } = await db.executeSql(
    `SELECT name, coalesce(first < now(), false) AS due, extract(epoch FROM first - now())::float8 AS seconds, expired
    FROM (
      SELECT q.name,
        (SELECT min(j.start_after) FROM pgboss.job AS j WHERE j.name = q.name AND j.state < 'active') AS first,
        $1::boolean AND EXISTS (SELECT FROM pgboss.job AS j
          WHERE j.name = q.name AND j.state = 'active' AND j.started_on + j.expire_in < now()) AS expired
      FROM unnest($2::text[]) AS q (name)
    ) AS queues`,
    [expiry, names],
  );
  return rows;
}

/**
 * Claims due jobs as pg-boss does, but of each share only as many as it has free slots, and first those of the shares with the
 * fewest running ones, which had their last turn longest ago. A failure is an empty queue, as with pg-boss.
 */
export async function fetchShared(
  db: PgBoss.Db,
  name: string,
  slots: {
    limit: number;
    perShare: number;
    running: Record<string, number>;
    turnOf: Record<string, number>;
  },
): Promise<(PgBoss.Job<SealedJob> & { share: string | null })[]> {
  const { limit, perShare, running, turnOf } = slots;
  const values = [name, limit, perShare, JSON.stringify(running), JSON.stringify(turnOf)];
  const { rows } = await db.executeSql(claimShared, values).catch(() => ({ rows: [] }));
  return rows;
}

const isDue = `name = $1 AND state < 'active' AND start_after < now()`;

const share = `coalesce(singleton_key, '')`;

// Reads the first jobs of each share by the index `job_shares`. Another instance may claim some of them meanwhile: those that
// it has locked are skipped.
const claimShared = `WITH RECURSIVE shares AS (
    (SELECT ${share} AS name FROM pgboss.job WHERE ${isDue} ORDER BY ${share} LIMIT 1)
    UNION ALL
    SELECT following.name FROM shares CROSS JOIN LATERAL (
      SELECT ${share} AS name FROM pgboss.job WHERE ${isDue} AND ${share} > shares.name ORDER BY ${share} LIMIT 1
    ) AS following
  ), ranked AS (
    SELECT first.id, first.created_on, coalesce(($4::jsonb ->> shares.name)::int, 0) + first.place AS rank,
      coalesce(($5::jsonb ->> shares.name)::bigint, 0) AS turn
    FROM shares CROSS JOIN LATERAL (
      SELECT id, created_on, row_number() OVER (ORDER BY created_on, id) AS place FROM pgboss.job
      WHERE ${isDue} AND ${share} = shares.name ORDER BY created_on, id LIMIT $3::int
    ) AS first
  ), next AS (
    SELECT id FROM pgboss.job WHERE ${isDue} AND id IN (
      SELECT id FROM ranked WHERE rank <= $3::int ORDER BY rank, turn, created_on, id LIMIT $2::int)
    ORDER BY created_on, id FOR UPDATE SKIP LOCKED
  )
  UPDATE pgboss.job AS j SET state = 'active', started_on = now(),
    retry_count = CASE WHEN started_on IS NOT NULL THEN retry_count + 1 ELSE retry_count END
  FROM next WHERE j.name = $1 AND j.id = next.id
  RETURNING j.id, j.name, j.data, j.singleton_key AS share`;

/** Some jobs of a queue that have failed for the last time; of `id` only, if given. */
export async function listFailed(
  { prisma }: Database,
  name: string,
  id: string | null = null,
): Promise<{ id: string; data: SealedJob }[]> {
  return prisma.$queryRaw`SELECT id::text, data FROM pgboss.job
    WHERE name = ${name} AND state = 'failed' AND (${id}::uuid IS NULL OR id = ${id}::uuid)
    LIMIT 1000`;
}

export type StoredJob = { id: string; name: string; data: SealedJob };

const leastId = '00000000-0000-0000-0000-000000000000';

/** The jobs that are encrypted with another key, after the last one. The second byte of the data is the id of the key. */
export function listJobsOfOtherKeys(
  db: Db,
  keyId: number,
  { last, maxRows }: { last: StoredJob | null; maxRows: number },
): Promise<StoredJob[]> {
  return db.$queryRaw`SELECT id::text, name, data FROM pgboss.job
    WHERE (name, id) > (${last?.name ?? ''}::text, ${last?.id ?? leastId}::uuid)
      AND get_byte(decode(left(data ->> 'sealed', 4), 'base64'), 1) <> ${keyId}::int
    ORDER BY name, id LIMIT ${maxRows}::int`;
}

/** Returns 0 if the job has been deleted or replaced. */
export function replaceJobData(db: Db, { id, name, data }: StoredJob, to: SealedJob): Promise<number> {
  return db.$executeRaw`UPDATE pgboss.job SET data = jsonb_build_object('sealed', ${to.sealed}::text)
    WHERE name = ${name} AND id = ${id}::uuid AND data ->> 'sealed' = ${data.sealed}`;
}

const dueAgain = `UPDATE pgboss.job SET state = 'retry', start_after = now() - interval '1 millisecond' WHERE state = 'active'`;

function installing(connection: Connection): PgBoss.Db {
  return {
    async executeSql(text, values) {
      if (!isScript(text)) return { rows: await connection.query(text, values) };
      // Part of the transaction that installs everything.
      await connection.script(text.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, ''));
      return { rows: [] };
    },
  };
}

/** pg-boss sends its transactions as one text of several statements. */
function isScript(text: string): boolean {
  return text.trimStart().startsWith('BEGIN');
}

// biome-ignore lint/suspicious/noExplicitAny: pg-boss's own type of a row.
function queryWith(client: Tx, text: string, values: unknown[] = []): Promise<any[]> {
  return client.$queryRawUnsafe(text, ...values.map((value) => value ?? null));
}
