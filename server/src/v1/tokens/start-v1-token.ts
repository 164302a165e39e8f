// Starts a v1 token once a password is verified.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import type { App } from '../../model/app.js';
import type { V1UserRow } from '../../model/v1-token.js';
import type { VerifiedCredential } from '../../users/update-fragments.js';
import { deleteOldestV1Tokens, insertVerifiedV1Token } from './store.js';
import { hashOfV1Token, newV1Token, useDueSince } from './v1-token.js';

/** The limit is enforced from this many tokens on: as with sessions, half of it, because of parallel logins. */
const countedFrom = limits.v1TokensPerUser / 2;

/** Null when the password changed since it was verified: verify it again on the current user. */
export async function startV1Token(
  deps: Pick<Deps, 'query' | 'random' | 'clock' | 'dailyCounters'>,
  app: App,
  credential: VerifiedCredential,
  ipAddress: string | null,
): Promise<{ token: string; user: V1UserRow } | null> {
  const now = deps.clock.now();
  const token = newV1Token(deps);
  const tokenHash = hashOfV1Token(token) as Buffer;
  const auditId = deps.random.ulid(now);
  const row = { appId: app.id, tokenHash, now, useDueSince: useDueSince(now), ipAddress, auditId };
  const user = await insertVerifiedV1Token(deps.query, row, credential);
  if (!user) return null;
  deps.dailyCounters.recordActivity(app.id, credential.uid, 'v1');
  if (user.otherTokens >= countedFrom)
    await deleteOldestV1Tokens(deps.query, { appId: app.id, uid: credential.uid, tokenHash });
  return { token, user };
}
