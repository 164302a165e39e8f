// POST /admin/tokens/verify: reports the claims of a token to a backend. A token that is not of this app reveals nothing.
import type { TokenVerdict } from '@foyer/contract';
import type { AccessTokenClaims, Deps } from '../deps.js';
import { timestamp } from '../lib/timestamp.js';
import type { App } from '../model/app.js';
import { serializeUser } from '../model/user.js';
import { checkToken } from './find-session.js';
import { findSessionState } from './store.js';

export async function verifyToken(
  deps: Deps,
  app: App,
  token: string,
  checkRevoked: boolean,
): Promise<TokenVerdict> {
  const claims = await checkToken(deps, app, token);
  if (claims === 'expired') return inactive('auth/token-expired');
  if (claims === 'invalid' || claims === 'unknown-key') return inactive('auth/invalid-token');

  const ids = { appId: app.id, sessionId: claims.sid, uid: claims.sub };
  const state = await findSessionState(deps.query, ids);
  if (checkRevoked) {
    if (!state) return inactive('auth/invalid-token');
    if (state.disabled) return inactive('auth/user-disabled');
    if (!state.live) return inactive('auth/invalid-token');
  }
  return {
    active: true,
    uid: claims.sub,
    session_id: claims.sid,
    claims: claims.claims ?? {},
    auth_time: secondsAsTimestamp(claims.auth_time),
    issued_at: secondsAsTimestamp(claims.iat),
    expires_at: secondsAsTimestamp(claims.exp),
    user: state && serializeUser(state),
  };
}

type InactiveToken = Extract<TokenVerdict, { active: false }>;

function inactive(reason: InactiveToken['reason']): InactiveToken {
  return { active: false, reason };
}

function secondsAsTimestamp(seconds: AccessTokenClaims['iat']): string {
  return timestamp(new Date(seconds * 1_000));
}
