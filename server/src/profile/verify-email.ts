// Mails a code for the verification or a change of the email, and confirms it. Specification "Account".
import { type Tx, uniqueViolation } from '@foyer/prisma';
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { recordFailures } from '../audit/record-failure.js';
import { purposeToConfirm } from '../codes/live-code.js';
import { mayMailStranger } from '../codes/mail-budget.js';
import { type CodeRequest, sendCode } from '../codes/send-code.js';
import { type CodeGuess, knownFlow, type ProvenCode, verifyCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { queueMail, requireMailer } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import type { SessionIds } from '../model/session.js';
import type { UserRow } from '../model/user.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { emailInUse, findAccountByEmail } from '../users/account.js';
import { changeEmail, verifyEmail } from '../users/change-account.js';

/** The language of the notice, and the IP address of the call. */
type Confirmer = { language: string | undefined; ipAddress: string | null };

/** POST /me/email: the change takes effect when the code sent to the new email is confirmed. Returns the code's flow. */
export async function sendEmailChange(
  deps: Deps,
  app: App,
  ids: SessionIds,
  input: CodeRequest,
): Promise<string> {
  requireMailer(deps);
  if (await findAccountByEmail(deps.query, app.id, input.email)) throw emailInUse();
  const decoy = async () => !(await mayMailStranger(deps, app, true));
  const demand = (tx: Tx) => lockUserOfCall(tx, ids);
  return sendCode(deps, app, { ...input, purpose: 'email_change', subject: ids.uid, decoy, demand });
}

export function sendVerification(deps: Deps, app: App, ids: SessionIds, input: CodeRequest): Promise<string> {
  const demand = (tx: Tx) => lockUserOfCall(tx, ids);
  return sendCode(deps, app, { ...input, purpose: 'verification', subject: ids.uid, demand });
}

/**
 * Checks the code of the flow; without a flow, that of a pending change of email, else that of the verification. The guess
 * counts against the checked code.
 */
export function confirmEmail(
  deps: Deps,
  app: App,
  ids: SessionIds,
  input: Confirmer & CodeGuess,
): Promise<UserRow> {
  const own = ownEntry(ids, input.ipAddress);
  const failure = { ...own, action: 'user.email_confirmation_failed', method: 'email_code' } as const;
  return recordFailures(deps, failure, () => confirmWithCode(deps, app, ids, input));
}

async function confirmWithCode(
  deps: Deps,
  app: App,
  ids: SessionIds,
  input: Confirmer & CodeGuess,
): Promise<UserRow> {
  const { appId, uid } = ids;
  const purpose = await purposeToConfirm(deps, appId, uid, input.flow);
  const key = { appId, purpose, subject: uid };
  const flow = await knownFlow(deps, key, input.flow);
  const code = await deps.limiter.countFailure(app, { uid }, () =>
    verifyCode(deps, key, { code: input.code, flow }),
  );
  const confirm = purpose === 'email_change' ? confirmChange : confirmVerification;
  const user = await code.authorize(() => confirm(deps, app, ids, code, input));
  deps.queue.wake();
  return user;
}

async function confirmChange(
  deps: Deps,
  app: App,
  ids: SessionIds,
  code: ProvenCode,
  { language, ipAddress }: Confirmer,
): Promise<UserRow> {
  try {
    return await deps.prisma.$transaction(async (tx) => {
      const account = await lockUserOfCall(tx, ids);
      // First: to a second call with the same code the email is in use, by this very account.
      await code.spend(tx);
      const user = await changeEmail(tx, deps, app.id, account, code.email);
      if (!user) throw emailInUse();
      await writeAuditEntry(tx, deps, { ...ownEntry(ids, ipAddress), action: 'user.email_changed' });
      await queueMail(tx, deps, app, { kind: 'email_changed', to: account.email, language });
      return user;
    });
  } catch (error) {
    // Taken by a call that had not yet committed when this one looked.
    throw uniqueViolation(error) === 'users_app_id_email_key' ? emailInUse() : error;
  }
}

async function confirmVerification(
  deps: Deps,
  app: App,
  ids: SessionIds,
  code: ProvenCode,
  { ipAddress }: Confirmer,
): Promise<UserRow> {
  return deps.prisma.$transaction(async (tx) => {
    const account = await lockUserOfCall(tx, ids);
    const user = await verifyEmail(tx, deps, app.id, account, code.email);
    // The email was changed after the code was sent to the previous one.
    if (!user) throw new ApiError('auth/invalid-code');
    await code.spend(tx);
    await writeAuditEntry(tx, deps, { ...ownEntry(ids, ipAddress), action: 'user.email_verified' });
    return user;
  });
}
