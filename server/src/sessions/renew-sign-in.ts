// Renews the sign-in time of a session after reauthentication. The refresh token does not change.
import type { Query } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sessionIdsOf, type UserCall } from '../model/call.js';
import { type AccessTokenAnswer, accessTokenAnswer } from '../tokens/token-answer.js';
import { amrOf, type SignIn, withSecondFactor } from './new-session.js';
import { renewAuthTime } from './store.js';

/** Throws `auth/invalid-token` if the session ended during the verification. */
export async function renewSignIn(
  query: Query,
  deps: Deps,
  call: UserCall,
  { method, amr = amrOf[method], secondFactor }: Pick<SignIn, 'method' | 'amr' | 'secondFactor'>,
): Promise<AccessTokenAnswer> {
  const { app, ip } = call;
  const now = deps.clock.now();
  const renewal = {
    method,
    secondFactor,
    amr: withSecondFactor(amr, secondFactor),
    auditId: deps.random.ulid(now),
    ip,
    now,
  };
  const session = await renewAuthTime(query, sessionIdsOf(call), renewal);
  if (!session) throw new ApiError('auth/invalid-token');
  return accessTokenAnswer(deps, app, session);
}
