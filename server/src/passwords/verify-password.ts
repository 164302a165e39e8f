// Verifies passwords, with the same work whether or not there is an account, and starts what a verified password authorizes.
import { anonymous, recordFailures } from '../audit/record-failure.js';
import type { Deps, HashCaller } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import type { App } from '../model/app.js';
import { knownDevice } from '../tokens/device-token.js';
import { type Account, findAccountByEmail } from '../users/account.js';
import type { VerifiedCredential } from '../users/update-fragments.js';
import { fitsWhole, normalisedPassword } from './password-rules.js';

/** Null for no account, an account without a password, and a wrong password. */
export async function verifyPassword(
  deps: Pick<Deps, 'passwordHasher'>,
  account: Account | null,
  typed: string,
  caller: HashCaller,
): Promise<(Account & { passwordHash: string }) | null> {
  const passwordHash = account?.passwordHash ?? deps.passwordHasher.decoyHash;
  const matches = await deps.passwordHasher.verify(passwordHash, typed, caller);
  return matches && account?.passwordHash ? { ...account, passwordHash } : null;
}

export type PasswordAttempt = { email: string; password: string; deviceToken?: string | null };

/**
 * Verifies an email and password, with the limits of failures and their audit entries, and starts what the credential
 * authorizes: a session, a v1 token, or the acceptance of an invitation. `start` returns null when the credential changed
 * since it was verified; then it is verified again.
 */
export function withVerifiedPassword<T>(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  { email, password, deviceToken = null }: PasswordAttempt,
  start: (credential: VerifiedCredential) => Promise<T | null>,
): Promise<T> {
  const actor = anonymous(ipAddress);
  const action = 'user.sign_in_failed';
  return recordFailures(deps, { appId: app.id, actor, action, email, method: 'password' }, async () => {
    let account = await findAccountByEmail(deps.query, app.id, email);
    const device = knownDevice(deps, app.id, account, deviceToken);
    // Counted before the verification, so that parallel guesses cannot outrun the count; a right one is refunded.
    const failure = await deps.limiter.consumeFailure(app, device ?? { email, ipAddress, proof: 'password' });
    const caller = { appId: app.id, ipAddress, hasFailures: failure.hasEarlier };
    return retryConflicts('the credentials kept changing', async () => {
      const verified = await verifyPassword(deps, account, password, caller).catch(async (error) => {
        // Nothing was verified, so this was no guess.
        await failure.refund();
        throw error;
      });
      if (!verified) throw new ApiError('auth/invalid-credential');
      await failure.refund();
      if (verified.disabled) throw new ApiError('auth/user-disabled');
      const { uid, credentialVersion, passwordHash } = verified;
      const outdated = deps.passwordHasher.isOutdated(passwordHash) && fitsWhole(passwordHash, password);
      const newPasswordHash = outdated
        ? await deps.passwordHasher.hash(normalisedPassword(password), { appId: app.id, ipAddress })
        : null;
      const started = await start({ uid, credentialVersion, newPasswordHash });
      if (started === null) account = await findAccountByEmail(deps.query, app.id, email);
      return started;
    });
  });
}
