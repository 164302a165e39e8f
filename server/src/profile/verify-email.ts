// Verification of the current email, and the confirmation of it and of a change of email. Specification "Account".
import { uniqueViolation } from '@foyer/prisma';
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { recordFailures } from '../audit/record-failure.js';
import { newFlow } from '../codes/code-flow.js';
import { meantPurpose } from '../codes/live-code.js';
import { mayMailCode } from '../codes/mail-budget.js';
import { requireMailer, sendCode } from '../codes/send-code.js';
import { type CodeGuess, type ProvenCode, verifyCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { queueMail } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import type { UserRow } from '../model/user.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { emailInUse } from '../users/account.js';
import { changeEmail, verifyEmail } from '../users/change-account.js';

/** Returns the flow of the code. */
export async function sendVerification(
  deps: Deps,
  app: App,
  ids: CallIds,
  input: { email: string; language: string | undefined; ipAddress: string | null },
): Promise<string> {
  requireMailer(deps);
  const { email, language } = input;
  if (!(await mayMailCode(deps, app, { ...input, purpose: 'verification' }))) return newFlow(deps);
  return sendCode(deps, app, {
    purpose: 'verification',
    subject: ids.uid,
    email,
    decoy: false,
    demand: (tx) => lockUserOfCall(tx, ids),
    language,
  });
}

/** The language of the notice, and the IP address of the call. */
type Confirmer = { language: string | undefined; ipAddress: string | null };

type CallIds = { appId: string; uid: string; sessionId: string };

/**
 * Checks the code of the flow; without a flow, that of a pending change of email, else that of the verification. The guess
 * counts against the checked code.
 */
export function confirmEmail(
  deps: Deps,
  app: App,
  ids: CallIds,
  input: Confirmer & CodeGuess,
): Promise<UserRow> {
  const own = ownEntry(ids, input.ipAddress);
  const failure = { ...own, action: 'user.email_confirmation_failed', method: 'email_code' } as const;
  return recordFailures(deps, failure, () => confirmWithCode(deps, app, ids, input));
}

async function confirmWithCode(
  deps: Deps,
  app: App,
  ids: CallIds,
  input: Confirmer & CodeGuess,
): Promise<UserRow> {
  const { appId, uid } = ids;
  const purpose = await meantPurpose(deps, appId, uid, input.flow);
  const code = await deps.limiter.countFailure(app, { uid }, () =>
    verifyCode(deps, { appId, purpose, subject: uid }, input),
  );
  const user =
    purpose === 'email_change'
      ? await confirmChange(deps, app, ids, code, input)
      : await confirmVerification(deps, app, ids, code, input);
  deps.queue.wake();
  return user;
}

async function confirmChange(
  deps: Deps,
  app: App,
  ids: CallIds,
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
  ids: CallIds,
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
