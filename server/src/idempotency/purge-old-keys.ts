// A part of the daily job: idempotency keys are kept for a day.
import type { Deps } from '../deps.js';
import { deleteExpiredKeys } from './store.js';

const batchRows = 5_000;

export async function purgeOldIdempotencyKeys(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const now = deps.clock.now();
  while ((await deleteExpiredKeys(deps.prisma, now, batchRows)) === batchRows);
}
