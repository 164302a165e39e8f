// A part of the daily job: the audit log is kept for 400 days, counted entries that name nobody for 30.
import { limits } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { before, dayMilliseconds } from '../lib/timestamp.js';
import { deleteAuditEntriesBefore, deleteExpiredAuditEntries } from './store.js';

const batchRows = 5_000;

export async function purgeOldAuditEntries(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const now = deps.clock.now();
  while ((await deleteExpiredAuditEntries(deps.prisma, now, batchRows)) === batchRows);
  const time = before(now, limits.auditDays * dayMilliseconds);
  while ((await deleteAuditEntriesBefore(deps.prisma, time, batchRows)) === batchRows);
}
