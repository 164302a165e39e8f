// The tokens of the sessions of an app's backend.
import { payloadOf } from '../features/claims.js';
import type { TokenAnswer } from '../generated/models.js';
import { badResponse } from '../http/envelope.js';
import type { Sender } from '../session/core.js';
import type { EndedSessions } from './ended-sessions.js';
import type { PresentedSession, SessionCookies, SessionTokens } from './session-cookies.js';
import type { TokenChains } from './token-chains.js';

/** What the functions of an app's sessions share. */
export interface Sessions {
  origin: string;
  sender: Sender;
  cookies: SessionCookies;
  chains: TokenChains;
  ended: EndedSessions;
}

/** An access token that expires within this time is renewed. */
const marginMs = 60_000;

/** The newest known tokens, unless the access token is about to expire, or is `held` by a page that wants a newer one. */
export function newestTokens(
  { chains }: Sessions,
  presented: PresentedSession,
  held?: string,
): SessionTokens | undefined {
  const { uid = '', accessToken = '', ...own } = presented;
  const tokens = chains.successorOf(presented) ?? { ...own, uid, accessToken };
  return tokens.expiresAtMs > Date.now() + marginMs && tokens.accessToken !== held ? tokens : undefined;
}

export function tokensOf({ access_token, expires_in, refresh_token, user }: TokenAnswer): SessionTokens {
  return {
    sid: sessionIdOf(access_token),
    uid: user.uid,
    refreshToken: refresh_token,
    accessToken: access_token,
    expiresAtMs: Date.now() + 1_000 * expires_in,
    user,
  };
}

/** The `sid` claim of an access token, which is not verified here; undefined if there is none. */
export function claimedSessionId(accessToken: string): string | undefined {
  try {
    const { sid } = payloadOf(accessToken);
    return typeof sid === 'string' && /^[\w-]+$/.test(sid) ? sid : undefined;
  } catch {
    return undefined;
  }
}

function sessionIdOf(accessToken: string): string {
  const sid = claimedSessionId(accessToken);
  if (sid) return sid;
  throw badResponse();
}
