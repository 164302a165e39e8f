// A part of the daily job: rows of sessions long ended or expired go. A token of a session without a row is answered as
// revoked, so nobody notices.
import type { Deps } from '../deps.js';
import { before, dayMilliseconds } from '../lib/timestamp.js';
import { idleSince } from './live.js';
import { deleteSessionsEndedBefore } from './store.js';

const keptDays = 30;
const batchRows = 5_000;

export async function purgeEndedSessions(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const endedBefore = before(deps.clock.now(), keptDays * dayMilliseconds);
  let deleted: number;
  do {
    deleted = await deleteSessionsEndedBefore(deps.prisma, endedBefore, idleSince(endedBefore), batchRows);
  } while (deleted === batchRows);
}
