// Queries on the audit log.
import type { Prisma, PrismaClient } from '@foyer/prisma';
import type { AuditEntry } from './entry.js';

/** Deletes at most `most` entries older than the time; returns how many. */
export function deleteAuditEntriesBefore(prisma: PrismaClient, time: Date, most: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM audit_log WHERE (app_id, id) IN (
    SELECT app_id, id FROM audit_log WHERE created_at < ${time}::timestamptz LIMIT ${most}::int)`;
}

export async function clearAddressesOf(
  tx: Prisma.TransactionClient,
  ids: { appId: string; userId: string },
): Promise<void> {
  await tx.$executeRaw`UPDATE audit_log SET ip_address = NULL, details = '{}'
    WHERE app_id = ${ids.appId} AND user_id = ${ids.userId}`;
}

export async function insertAuditEntry(
  tx: Prisma.TransactionClient,
  entry: AuditEntry & { id: string; now: Date },
): Promise<void> {
  const { name, ipAddress } = entry.actor;
  await tx.$executeRaw`INSERT INTO audit_log (app_id, id, actor, action, target, user_id, ip_address, details, created_at)
    VALUES (${entry.appId}, ${entry.id}, ${name}, ${entry.action}, ${entry.target}, ${entry.userId ?? null}, ${ipAddress},
      ${JSON.stringify(entry.details ?? {})}::jsonb, ${entry.now}::timestamptz)`;
}
