// A part of the daily job: codes go a day after they were sent.
import type { Deps } from '../deps.js';
import { before, dayMilliseconds } from '../lib/timestamp.js';
import { deleteCodesSentBefore } from './store.js';

const batchRows = 5_000;

export async function purgeOldCodes(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const time = before(deps.clock.now(), dayMilliseconds);
  while ((await deleteCodesSentBefore(deps.prisma, time, batchRows)) === batchRows);
}
