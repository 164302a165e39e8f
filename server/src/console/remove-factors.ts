// DELETE /console/members/{uid}/factors: for a member who lost the device. Passkeys are removed as well: where the team requires a
// second factor, a passkey that is left is the only factor offered, and nobody else can remove it.
import { lockUser } from '../accounts/account.js';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Call } from '../model/call.js';
import { removePasskeysWithNotice } from '../passkeys/remove-passkeys.js';
import { removeFactorWithNotice } from '../second-factor/remove-factor.js';
import { endAllSessionsIn } from '../sessions/end-sessions.js';

/** Ends all sessions, and invalidates the tickets of sign-ins in progress. */
export function removeFactorsOfMember(
  deps: Deps,
  call: Pick<Call, 'app' | 'actor'>,
  uid: string,
): Promise<void> {
  const { app } = call;
  return change(deps, call, async (tx, record) => {
    const account = await lockUser(tx, { appId: app.id, uid });
    if (!account) throw new ApiError('console/member-not-found');
    await endAllSessionsIn(tx, deps, account, 'second_factor_removed');
    const removal = { account, reason: 'admin' } as const;
    const factor = await removeFactorWithNotice(tx, deps, { app, record }, removal);
    const passkeys = await removePasskeysWithNotice(tx, deps, { app, record }, removal);
    if (!factor && !passkeys) throw new ApiError('auth/second-factor-not-enrolled');
  });
}
