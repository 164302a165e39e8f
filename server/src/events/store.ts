// Queries on events.
import { Prisma, type PrismaClient } from '@foyer/prisma';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';
import type { EventRow } from './event.js';

/**
 * Deletes at most `most` events older than `time`; returns how many. Ids begin with the time, so the primary key finds old
 * events of each app without an index on the time.
 */
export function deleteEventsBefore(prisma: PrismaClient, time: Date, most: number): Promise<number> {
  // A literal, so that the planner knows the limit.
  const few = Prisma.raw(String(most));
  return prisma.$executeRaw`DELETE FROM events WHERE ctid = ANY (ARRAY(
    SELECT old.place FROM apps AS a CROSS JOIN LATERAL (
      SELECT v.ctid AS place FROM events AS v WHERE v.app_id = a.id AND v.id < ${firstUlidOf(time)} ORDER BY v.id LIMIT ${few}
    ) AS old LIMIT ${few}))`;
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
