// Queries for the figures of the migration from v1.
import { Prisma, type PrismaClient, type Tx } from '@foyer/prisma';

export type UseBatch = {
  rows: number;
  /** Uses after `recent`. */
  recent: number;
  /** The time of the last use, after which the next batch begins; null if this one is empty. */
  last: string | null;
};

/**
 * The first `maxRows` uses after a time, and all others at the time of the last of these, since the index orders uses by time
 * only: a batch that ended between equal times would be followed by one that reads them again, and a million may be equal
 * after an import. The time is text, since a Date has no microseconds.
 */
export async function countV1Uses(
  tx: Tx,
  appId: string,
  of: 'users' | 'tokens',
  { recent, after, maxRows }: { recent: Date; after: string; maxRows: number },
): Promise<UseBatch> {
  const table = Prisma.raw(of === 'users' ? 'users' : 'v1_tokens');
  const usedAt = Prisma.raw(of === 'users' ? 'v1_last_used_at' : 'last_used_at');
  // A literal, so that the planner knows how few rows are read.
  const limit = Prisma.raw(String(maxRows));
  const [row] = await tx.$queryRaw<[UseBatch]>`SELECT count(*)::int AS rows,
      count(*) FILTER (WHERE used_at > ${recent}::timestamptz)::int AS recent, max(used_at)::text AS last
    FROM (
      SELECT ${usedAt} AS used_at FROM ${table} WHERE app_id = ${appId} AND ${usedAt} > ${after}::timestamptz
      ORDER BY ${usedAt} FETCH FIRST ${limit} ROWS WITH TIES
    ) AS batch`;
  return row;
}

/** The place of a session in the index by user. */
export type SessionPlace = { uid: string; id: string };

type SessionBatch = {
  sessions: number;
  /** Users with a session in the batch that was used since the time, without `countedUid`. */
  active: number;
  /** The last of these users; null if there is none. */
  activeUid: string | null;
  /** The last session; null without any. */
  last: SessionPlace | null;
};

/**
 * Reads at most `maxRows` sessions that follow `after` in the index by user. The limit is one of sessions and not of
 * users, since one user may have any number.
 */
export async function countV2Users(
  prisma: PrismaClient,
  appId: string,
  {
    since,
    after,
    countedUid,
    maxRows,
  }: { since: Date; after: SessionPlace; countedUid: string; maxRows: number },
): Promise<SessionBatch> {
  // A literal, so that the planner knows how few rows are read.
  const limit = Prisma.raw(String(maxRows));
  const [row] = await prisma.$queryRaw<
    [Omit<SessionBatch, 'last'> & { uid: string | null; id: string | null }]
  >`WITH batch AS MATERIALIZED (
      SELECT user_id, id, last_used_at > ${since}::timestamptz AND user_id <> ${countedUid} AS active
      FROM sessions WHERE app_id = ${appId} AND (user_id, id) > (${after.uid}, ${after.id})
      ORDER BY user_id, id LIMIT ${limit}
    ), last AS (SELECT user_id, id FROM batch ORDER BY user_id DESC, id DESC LIMIT 1)
    SELECT count(*)::int AS sessions, count(DISTINCT user_id) FILTER (WHERE active)::int AS active,
      max(user_id) FILTER (WHERE active) AS "activeUid",
      (SELECT user_id FROM last) AS uid, (SELECT id FROM last) AS id
    FROM batch`;
  const { uid, id, ...counted } = row;
  return { ...counted, last: uid === null || id === null ? null : { uid, id } };
}

export async function findV2Usage(prisma: PrismaClient, appId: string): Promise<number | null> {
  const row = await prisma.v2Usage.findUnique({ where: { appId }, select: { activeUsers: true } });
  return row?.activeUsers ?? null;
}

export async function writeV2Usage(
  prisma: PrismaClient,
  appId: string,
  activeUsers: number,
  countedAt: Date,
): Promise<void> {
  const counted = { activeUsers, countedAt };
  await prisma.v2Usage.upsert({ where: { appId }, create: { appId, ...counted }, update: counted });
}

/** Apps that were counted last at this time or before, or never. */
export async function listAppsDue(prisma: PrismaClient, countedUntil: Date): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT a.id FROM apps AS a LEFT JOIN v2_usage AS c ON c.app_id = a.id
    WHERE c.counted_at IS NULL OR c.counted_at <= ${countedUntil}::timestamptz ORDER BY a.id`;
  return rows.map(({ id }) => id);
}
