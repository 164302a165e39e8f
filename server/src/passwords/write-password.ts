// Sets a password and ends the other sessions.
import type { Tx } from '@foyer/prisma';
import type { Account } from '../accounts/account.js';
import { setPassword } from '../accounts/change-account.js';
import type { Deps } from '../deps.js';
import { endSessionsAfterRaise } from '../sessions/end-sessions.js';
import type { DeviceOwner } from '../tokens/device-token.js';

export type PasswordWrite = {
  passwordHash: string;
  reason: 'reset' | 'changed';
  /** The session that is not ended. */
  exceptSessionId?: string;
};

/**
 * Returns what new device tokens are bound to; null, with nothing changed, when the account's credentials changed since it was
 * read.
 */
export async function writePassword(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  account: Account,
  { exceptSessionId, ...write }: PasswordWrite,
): Promise<DeviceOwner | null> {
  if (!(await setPassword(tx, deps, account, write))) return null;
  const reason = write.reason === 'reset' ? 'password_reset' : 'password_change';
  await endSessionsAfterRaise(tx, deps, account, {
    reason,
    ...(exceptSessionId !== undefined && { exceptSessionId }),
  });
  return { uid: account.uid, credentialVersion: account.credentialVersion + 1 };
}
