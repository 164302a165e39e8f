// The token answer: the `data` of every sign-in, sign-up and refresh.
import type { TokenAnswer } from '@foyer/contract';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import type { TokenSession } from '../model/session.js';
import { serializeUser } from '../model/user.js';

type SigningDeps = Pick<Deps, 'accessTokens'>;

export function tokenAnswer(
  deps: SigningDeps,
  app: App,
  session: TokenSession,
  refreshToken: string,
): TokenAnswer {
  const { access_token, token_type, expires_in, user } = accessTokenAnswer(deps, app, session);
  return { access_token, token_type, expires_in, refresh_token: refreshToken, user };
}

export type AccessTokenAnswer = Omit<TokenAnswer, 'refresh_token'>;

export function accessTokenAnswer(deps: SigningDeps, app: App, session: TokenSession): AccessTokenAnswer {
  return {
    access_token: deps.accessTokens.sign(app, session),
    token_type: 'Bearer',
    expires_in: app.accessTokenSeconds,
    user: serializeUser(session),
  };
}
