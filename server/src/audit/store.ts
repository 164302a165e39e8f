// Queries on the audit log.
import type { PrismaClient } from '@foyer/prisma';

/** Deletes at most `most` entries older than the time; returns how many. */
export function deleteAuditEntriesBefore(prisma: PrismaClient, time: Date, most: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM audit_log WHERE (app_id, id) IN (
    SELECT app_id, id FROM audit_log WHERE created_at < ${time}::timestamptz LIMIT ${most}::int)`;
}
