// Calls that anybody may make, but with the bearer where a session is held: by it the service knows the account's owner.
import type { Call, SendRepeated } from './call.js';
import { isDenied } from './refresh.js';
import type { SessionKeeper } from './session-keeper.js';

export function createOptionalUserCall(keeper: SessionKeeper, send: SendRepeated, call: Call): Call {
  return async (route, input, options) => {
    const before = await keeper.ready();
    if (before.status === 'signedIn') {
      try {
        return await call(route, input, options);
      } catch (error) {
        const after = await keeper.ready();
        // Only a session that is known to have ended elsewhere is none. Without a network it may well live, and whoever
        // signs out here no longer wants this call.
        const endedElsewhere =
          after.status === 'signedOut' && /^(revoked|other-context)$/.test(after.reason ?? '');
        if (!isDenied(error) || !endedElsewhere) throw error;
      }
    }
    return send(route, input, options);
  };
}
