// Mails a code for the verification or a change of the email, and confirms it.
import { type Tx, uniqueViolation } from '@foyer/prisma';
import { emailInUse, findAccountByEmail } from '../accounts/account.js';
import { changeEmail, verifyEmail } from '../accounts/change-account.js';
import { changeInTurn } from '../change.js';
import { purposeToConfirm } from '../codes/live-code.js';
import { mayMailStranger } from '../codes/mail-budget.js';
import { sendCode } from '../codes/send-code.js';
import { deleteCodesOf } from '../codes/store.js';
import { type ProvenCode, withVerifiedCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { requireMailer } from '../mail/queue-mail.js';
import { sessionIdsOf, type UserCall } from '../model/call.js';
import type { UserRow } from '../model/user.js';
import { lockUserOfCall } from '../sessions/find-session.js';

/** POST /me/email: the change takes effect when the code sent to the new email is confirmed. Returns the code's flow. */
export async function sendEmailChange(deps: Deps, call: UserCall, email: string): Promise<string> {
  const { app, uid, ip } = call;
  requireMailer(deps);
  if (await findAccountByEmail(deps.query, app.id, email)) throw emailInUse();
  const decoy = async () => !(await mayMailStranger(deps, app, { isStranger: true, sender: 'user', ip }));
  const demand = (tx: Tx) => lockUserOfCall(tx, sessionIdsOf(call));
  return sendCode(deps, call, { purpose: 'email_change', subject: uid, email, decoy, demand });
}

export function sendVerification(deps: Deps, call: UserCall): Promise<string> {
  const { uid } = call;
  const { email, emailVerified: isVerified } = call.session;
  const known = { client: { uid }, isVerified };
  const demand = (tx: Tx) => lockUserOfCall(tx, sessionIdsOf(call));
  return sendCode(deps, call, { purpose: 'verification', subject: uid, email, known, demand });
}

/**
 * Checks the code of the flow; without a flow, that of a pending change of email, else that of the verification. The guess
 * counts against the checked code.
 */
export async function confirmEmail(deps: Deps, call: UserCall, code: string): Promise<UserRow> {
  const { uid } = call;
  const { purpose, email } = await purposeToConfirm(deps, call.app.id, uid, call.codeFlow ?? null);
  const by = { email: email ?? '', uid, known: { uid }, isVerified: false, isSignedIn: true };
  const failure = { action: 'user.email_confirmation_failed', uid } as const;
  const confirm = purpose === 'email_change' ? confirmChange : confirmVerification;
  return withVerifiedCode(deps, call, { purpose, subject: uid, code, by, failure }, (proven) =>
    confirm(deps, call, proven),
  );
}

async function confirmChange(deps: Deps, call: UserCall, code: ProvenCode): Promise<UserRow> {
  const { app, uid } = call;
  try {
    return await changeInTurn(deps, call, async (tx, record) => {
      const account = await lockUserOfCall(tx, sessionIdsOf(call));
      // First: to a second call with the same code the email is in use, by this very account.
      await code.spend(tx);
      const user = await changeEmail(tx, deps, account, code.email);
      if (!user) throw emailInUse();
      // A code that was mailed to the former email would open a new account, and its row would keep the email.
      await deleteCodesOf(tx, app.id, [uid, account.email]);
      await record.audit({ action: 'user.email_changed', uid });
      await record.mail(app, {
        kind: 'email_changed',
        to: account.email,
        language: account.language ?? call.language,
      });
      return user;
    });
  } catch (error) {
    // Taken by a call that had not yet committed when this one looked.
    throw uniqueViolation(error) === 'users_app_id_email_key' ? emailInUse() : error;
  }
}

function confirmVerification(deps: Deps, call: UserCall, code: ProvenCode): Promise<UserRow> {
  return changeInTurn(deps, call, async (tx, record) => {
    const account = await lockUserOfCall(tx, sessionIdsOf(call));
    const user = await verifyEmail(tx, deps, account, code.email);
    // The email was changed after the code was sent to the previous one.
    if (!user) throw new ApiError('auth/invalid-code');
    await code.spend(tx);
    await record.audit({ action: 'user.email_verified', uid: call.uid });
    return user;
  });
}
