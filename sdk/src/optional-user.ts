// Requests that require no session, but include the bearer token when there is one, which identifies the account's
// owner.
import type { Call, SendRepeated } from './call.js';
import { isFoyerError } from './errors.js';
import { isDenied } from './refresh.js';
import type { SessionStore } from './session-store.js';

export function createOptionalUserCall(sessionStore: SessionStore, send: SendRepeated, call: Call): Call {
  return async (route, input, options) => {
    const before = await sessionStore.ready();
    if (before.status === 'signedIn') {
      try {
        return await call(route, input, options);
      } catch (error) {
        const after = await sessionStore.ready();
        // Falls back to no token only when the session was revoked elsewhere. While offline the session may still be
        // valid, and a sign-out on this client aborts the call.
        const endedElsewhere =
          after.status === 'signedOut' && /^(revoked|other-context)$/.test(after.reason ?? '');
        const hasEnded = isDenied(error) || isFoyerError(error, 'client/signed-out');
        if (!hasEnded || !endedElsewhere) throw error;
      }
    }
    return send(route, input, options);
  };
}
