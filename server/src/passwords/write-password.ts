// Sets a password and ends the other sessions.
import type { Tx } from '@foyer/prisma';
import type { Account } from '../accounts/account.js';
import { setPassword } from '../accounts/change-account.js';
import type { Deps } from '../deps.js';
import { endSessionsAfterRaise } from '../sessions/end-sessions.js';

export type PasswordWrite = {
  passwordHash: string;
  reason: 'reset' | 'changed';
  /** The session that is not ended. */
  exceptSessionId?: string;
};

/** Returns false, with nothing changed, when the account's credentials changed since it was read. */
export async function writePassword(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  account: Account,
  { exceptSessionId, ...write }: PasswordWrite,
): Promise<boolean> {
  if (!(await setPassword(tx, deps, account, write))) return false;
  const reason = write.reason === 'reset' ? 'password_reset' : 'password_change';
  await endSessionsAfterRaise(tx, deps, account, {
    reason,
    ...(exceptSessionId !== undefined && { exceptSessionId }),
  });
  return true;
}
