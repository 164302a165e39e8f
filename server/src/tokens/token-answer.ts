// The token answer: the `data` of every sign-in, sign-up and refresh. Specification "Token answer".
import type { TokenAnswer } from '@foyer/contract';
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { presentUser, type UserRow } from '../users/user.js';
import { signAccessToken } from './access-token.js';

export type { TokenAnswer };

export type TokenSubject = { sessionId: string; authTime: Date; amr: string[]; user: UserRow };

export function tokenAnswer(
  deps: Pick<Deps, 'clock' | 'random' | 'signingKeys' | 'config'>,
  app: App,
  subject: TokenSubject,
  refreshToken: string,
): TokenAnswer {
  return {
    access_token: signAccessToken(deps, app, subject),
    token_type: 'Bearer',
    expires_in: app.accessTokenSeconds,
    refresh_token: refreshToken,
    user: presentUser(subject.user),
  };
}
