// Verification of the present email, and the one confirmation for it and for a change of email. Specification "Account".
import type { App } from '../apps/app.js';
import { meantPurpose } from '../codes/live-code.js';
import { type ProvenCode, proveCode } from '../codes/prove-code.js';
import { type CodeSent, codeSent, demandMailer, sendCode } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { queueMail } from '../mail/queue-mail.js';
import { type Account, accountById } from '../users/find-account.js';
import { changeEmail, verifyEmail } from '../users/settle-email.js';
import type { UserRow } from '../users/user.js';
import { emailInUse } from './change-email.js';

export async function sendVerification(
  deps: Deps,
  app: App,
  input: { uid: string; email: string; language: string | undefined; ipAddress: string | null },
): Promise<CodeSent> {
  demandMailer(deps);
  const { uid, email, language } = input;
  if (!(await deps.limiter.allowsMail(app, email, input.ipAddress))) return codeSent;
  return sendCode(deps, app, { purpose: 'verification', subject: uid, email, decoy: false, language });
}

/** Judges a change of email that is under way, else the verification; the guess counts against the one that is judged. */
export async function confirmEmail(
  deps: Deps,
  app: App,
  input: { uid: string; code: string; language: string | undefined },
): Promise<UserRow> {
  const { uid, language } = input;
  const failures = await deps.limiter.takeFailures(app, { uid });
  const purpose = await meantPurpose(deps, app.id, uid);
  const code = await proveCode(deps, { appId: app.id, purpose, subject: uid }, input.code);
  await failures.giveBack();

  const account = await accountById(deps, app, uid);
  if (account === null) throw new ApiError('auth/invalid-token');
  const user =
    purpose === 'email_change'
      ? await confirmChange(deps, app, account, code, language)
      : await confirmVerification(deps, app, account, code);
  deps.queue.nudge();
  return user;
}

async function confirmChange(
  deps: Deps,
  app: App,
  account: Account,
  code: ProvenCode,
  language: string | undefined,
): Promise<UserRow> {
  return deps.prisma.$transaction(async (tx) => {
    const user = await changeEmail(tx, deps, app, account.uid, code.email);
    if (!user) throw emailInUse();
    await code.spend(tx);
    await queueMail(tx, deps, app, { kind: 'email_changed', to: account.email, language });
    return user;
  });
}

async function confirmVerification(
  deps: Deps,
  app: App,
  account: Account,
  code: ProvenCode,
): Promise<UserRow> {
  return deps.prisma.$transaction(async (tx) => {
    const user = await verifyEmail(tx, deps, app, account, code.email);
    // The address was changed after the code was mailed to the one before: it verifies nothing any more.
    if (!user) throw new ApiError('auth/invalid-code');
    await code.spend(tx);
    return user;
  });
}
