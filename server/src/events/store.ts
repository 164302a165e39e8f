// Queries on events.
import { Prisma, type PrismaClient } from '@foyer/prisma';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';
import { type BatchEnd, nextAfter, type RetentionBatch } from '../lib/retention-batch.js';
import type { EventRow } from './event.js';

/** Deletes events older than the time, which ids begin with: no index on the time is needed. */
export async function deleteEventsBefore(
  prisma: PrismaClient,
  batch: RetentionBatch,
): Promise<string | null> {
  const { appId, after, time, maxRows } = batch;
  const [end] = await prisma.$queryRaw<BatchEnd[]>`WITH batch AS MATERIALIZED (
      SELECT id FROM events WHERE app_id = ${appId} AND id > ${after} AND id < ${firstUlidOf(time)}
      ORDER BY id LIMIT ${Prisma.raw(String(maxRows))}
    ), gone AS (
      DELETE FROM events AS e USING batch WHERE e.app_id = ${appId} AND e.id = batch.id
    )
    SELECT count(*)::int AS rows, max(id) AS last FROM batch`;
  return nextAfter(end, batch);
}

export type EventFilter = {
  appId: string;
  type: string | undefined;
  uid: string | undefined;
  from: string | undefined;
  before: string[];
  most: number;
};

/** Newest first. */
export function listEventRows(prisma: PrismaClient, filter: EventFilter): Promise<EventRow[]> {
  const conditions = [Prisma.sql`app_id = ${filter.appId}`];
  if (filter.type !== undefined) conditions.push(Prisma.sql`type = ${filter.type}`);
  if (filter.uid !== undefined) conditions.push(Prisma.sql`user_id = ${filter.uid}`);
  if (filter.from !== undefined) conditions.push(Prisma.sql`id >= ${filter.from}`);
  for (const id of filter.before) conditions.push(Prisma.sql`id < ${id}`);
  return prisma.$queryRaw`SELECT app_id AS "appId", id, type, data, created_at AS "createdAt" FROM events
    WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY id DESC LIMIT ${filter.most}::int`;
}
