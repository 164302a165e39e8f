// Verifies the password of an account, with the same work whether or not there is one.
import type { Deps, HashCaller } from '../deps.js';
import type { Account } from '../users/account.js';

export type VerifiedAccount = Account & { passwordHash: string };

/** Null for no account, an account without a password, and a wrong password. */
export async function verifyPassword(
  deps: Pick<Deps, 'passwordHasher'>,
  account: Account | null,
  typed: string,
  caller: HashCaller,
): Promise<VerifiedAccount | null> {
  const passwordHash = account?.passwordHash ?? deps.passwordHasher.decoyHash;
  const matches = await deps.passwordHasher.verify(passwordHash, typed, caller);
  return matches && account?.passwordHash ? { ...account, passwordHash } : null;
}
