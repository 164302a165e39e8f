// Proves a password, with the same work whether or not there is an account.
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { type Account, findAccountByEmail } from './store.js';

export type PasswordProof = {
  uid: string;
  credentialVersion: number;
  disabled: boolean;
  passwordHash: string;
};

/** Null for no account, an account without a password, and a wrong password. */
export async function provePassword(
  deps: Pick<Deps, 'passwordHasher'>,
  account: Account | null,
  typed: string,
  caller: { appId: string; ipAddress: string | null; hasFailures: boolean },
): Promise<PasswordProof | null> {
  const passwordHash = account?.passwordHash ?? deps.passwordHasher.decoyHash;
  const fits = await deps.passwordHasher.verify(passwordHash, typed, caller);
  if (!fits || !account?.passwordHash) return null;
  return { ...account, passwordHash };
}

/** Whether the email has an account; sign-up alone says so, as the specification demands. */
export async function emailHasAccount(deps: Pick<Deps, 'query'>, app: App, email: string): Promise<boolean> {
  return (await findAccountByEmail(deps.query, app.id, email)) !== null;
}
