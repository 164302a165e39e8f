// A part of the daily job: events are kept for 30 days.
import { limits } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';
import { before, dayMilliseconds } from '../lib/timestamp.js';
import { deleteEventsBefore } from './store.js';

const batchRows = 5_000;

export async function purgeOldEvents(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const beforeId = firstUlidOf(before(deps.clock.now(), limits.eventDays * dayMilliseconds));
  while ((await deleteEventsBefore(deps.prisma, beforeId, batchRows)) === batchRows);
}
