// Sets a password, ends the other sessions and sends the notice.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { queueMail } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import { endSessionsAfterRaise } from '../sessions/end-sessions.js';
import type { Account } from '../users/account.js';
import { setPassword } from '../users/change-account.js';

export type PasswordWrite = {
  passwordHash: string;
  /** The password is set with an emailed code. */
  emailProven: boolean;
  reason: 'reset' | 'changed';
  language: string | undefined;
  /** The session that is not ended. */
  spare?: string;
};

/** False, with nothing changed, when the account's credentials changed since it was read. */
export async function writePassword(
  tx: Tx,
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
