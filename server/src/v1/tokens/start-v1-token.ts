// Starts a v1 token once a password is proven.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import type { App } from '../../model/app.js';
import type { V1UserRow } from '../../model/v1-token.js';
import { deleteOldestV1Tokens, insertProvenV1Token } from './store.js';
import { hashOfV1Token, newV1Token } from './v1-token.js';
import { useDueSince } from './v1-use.js';

/** From how many tokens on the limit is looked at; as with sessions, half of it leaves room for logins at the same time. */
const countedFrom = limits.v1TokensPerUser / 2;

/** Null when the password no longer is what was proven: prove it once more on the fresh user. */
export async function startV1Token(
  deps: Pick<Deps, 'query' | 'random' | 'clock'>,
  app: App,
  proof: { uid: string; credentialVersion: number; newPasswordHash: string | null },
  ipAddress: string | null,
): Promise<{ token: string; user: V1UserRow } | null> {
  const now = deps.clock.now();
  const token = newV1Token(deps);
  const tokenHash = hashOfV1Token(token) as Buffer;
  const auditId = deps.random.ulid(now);
  const row = { appId: app.id, tokenHash, now, useDueSince: useDueSince(now), ipAddress, auditId };
  const user = await insertProvenV1Token(deps.query, row, proof);
  if (!user) return null;
  if (user.otherTokens >= countedFrom)
    await deleteOldestV1Tokens(deps.query, { appId: app.id, uid: proof.uid });
  return { token, user };
}
