// POST /auth/password/forgot and /auth/password/reset, and those of v1: mails a code, and sets a password with it, which ends
// every session.

import type { Tx } from '@foyer/prisma';
import { findAccountByEmail } from '../accounts/account.js';
import { type ChangeRecord, changeInTurn, turnOf } from '../change.js';
import { sendCode } from '../codes/send-code.js';
import { deleteCodesOf } from '../codes/store.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { userActor } from '../model/actor.js';
import type { Call } from '../model/call.js';
import { withCodeOfEmail } from '../sessions/code-of-email.js';
import { findKnownSender } from '../sessions/known-client.js';
import { confirmEmailOwnership } from '../sign-up/email-ownership.js';
import { newDeviceToken } from '../tokens/device-token.js';
import { strongPassword } from './strong-password.js';
import { writePassword } from './write-password.js';

export type PasswordReset = { email: string; code: string; password: string };

/** Returns the flow of the code. An email without an account gets a decoy. */
export async function forgotPassword(deps: Deps, call: Call, email: string): Promise<string> {
  const known = await findKnownSender(deps, call, email);
  const decoy = async () => (await findAccountByEmail(deps.query, call.app.id, email)) === null;
  return sendCode(deps, call, { purpose: 'reset', subject: email, email, known, decoy });
}

/** Whose password was reset, and a token of the device: the one that it had is invalid with the former password. */
type Reset = { uid: string; deviceToken: string };

export async function resetPassword(deps: Deps, call: Call, input: PasswordReset): Promise<Reset> {
  const { app, ip } = call;
  const { email, code } = input;
  // Refused before the code is checked, so that a weak password costs no guess.
  const password = await strongPassword(app, input.password);
  let passwordHash: string | undefined;
  const guess = { purpose: 'reset', email, code, failure: 'user.password_reset_failed' } as const;
  return withCodeOfEmail(deps, call, guess, async (proven, account) => {
    // A decoy was guessed by chance, or the account is gone: refused like any wrong code.
    if (account === null) throw new ApiError('auth/invalid-code');
    if (account.disabled) throw new ApiError('auth/user-disabled');
    const { uid } = account;
    passwordHash ??= await deps.passwordHasher.hash(password, { appId: app.id, ip });
    const write = { passwordHash, reason: 'reset' } as const;
    const reset = async (tx: Tx, record: ChangeRecord) => {
      const credentialVersion = await confirmEmailOwnership(tx, deps, call, { account, by: 'reset' });
      if (credentialVersion === null) return null;
      const owner = await writePassword(tx, deps, { ...account, credentialVersion }, write);
      if (!owner) return null;
      await record.mail(app, { kind: 'password_changed', to: email });
      await proven.spend(tx);
      await deleteCodesOf(tx, app.id, [uid]);
      await record.audit({ action: 'user.password_reset', uid, actor: userActor(uid, ip) });
      return { uid, deviceToken: newDeviceToken(deps, app.id, owner, null) };
    };
    return changeInTurn(deps, call, reset, turnOf(uid));
  });
}
