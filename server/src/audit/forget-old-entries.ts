// A part of the daily job: the audit log is kept for 400 days.
import type { Deps } from '../deps.js';
import { before, dayMilliseconds } from '../lib/timestamp.js';
import { deleteAuditEntriesBefore } from './store.js';

const keptDays = 400;
const batchRows = 5_000;

export async function forgetOldAuditEntries(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const time = before(deps.clock.now(), keptDays * dayMilliseconds);
  while ((await deleteAuditEntriesBefore(deps.prisma, time, batchRows)) === batchRows);
}
