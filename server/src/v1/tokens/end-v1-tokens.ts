// Ends v1 tokens: one at sign-out or at its exchange, all of a user with all of the sessions.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import { deleteV1Token, deleteV1TokensOf, signOutRow } from './store.js';

export { deleteIdleV1Tokens } from './store.js';

export type V1TokenIds = { appId: string; tokenHash: Uint8Array };

/** False when another call ended the token before. */
export function endV1Token(tx: Prisma.TransactionClient, { appId, tokenHash }: V1TokenIds): Promise<boolean> {
  return deleteV1Token(tx, { appId, tokenHash });
}

/** Afterwards the token has ended: by this call, or by a parallel one. */
export async function signOutOfV1(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  { appId, tokenHash }: V1TokenIds,
  ipAddress: string | null,
): Promise<void> {
  const now = deps.clock.now();
  await signOutRow(deps.prisma, { appId, tokenHash }, { id: deps.random.ulid(now), ipAddress, now });
}

export function endV1TokensOf(
  tx: Prisma.TransactionClient,
  { appId, uid }: { appId: string; uid: string },
): Promise<void> {
  return deleteV1TokensOf(tx, { appId, uid });
}
