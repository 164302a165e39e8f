// Authenticates an access token: verifies it, then checks that its session is live, so that sign-out, disabling and
// password reset take effect immediately.
import type { Tx } from '@foyer/prisma';
import { type Account, lockUser } from '../accounts/account.js';
import type { AccessTokenVerdict, Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import type { LiveSession, SessionIds } from '../model/session.js';
import { headerOf } from '../tokens/access-token.js';
import { findLiveSession, isSessionLive } from './store.js';

/** Throws `auth/token-expired` or `auth/invalid-token`. */
export async function findSessionOfToken(deps: Deps, app: App, token: string): Promise<LiveSession> {
  const verdict = await checkToken(deps, app, token);
  if (verdict === 'expired') throw new ApiError('auth/token-expired');
  if (verdict === 'invalid' || verdict === 'unknown-key') throw new ApiError('auth/invalid-token');
  const ids = { appId: app.id, sessionId: verdict.sid, uid: verdict.sub };
  const session = await findLiveSession(deps.query, ids);
  if (!session) throw new ApiError('auth/invalid-token');
  return session;
}

/** Verifies signature, issuer, audience and time. */
export async function checkToken(deps: Deps, app: App, token: string): Promise<AccessTokenVerdict> {
  const now = deps.clock.now();
  const verdict = deps.accessTokens.verify(app, token, now);
  if (verdict !== 'unknown-key') return verdict;
  // Another instance may have rotated the keys.
  await deps.signingKeys.reloadFor(headerOf(token));
  return deps.accessTokens.verify(app, token, deps.clock.now());
}

/**
 * Throws `auth/invalid-token` when the session has ended since the guard checked it: the call may have waited for a hash, a
 * mail or a lock meanwhile. The user's row is locked before, so that no session ends between this check and the change.
 */
export async function requireLiveSession(tx: Tx, ids: SessionIds): Promise<void> {
  if (!(await isSessionLive(tx, ids))) throw new ApiError('auth/invalid-token');
}

/** Locks the user for a change that requires a live session. Throws `auth/invalid-token` when the user or the session is gone. */
export async function lockUserOfCall(tx: Tx, ids: SessionIds): Promise<Account> {
  const account = await lockUser(tx, ids);
  if (!account) throw new ApiError('auth/invalid-token');
  await requireLiveSession(tx, ids);
  return account;
}
