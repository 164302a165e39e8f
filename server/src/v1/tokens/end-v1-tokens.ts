// Ends v1 tokens: one at sign-out or at its exchange, all of a user with all of the sessions, and those that expired.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import { deleteIdleV1Tokens, deleteV1Token, deleteV1TokensOf, signOutRow } from './store.js';
import { v1IdleSince } from './v1-use.js';

export type V1TokenIds = { appId: string; tokenHash: Uint8Array };

/** False when another call ended the token before. */
export function endV1Token(tx: Prisma.TransactionClient, { appId, tokenHash }: V1TokenIds): Promise<boolean> {
  return deleteV1Token(tx, { appId, tokenHash });
}

/** Afterwards the token has ended: by this call, or by another that came between the guard and here. */
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

const batchRows = 5_000;

/** A part of the daily job. Nobody notices: an expired token and one that never was are answered alike. */
export async function purgeIdleV1Tokens(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const time = v1IdleSince(deps.clock.now());
  while ((await deleteIdleV1Tokens(deps.prisma, time, batchRows)) === batchRows);
}
