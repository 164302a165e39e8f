// Queries on events.
import { Prisma, type PrismaClient } from '@foyer/prisma';
import { type BatchEnd, deleteOldestOf, type RetentionBatch } from '../model/retention-batch.js';
import type { EventRow } from './event.js';

export async function deleteEventsBefore(prisma: PrismaClient, batch: RetentionBatch): Promise<BatchEnd> {
  const [end] = await prisma.$queryRaw<[BatchEnd]>(deleteOldestOf('events', batch));
  return end;
}

export type EventFilter = {
  appId: string;
  type: string | undefined;
  uid: string | undefined;
  from: string | undefined;
  before: string[];
  maxRows: number;
};

/** Newest first. */
export function listEventRows(prisma: PrismaClient, filter: EventFilter): Promise<EventRow[]> {
  const conditions = [Prisma.sql`app_id = ${filter.appId}`];
  if (filter.type !== undefined) conditions.push(Prisma.sql`type = ${filter.type}`);
  if (filter.uid !== undefined) conditions.push(Prisma.sql`user_id = ${filter.uid}`);
  if (filter.from !== undefined) conditions.push(Prisma.sql`id >= ${filter.from}`);
  for (const id of filter.before) conditions.push(Prisma.sql`id < ${id}`);
  return prisma.$queryRaw`SELECT app_id AS "appId", id, type, data, created_at AS "createdAt" FROM events
    WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY id DESC LIMIT ${filter.maxRows}::int`;
}
