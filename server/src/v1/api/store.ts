// Queries for the figures of the migration from v1.
import { Prisma, type PrismaClient, type Tx } from '@foyer/prisma';

/** The time of the last counted use, and how many uses at that time are counted: a batch may end between equal times. */
export type UsePlace = { time: string; counted: number };

export type UseBatch = {
  rows: number;
  /** Uses after `recent`. */
  recent: number;
  /** Where the next batch begins; null if this one is empty. */
  last: UsePlace | null;
};

/**
 * At most `maxRows` uses after `since`, in the order of time, starting at `place`: a range of one index. The time is text,
 * since a Date has no microseconds.
 */
export async function countV1Uses(
  tx: Tx,
  appId: string,
  of: 'users' | 'tokens',
  { since, recent, place, maxRows }: { since: Date; recent: Date; place: UsePlace | null; maxRows: number },
): Promise<UseBatch> {
  const table = Prisma.raw(of === 'users' ? 'users' : 'v1_tokens');
  const usedAt = Prisma.raw(of === 'users' ? 'v1_last_used_at' : 'last_used_at');
  const from = place
    ? Prisma.sql`${usedAt} >= ${place.time}::timestamptz`
    : Prisma.sql`${usedAt} > ${since}::timestamptz`;
  // A literal, so that the planner knows how few rows are read.
  const limit = Prisma.raw(String(maxRows));
  const [row] = await tx.$queryRaw<
    [{ rows: number; recent: number; time: string | null; counted: number }]
  >`WITH batch AS MATERIALIZED (
      SELECT ${usedAt} AS used_at FROM ${table} WHERE app_id = ${appId} AND ${from}
      ORDER BY ${usedAt} OFFSET ${place?.counted ?? 0}::int LIMIT ${limit}
    ), last AS (SELECT max(used_at) AS used_at FROM batch)
    SELECT count(*)::int AS rows, count(*) FILTER (WHERE b.used_at > ${recent}::timestamptz)::int AS recent,
      max(b.used_at)::text AS time, count(*) FILTER (WHERE b.used_at = last.used_at)::int AS counted
    FROM batch AS b CROSS JOIN last`;
  const { rows, time, counted } = row;
  const before = place !== null && place.time === time ? place.counted : 0;
  return { rows, recent: row.recent, last: time === null ? null : { time, counted: counted + before } };
}

/** The place of a session in the index by user. */
export type SessionPlace = { uid: string; id: string };

export type SessionBatch = {
  sessions: number;
  /** Users with a session in the batch that was used since the time, without `countedUid`. */
  active: number;
  /** The last of these users; null if there is none. */
  activeUid: string | null;
  /** The last session; null without any. */
  last: SessionPlace | null;
};

/**
 * At most `maxRows` sessions that follow `after` in the index by user. The limit is one of sessions and not of users, since
 * one user may have any number.
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
