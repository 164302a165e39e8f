// `client.auth`: state, sign-in methods and sign-out.

import type { Auth } from './api.js';
import type { StateStream } from './auth-state.js';
import type { Call } from './call.js';
import { createCredentials } from './credentials.js';
import type { Send } from './http.js';
import { createOptionalUserCall } from './optional-user.js';
import type { SessionStore } from './session-store.js';
import { createSignIn } from './sign-in.js';
import type { TokenStorage } from './storage.js';

export function createAuth(
  sessionStore: SessionStore,
  state: StateStream,
  storage: TokenStorage,
  send: Send,
  call: Call,
): Auth {
  const callOptionalUser = createOptionalUserCall(sessionStore, send, call);

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
      const { session, failure } = await sessionStore.signOut('user', everywhere);
      const remote = session !== null && (await sessionStore.end(session, options));
      // The storage still contains a valid token, so the next start would restore the session.
      if (failure && !remote) throw failure;
      return { remote };
    },
  };
}
