// Finds the user of a v1 token. Every call with one counts as a use of v1.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import type { LiveV1Token } from '../model/v1-token.js';
import {
  findLiveV1Token,
  findV1Proof,
  isV1TokenLive,
  recordTokenUse,
  recordUserUse,
  type V1Proof,
} from './store.js';
import { hashOfV1Token, useDueSince, v1IdleSince } from './v1-token.js';

export type { V1Proof };

/** `auth/invalid-token` when the token is unknown or expired, or the user is disabled. */
export async function useV1Token(
  deps: Pick<Deps, 'query' | 'prisma' | 'clock' | 'dailyCounters'>,
  app: App,
  text: string,
): Promise<LiveV1Token> {
  const now = deps.clock.now();
  const tokenHash = hashOfV1Token(text);
  const token =
    tokenHash && (await findLiveV1Token(deps.query, { appId: app.id, tokenHash }, v1IdleSince(now)));
  if (!token) throw new ApiError('auth/invalid-token');
  deps.dailyCounters.recordActivity(app.id, token.uid, 'v1');
  const dueSince = useDueSince(now);
  if (token.usedAt <= dueSince) await recordTokenUse(deps.prisma, token, now, dueSince);
  if (!token.userUsedAt || token.userUsedAt <= dueSince)
    await recordUserUse(deps.prisma, { appId: app.id, uid: token.uid }, now, dueSince);
  return token;
}

/** Records a use of v1 without a token. Writes nothing where a use was recorded within the hour. */
export async function recordV1Use(
  deps: Pick<Deps, 'prisma' | 'clock' | 'dailyCounters'>,
  app: App,
  uid: string,
): Promise<void> {
  const now = deps.clock.now();
  deps.dailyCounters.recordActivity(app.id, uid, 'v1');
  await recordUserUse(deps.prisma, { appId: app.id, uid }, now, useDueSince(now));
}

/** The user of a v1 token, also of a disabled account; null when it is not valid. Does not count as a use of v1. */
export async function verifyV1Token(
  deps: Pick<Deps, 'query' | 'clock'>,
  app: App,
  text: string,
): Promise<V1Proof | null> {
  const tokenHash = hashOfV1Token(text);
  if (!tokenHash) return null;
  return findV1Proof(deps.query, { appId: app.id, tokenHash }, v1IdleSince(deps.clock.now()));
}

/** `auth/invalid-token` when the token has ended since the guard checked it. The user's row is locked before. */
export async function requireLiveV1Token(tx: Tx, token: LiveV1Token): Promise<void> {
  if (!(await isV1TokenLive(tx, token))) throw new ApiError('auth/invalid-token');
}
