// Writes a new password with all that follows: the credential version, the sessions that end, the event and the notice.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { queueMail } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import { endSessionsAfterRaise } from '../sessions/end-sessions.js';
import type { Account } from '../users/account.js';
import { setPassword } from '../users/change-account.js';

export type PasswordWrite = {
  passwordHash: string;
  /** The password comes with a mailed code. */
  emailProven: boolean;
  reason: 'reset' | 'changed';
  language: string | undefined;
  /** The one session that stays. */
  spare?: string;
};

/** False, with nothing changed, when the account is no longer as it was looked at. */
export async function writePassword(
  tx: Prisma.TransactionClient,
  deps: Deps,
  app: App,
  account: Account,
  write: PasswordWrite,
): Promise<boolean> {
  if (!(await setPassword(tx, deps, app.id, account, write))) return false;
  const ids = { appId: app.id, uid: account.uid };
  const reason = write.reason === 'reset' ? 'password_reset' : 'password_change';
  await endSessionsAfterRaise(tx, deps, ids, reason, write.spare ?? null);
  await queueMail(tx, deps, app, { kind: 'password_changed', to: account.email, language: write.language });
  return true;
}
