// Queries on events.
import type { PrismaClient } from '@foyer/prisma';

/** Deletes at most `most` events older than the time; returns how many. */
export function deleteEventsBefore(prisma: PrismaClient, time: Date, most: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM events WHERE (app_id, id) IN (
    SELECT app_id, id FROM events WHERE created_at < ${time}::timestamptz LIMIT ${most}::int)`;
}
