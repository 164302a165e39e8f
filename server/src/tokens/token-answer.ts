// The token answer: the `data` of every sign-in, sign-up and refresh. Specification "Token answer".
import type { TokenAnswer } from '@foyer/contract';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { serializeUser } from '../model/user.js';
import { signAccessToken, type TokenSubject } from './access-token.js';

type SigningDeps = Pick<Deps, 'clock' | 'random' | 'signingKeys' | 'config'>;

export function tokenAnswer(
  deps: SigningDeps,
  app: App,
  subject: TokenSubject,
  refreshToken: string,
): TokenAnswer {
  const { user, ...answer } = accessTokenAnswer(deps, app, subject);
  return { ...answer, refresh_token: refreshToken, user };
}

export function accessTokenAnswer(
  deps: SigningDeps,
  app: App,
  subject: TokenSubject,
): Omit<TokenAnswer, 'refresh_token'> {
  return {
    access_token: signAccessToken(deps, app, subject),
    token_type: 'Bearer',
    expires_in: app.accessTokenSeconds,
    user: serializeUser(subject.user),
  };
}
