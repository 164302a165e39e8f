// A part of the daily job: what became of events is kept as long as they are.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { firstUlidOf } from '../../lib/crypto/ulid-bytes.js';
import { before, dayMilliseconds } from '../../lib/timestamp.js';
import { deleteOldDeliveries } from './store.js';

const batchRows = 5_000;

export async function purgeOldDeliveries(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const beforeId = firstUlidOf(before(deps.clock.now(), limits.eventDays * dayMilliseconds));
  while ((await deleteOldDeliveries(deps.prisma, beforeId, batchRows)) === batchRows);
}
