// A part of the daily job: an ID token that was used needs no memory once it is too old to be accepted anyway.
import { limits } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { before } from '../lib/timestamp.js';
import { deleteIdTokensSeenBefore } from './store.js';

const keptSeconds = limits.maxIdTokenAgeSeconds + limits.idTokenClockSeconds;
const batchRows = 5_000;

export async function purgeSeenIdTokens(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const time = before(deps.clock.now(), keptSeconds * 1_000);
  while ((await deleteIdTokensSeenBefore(deps.prisma, time, batchRows)) === batchRows);
}
