// Starts a v1 token once a password is verified.
import { limits } from '@foyer/contract';
import { secondStepOf } from '../accounts/second-step.js';
import type { VerifiedCredential } from '../accounts/update-fragments.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { preferredLanguages } from '../mail/language.js';
import type { Call } from '../model/call.js';
import type { V1UserRow } from '../model/v1-token.js';
import { deleteOldestV1Tokens, insertVerifiedV1Token } from './store.js';
import { hashOfV1Token, newV1Token, useDueSince } from './v1-token.js';

/** The limit is enforced from this many tokens on: as with sessions, half of it, because of parallel logins. */
const countedFrom = limits.v1TokensPerUser / 2;

/**
 * Returns null when the password changed since it was verified: verify it again on the current user. Refuses a user who needs a
 * second step, of which v1 has none.
 */
export async function startV1Token(
  deps: Pick<Deps, 'query' | 'random' | 'clock' | 'dailyCounters'>,
  { app, ip, language }: Pick<Call, 'app' | 'ip' | 'language'>,
  credential: VerifiedCredential,
): Promise<{ token: string; user: V1UserRow } | null> {
  const now = deps.clock.now();
  const token = newV1Token(deps);
  const tokenHash = hashOfV1Token(token) as Buffer;
  const auditId = deps.random.ulid(now);
  const row = {
    appId: app.id,
    tokenHash,
    now,
    useDueSince: useDueSince(now),
    ip,
    language: preferredLanguages(language),
    auditId,
    secondStepOf: secondStepOf(app),
  };
  const user = await insertVerifiedV1Token(deps.query, row, credential);
  if (!user) return null;
  if (user.needsSecondStep) throw new ApiError('auth/second-factor-required');
  deps.dailyCounters.recordActivity(app.id, credential.uid, 'v1');
  if (user.otherTokens >= countedFrom)
    await deleteOldestV1Tokens(deps.query, { appId: app.id, uid: credential.uid, tokenHash });
  return { token, user };
}
