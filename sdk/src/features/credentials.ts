// Password reset, email verification and reauthentication.
import type { Auth } from '../api.js';
import { isFoyerError } from '../errors.js';
import type { AccessAnswer, CodeSent } from '../generated/models.js';
import { send } from '../http/send.js';
import { bearerOf } from '../session/bearer.js';
import { call, callForUser, callOptionalUser } from '../session/call.js';
import type { Core } from '../session/core.js';
import { assertAccess } from '../session/refresh.js';
import { merge, setAccess } from '../session/session.js';

type Credentials = Pick<Auth, 'password' | 'verification' | 'reauthenticate' | 'withRecentSignIn'>;

export function createCredentials(core: Core): Credentials {
  const reauthenticate: Auth['reauthenticate'] = async (body, options) => {
    const { session } = await bearerOf(core, options);
    const answer = assertAccess(
      await call<AccessAnswer>(core, 'POST /auth/reauthenticate', { body }, options),
    );
    setAccess(session, answer);
    merge(core, { user: answer.user });
  };

  return {
    password: {
      forgot: (email, options) =>
        send<CodeSent>(core, 'POST /auth/password/forgot', { body: { email } }, options),
      async reset(body, options) {
        await callOptionalUser<void>(core, 'POST /auth/password/reset', { body }, options);
        // A refresh detects whether the reset revoked the current session.
        await bearerOf(core, { ...options, forceRefresh: true }).catch(() => {});
      },
    },
    verification: {
      send: (options) => call<CodeSent>(core, 'POST /auth/email/verification/send', {}, options),
      confirm: (code, options) =>
        callForUser(core, 'POST /auth/email/verification/confirm', { code }, options),
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
