// A part of the daily job: messages go after 30 days, and their receipts before them.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { before, dayMilliseconds } from '../../lib/timestamp.js';
import { deleteMessagesBefore, deleteReceiptsBefore } from './store.js';

const batchRows = 5_000;

export async function purgeOldMessages(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const time = before(deps.clock.now(), limits.pushMessageDays * dayMilliseconds);
  while ((await deleteReceiptsBefore(deps.prisma, time, batchRows)) === batchRows);
  while ((await deleteMessagesBefore(deps.prisma, time, batchRows)) === batchRows);
}
