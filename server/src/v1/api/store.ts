// Queries for the figures of the migration from v1.
import type { PrismaClient } from '@foyer/prisma';

type V1Figures = Record<'v1_active_users_7d' | 'v1_active_users_30d' | 'v1_live_tokens', number>;

/** One range scan in each of two indexes. */
export async function countV1(
  prisma: PrismaClient,
  appId: string,
  since: { days7: Date; days30: Date; tokensIdle: Date },
): Promise<V1Figures> {
  const [row] = await prisma.$queryRaw<[V1Figures]>`SELECT *
    FROM (SELECT count(*) FILTER (WHERE v1_last_used_at > ${since.days7}::timestamptz)::int AS v1_active_users_7d,
        count(*)::int AS v1_active_users_30d
      FROM users WHERE app_id = ${appId} AND v1_last_used_at > ${since.days30}::timestamptz) AS users
    CROSS JOIN (SELECT count(*)::int AS v1_live_tokens FROM v1_tokens
      WHERE app_id = ${appId} AND last_used_at > ${since.tokensIdle}::timestamptz) AS tokens`;
  return row;
}

/** Of the users that follow `after`, at most `maxRows`: how many used v2 since the time, and the last of them. */
export async function countV2Users(
  prisma: PrismaClient,
  appId: string,
  since: Date,
  after: string,
  maxRows: number,
): Promise<{ active: number; users: number; last: string | null }> {
  // A range of the index on sessions by user: asked user by user it would hang on good statistics of the tables.
  const [row] = await prisma.$queryRaw<
    [{ active: number; users: number; last: string | null }]
  >`WITH batch AS (
      SELECT count(*)::int AS users, max(id) AS last FROM (
        SELECT id FROM users WHERE app_id = ${appId} AND id > ${after} ORDER BY id LIMIT ${maxRows}::int) AS u)
    SELECT users, last, (SELECT count(DISTINCT s.user_id)::int FROM sessions AS s
      WHERE s.app_id = ${appId} AND s.user_id > ${after} AND s.user_id <= (SELECT last FROM batch)
        AND s.last_used_at > ${since}::timestamptz) AS active
    FROM batch`;
  return row;
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
