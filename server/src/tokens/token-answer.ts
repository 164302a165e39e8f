// The token answer: the `data` of every sign-in, sign-up and refresh. Specification "Token answer".
import type { TokenAnswer } from '@foyer/contract';
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { presentUser, type UserRow } from '../users/user.js';
import { signAccessToken } from './access-token.js';

export type { TokenAnswer };

export type TokenSubject = { sessionId: string; authTime: Date; amr: string[]; user: UserRow };

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
    user: presentUser(subject.user),
  };
}
