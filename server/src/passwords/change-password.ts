// PUT /me/password: requires a recent sign-in or the current password, which is not enough for a user with a second factor; ends
// every other session.
import { findAccountById } from '../accounts/account.js';
import { recordFailures } from '../audit/record-failure.js';
import { changeInTurn } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import { secondFactorRule } from '../model/app.js';
import { sessionIdsOf, type UserCall } from '../model/call.js';
import { signedInRecently } from '../model/recent-sign-in.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { newDeviceToken } from '../tokens/device-token.js';
import { strongPassword } from './strong-password.js';
import { requirePassword } from './verify-password.js';
import { type PasswordWrite, writePassword } from './write-password.js';

export type PasswordChange = { password: string; current_password?: string | undefined };

/** Returns a token of the device: the one that it had is invalid with the former password. */
export async function changePassword(deps: Deps, call: UserCall, input: PasswordChange): Promise<string> {
  const { app, uid, ip } = call;
  const ids = sessionIdsOf(call);
  const { current_password: currentPassword } = input;
  const password = await strongPassword(app, input.password);
  const isRecent = signedInRecently(deps, call);
  if (currentPassword === undefined && !isRecent) throw new ApiError('auth/requires-recent-login');

  let passwordHash: string | undefined;
  return retryConflicts('the account kept changing', async () => {
    const account = await findAccountById(deps.query, app.id, uid);
    if (account === null) throw new ApiError('auth/invalid-token');
    // The password is one of two factors, and must not replace the sign-in with both.
    const needsFactor = account.secondFactor && secondFactorRule(app) !== 'off';
    if (needsFactor && !isRecent) throw new ApiError('auth/requires-recent-login');
    if (currentPassword !== undefined) {
      const failure = { action: 'user.reauthentication_failed', method: 'password', uid } as const;
      const proof = { password: currentPassword, guesser: { uid } };
      await recordFailures(deps, call, failure, () => requirePassword(deps, call, account, proof));
    }
    passwordHash ??= await deps.passwordHasher.hash(password, { appId: app.id, ip });
    const write: PasswordWrite = {
      passwordHash,
      reason: 'changed',
      exceptSessionId: ids.sessionId,
    };
    // The turn is taken after the password was hashed.
    return changeInTurn(deps, call, async (tx, record) => {
      await lockUserOfCall(tx, ids);
      const owner = await writePassword(tx, deps, account, write);
      if (!owner) return null;
      await record.audit({ action: 'user.password_changed', uid });
      await record.mail(app, { kind: 'password_changed', to: account.email });
      return newDeviceToken(deps, app.id, owner, null);
    });
  });
}
