// Ends v1 tokens: one at sign-out or at its exchange, all of a user with all of the sessions.
import type { Deps } from '../deps.js';
import { signOutRow, type TokenIds } from './store.js';

/** Afterwards the token has ended: by this call, or by a parallel one. */
export async function signOutOfV1(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: TokenIds,
  ip: string | null,
): Promise<void> {
  const now = deps.clock.now();
  await signOutRow(deps.prisma, ids, { id: deps.random.ulid(now), ip, now });
}
