// Queries on daily statistics.
import { limits } from '@foyer/contract';
import type { PrismaClient, Tx } from '@foyer/prisma';
import { dayOf } from '../lib/timestamp.js';

/** The row as PostgreSQL reads it. */
export type CountRow = { app_id: string; day: string; name: string; count: number };
export type ActiveUserRow = { app_id: string; day: string; version: 1 | 2; user_id: string };

/**
 * Adds to the counters, and one for each user who was not yet active that day: a statement for each table. Rows are written
 * in the order of their keys, so that instances that write at the same time do not deadlock. An app that was deleted
 * meanwhile is left out.
 */
export async function addDailyCounts(
  tx: Tx,
  counts: CountRow[],
  activeUsers: ActiveUserRow[],
): Promise<void> {
  const added = activeUsers.length === 0 ? [] : await addActiveUsers(tx, activeUsers);
  const users = added.map(({ app_id, day, version }) => ({ app_id, day, name: names[version], count: 1 }));
  await addCounts(tx, [...counts, ...users]);
}

const names = { 1: 'v1_active_users', 2: 'active_users' } as const;

/** Returns those who were not yet active. */
function addActiveUsers(tx: Tx, activeUsers: ActiveUserRow[]): Promise<ActiveUserRow[]> {
  return tx.$queryRaw`INSERT INTO daily_active_users (app_id, day, version, user_id)
    SELECT n.app_id, n.day, n.version, n.user_id FROM jsonb_to_recordset(${JSON.stringify(activeUsers)}::jsonb)
      AS n (app_id text, day date, version smallint, user_id text)
    ORDER BY n.app_id, n.day, n.version, n.user_id
    ON CONFLICT DO NOTHING RETURNING app_id, day::text, version, user_id`;
}

async function addCounts(tx: Tx, counts: CountRow[]): Promise<void> {
  await tx.$executeRaw`INSERT INTO daily_stats AS s (app_id, day, name, count)
    SELECT n.app_id, n.day, n.name, sum(n.count) FROM jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
      AS n (app_id text, day date, name text, count int) JOIN apps ON apps.id = n.app_id
    GROUP BY n.app_id, n.day, n.name ORDER BY n.app_id, n.day, n.name
    ON CONFLICT (app_id, day, name) DO UPDATE SET count = s.count + excluded.count`;
}

export type DailyCount = { day: string; name: string; count: number };

/** Lists the counts of both days and those in between. */
export function listDailyCounts(
  prisma: PrismaClient,
  appId: string,
  range: { from: string; to: string },
): Promise<DailyCount[]> {
  return prisma.$queryRaw`SELECT day::text, name, count FROM daily_stats
    WHERE app_id = ${appId} AND day BETWEEN ${range.from}::date AND ${range.to}::date`;
}

/** Reads an index only, and no more of it than the limit. */
export async function countUsers(prisma: PrismaClient, appId: string): Promise<number> {
  const [row] = await prisma.$queryRaw<[{ count: number }]>`SELECT count(*)::int AS count FROM (
    SELECT 1 FROM users WHERE app_id = ${appId} LIMIT ${limits.statsUsers}::int) AS counted`;
  return row.count;
}

/** Deletes at most `maxRows` counters of days before that of `time` (UTC); returns how many. */
export function deleteCountsBefore(prisma: PrismaClient, time: Date, maxRows: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM daily_stats WHERE (app_id, day, name) IN (
    SELECT app_id, day, name FROM daily_stats WHERE day < ${dayOf(time)}::date ORDER BY day LIMIT ${maxRows}::int)`;
}

/** Deletes the active users of days before the time, at most `maxRows` of them. */
export function deleteActiveUsersBefore(prisma: PrismaClient, time: Date, maxRows: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM daily_active_users WHERE (app_id, day, version, user_id) IN (
    SELECT app_id, day, version, user_id FROM daily_active_users WHERE day < ${dayOf(time)}::date
    ORDER BY day LIMIT ${maxRows}::int)`;
}
