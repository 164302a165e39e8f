// Renews the sign-in time of a session after reauthentication. The refresh token does not change.
import type { Query } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import type { SessionIds, SessionMethod } from '../model/session.js';
import { type AccessTokenAnswer, accessTokenAnswer } from '../tokens/token-answer.js';
import { amrOf } from './new-session.js';
import { renewAuthTime } from './store.js';

/** Throws `auth/invalid-token` if the session ended during the verification. */
export async function renewSignIn(
  query: Query,
  deps: Deps,
  app: App,
  ids: SessionIds,
  method: SessionMethod,
  ipAddress: string | null,
): Promise<AccessTokenAnswer> {
  const now = deps.clock.now();
  const audit = { id: deps.random.ulid(now), method, ipAddress };
  const session = await renewAuthTime(query, ids, amrOf[method], audit, now);
  if (!session) throw new ApiError('auth/invalid-token');
  return accessTokenAnswer(deps, app, session);
}
