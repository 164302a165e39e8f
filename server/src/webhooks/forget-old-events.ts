// A part of the daily job: events are kept for 30 days.
import type { Deps } from '../deps.js';
import { before, dayMilliseconds } from '../lib/timestamp.js';
import { deleteEventsBefore } from './store.js';

const keptDays = 30;
const batchRows = 5_000;

export async function forgetOldEvents(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const time = before(deps.clock.now(), keptDays * dayMilliseconds);
  while ((await deleteEventsBefore(deps.prisma, time, batchRows)) === batchRows);
}
