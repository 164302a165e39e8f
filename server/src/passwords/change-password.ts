// PUT /me/password: requires a recent sign-in or the current password; ends every other session.
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { recordFailures } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import type { App } from '../model/app.js';
import { signedInRecently } from '../model/recent-sign-in.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { findAccountById } from '../users/account.js';
import { strongPassword } from './strong-password.js';
import { verifyPassword } from './verify-password.js';
import { type PasswordWrite, writePassword } from './write-password.js';

export type PasswordChange = {
  password: string;
  currentPassword: string | undefined;
  session: { uid: string; sessionId: string; authTime: Date };
  language: string | undefined;
  ipAddress: string | null;
};

export async function changePassword(deps: Deps, app: App, input: PasswordChange): Promise<void> {
  const password = await strongPassword(app, input.password);
  const recent = signedInRecently(deps, { app, session: input.session });
  if (!recent && input.currentPassword === undefined) throw new ApiError('auth/requires-recent-login');
  const { uid, sessionId } = input.session;
  const { currentPassword, language } = input;
  const own = ownEntry({ appId: app.id, uid }, input.ipAddress);

  const caller = { appId: app.id, ipAddress: input.ipAddress };
  let passwordHash: string | undefined;
  await retryConflicts('the account kept changing', async () => {
    const account = await findAccountById(deps.query, app.id, uid);
    if (account === null) throw new ApiError('auth/invalid-token');
    if (currentPassword !== undefined) {
      const failure = { ...own, action: 'user.reauthentication_failed', method: 'password' } as const;
      await recordFailures(deps, failure, () =>
        deps.limiter.countFailure(app, { uid }, async ({ hasEarlier: hasFailures }) => {
          const verified = await verifyPassword(deps, account, currentPassword, { ...caller, hasFailures });
          if (!verified) throw new ApiError('auth/invalid-credential');
        }),
      );
    }
    passwordHash ??= await deps.passwordHasher.hash(password, caller);
    const write: PasswordWrite = {
      passwordHash,
      emailProven: false,
      reason: 'changed',
      language,
      spare: sessionId,
    };
    return deps.prisma.$transaction(async (tx) => {
      await lockUserOfCall(tx, { appId: app.id, uid, sessionId });
      if (!(await writePassword(tx, deps, app, account, write))) return null;
      await writeAuditEntry(tx, deps, { ...own, action: 'user.password_changed' });
      return true;
    });
  });
  deps.queue.wake();
}
