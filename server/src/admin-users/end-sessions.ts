// Ends all sessions of a user, for the app's backend.
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import type { Call } from '../model/call.js';
import { endAllSessionsIn } from '../sessions/end-sessions.js';
import { lockKnownUser } from './known-user.js';

export async function revokeSessions(
  deps: Deps,
  call: Call,
  uid: string,
  keep: StoreResponse<void>,
): Promise<void> {
  const ids = { appId: call.app.id, uid };
  await change(deps, call, async (tx, record) => {
    await lockKnownUser(tx, ids);
    await endAllSessionsIn(tx, deps, ids, 'revoked');
    await record.audit({ action: 'user.sessions_revoked', uid });
    await keep(tx);
  });
}
