// Password reset, email verification and reauthentication.

import type { Auth } from './api.js';
import { bodyOf, proofNames, resetNames } from './argument-names.js';
import type { Call } from './call.js';
import { isFoyerError } from './errors.js';
import type { AccessAnswer, CodeSent, User } from './generated/models.js';
import type { Send } from './http.js';
import { assertAccess } from './refresh.js';
import type { SessionStore } from './session-store.js';

type Credentials = Pick<Auth, 'password' | 'verification' | 'reauthenticate' | 'withRecentSignIn'>;

export function createCredentials(
  sessionStore: SessionStore,
  send: Send,
  call: Call,
  callOptionalUser: Call,
): Credentials {
  const reauthenticate: Auth['reauthenticate'] = async (proof, options = {}) => {
    const { session } = await sessionStore.bearer({ signal: options.signal });
    const body = bodyOf(proof, proofNames);
    const answer = assertAccess(await call<AccessAnswer>('POST /auth/reauthenticate', { body }, options));
    sessionStore.grant(session, answer);
    sessionStore.merge({ user: answer.user });
  };

  return {
    password: {
      forgot: (email, options) => send<CodeSent>('POST /auth/password/forgot', { body: { email } }, options),
      async reset(reset, options = {}) {
        await callOptionalUser<void>(
          'POST /auth/password/reset',
          { body: bodyOf(reset, resetNames) },
          options,
        );
        // A refresh detects whether the reset revoked the current session.
        await sessionStore.bearer({ signal: options.signal, forceRefresh: true }).catch(() => {});
      },
    },
    verification: {
      send: (options) => call<CodeSent>('POST /auth/email/verification/send', {}, options),
      async confirm(code, options) {
        const user = await call<User>('POST /auth/email/verification/confirm', { body: { code } }, options);
        sessionStore.merge({ user });
        return user;
      },
    },
    reauthenticate,
    async withRecentSignIn(work, ask) {
      try {
        return await work();
      } catch (error) {
        const proof = isFoyerError(error, 'auth/requires-recent-login') && (await ask());
        if (!proof) throw error;
        await reauthenticate(proof);
        return work();
      }
    },
  };
}
