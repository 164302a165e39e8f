// `client.auth`: state, sign-in methods and sign-out.

import { type ActiveSession, freshToken } from './active-session.js';
import type { Auth, CallOptions } from './api.js';
import type { StateStream } from './auth-state.js';
import { type Call, refusesToken } from './call.js';
import { createCredentials } from './credentials.js';
import type { Send } from './http.js';
import { createOptionalUserCall } from './optional-user.js';
import { isDenied, refreshOnce } from './refresh.js';
import type { SessionStore } from './session-store.js';
import { createSignIn } from './sign-in.js';
import type { TokenStorage } from './storage.js';
import type { Stored } from './vault.js';

export function createAuth(
  sessionStore: SessionStore,
  state: StateStream,
  storage: TokenStorage,
  send: Send,
  call: Call,
): Auth {
  const callOptionalUser = createOptionalUserCall(sessionStore, send, call);

  async function endAtService(session: ActiveSession | Stored, everywhere: boolean, options: CallOptions) {
    const route = everywhere ? 'POST /auth/sign-out-all' : 'POST /auth/sign-out';
    const end = (token: string) => send<void>(route, {}, options, token);
    const renewed = async () => (await refreshOnce(send, session.refreshToken, options.signal)).access_token;
    const known = freshToken(session);
    // After startup there is no access token in memory, and the request requires one.
    if (!known) return end(await renewed());
    return end(known).catch(async (error) => {
      if (!refusesToken(error)) throw error;
      return end(await renewed());
    });
  }

  return {
    ...createSignIn(sessionStore, send, callOptionalUser),
    ...createCredentials(sessionStore, send, call, callOptionalUser),
    get state() {
      return state.current;
    },
    get persistent() {
      return storage.persistent !== false;
    },
    onStateChange: state.listen,
    ready: sessionStore.ready,
    async getAccessToken(options = {}) {
      return (await sessionStore.bearer(options)).token;
    },
    async signOut({ everywhere = false, ...options } = {}) {
      const { session, failure } = await sessionStore.signOut('user');
      let remote = false;
      if (session) {
        try {
          await endAtService(session, everywhere, options);
          remote = true;
        } catch (error) {
          // A session that the service already revoked counts as signed out; with `everywhere`, others may remain.
          remote = isDenied(error) && !everywhere;
        }
      }
      // The storage still contains a valid token, so the next start would restore the session.
      if (failure && !remote) throw failure;
      return { remote };
    },
  };
}
