// POST /auth/password/forgot and /auth/password/reset, and those of v1: mails a code, and sets a password with it, which ends
// every session.
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { anonymous, recordFailures } from '../audit/record-failure.js';
import { deleteCodesOf } from '../codes/live-code.js';
import { type CodeRequest, sendCode } from '../codes/send-code.js';
import { type CodeGuess, knownFlow, verifyCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import type { App } from '../model/app.js';
import { knownDevice } from '../tokens/device-token.js';
import { findAccountByEmail } from '../users/account.js';
import { confirmEmailOwnership } from '../users/email-ownership.js';
import { strongPassword } from './strong-password.js';
import { writePassword } from './write-password.js';

export type PasswordReset = CodeGuess & {
  email: string;
  password: string;
  ipAddress: string | null;
  deviceToken: string | null;
  ownUid: string | null;
  language: string | undefined;
};

/** Returns the flow of the code. An email without an account gets a decoy. */
export function forgotPassword(deps: Deps, app: App, input: CodeRequest): Promise<string> {
  const { email } = input;
  const decoy = async () => (await findAccountByEmail(deps.query, app.id, email)) === null;
  return sendCode(deps, app, { ...input, purpose: 'reset', subject: email, decoy });
}

/** Returns the uid of the account. */
export function resetPassword(deps: Deps, app: App, input: PasswordReset): Promise<string> {
  const { email, ipAddress } = input;
  const actor = anonymous(ipAddress);
  const action = 'user.password_reset_failed';
  return recordFailures(deps, { appId: app.id, actor, action, email, method: 'email_code' }, () =>
    resetWithCode(deps, app, input),
  );
}

async function resetWithCode(deps: Deps, app: App, input: PasswordReset): Promise<string> {
  const { email, ipAddress, language } = input;
  // Before the code is checked, so that a weak password costs no guess.
  const password = await strongPassword(app, input.password);
  let account = await findAccountByEmail(deps.query, app.id, email);
  const key = { appId: app.id, purpose: 'reset', subject: email } as const;
  const flow = await knownFlow(deps, key, input.flow);
  const verify = () => verifyCode(deps, key, { code: input.code, flow });
  const device = knownDevice(deps, app.id, account, input.deviceToken);
  const guessed = device ?? { email, ipAddress, proof: 'code' as const };
  // The guesses at the code of a flow are counted with that code, so that no other client can use them up.
  const code = await (flow === null ? deps.limiter.countFailure(app, guessed, verify) : verify());

  let passwordHash: string | undefined;
  const attempt = async () => {
    // A decoy was guessed by chance, or the account is gone: refused like any wrong code.
    if (account === null) throw new ApiError('auth/invalid-code');
    if (account.disabled) throw new ApiError('auth/user-disabled');
    passwordHash ??= await deps.passwordHasher.hash(password, { appId: app.id, ipAddress });
    const change = { passwordHash, emailProven: true, reason: 'reset' as const, language };
    const found = account;
    const done = await deps.prisma.$transaction(async (tx) => {
      const proof = { by: 'reset' as const, ownSession: input.ownUid === found.uid, language, ipAddress };
      const credentialVersion = await confirmEmailOwnership(tx, deps, app, found, proof);
      if (credentialVersion === null) return false;
      if (!(await writePassword(tx, deps, app, { ...found, credentialVersion }, change))) return false;
      await code.spend(tx);
      await deleteCodesOf(tx, app.id, [found.uid]);
      const own = ownEntry({ appId: app.id, uid: found.uid }, ipAddress);
      await writeAuditEntry(tx, deps, { ...own, action: 'user.password_reset' });
      return true;
    });
    if (done) deps.queue.wake();
    else account = await findAccountByEmail(deps.query, app.id, email);
    return done ? found.uid : null;
  };
  return code.authorize(() => retryConflicts('the account kept changing', attempt));
}
