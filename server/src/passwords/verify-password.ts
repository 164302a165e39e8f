// Verifies passwords, with the same work whether or not there is an account, and starts what a verified password authorizes.
import { fitsWhole, type HashCaller, normalisedPassword } from '../../engines/hashing/index.js';
import type { Guessed } from '../../engines/limiter/index.js';
import { type Account, findAccountByEmail } from '../accounts/account.js';
import type { VerifiedCredential } from '../accounts/update-fragments.js';
import { recordFailures } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import type { Call } from '../model/call.js';
import { knownDevice } from '../tokens/device-token.js';

/** Returns null for no account, an account without a password, and a wrong password. */
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

/**
 * Verifies an email and password, with the limits of failures and their audit entries, and starts what the credential
 * authorizes: a session, a v1 token, or the acceptance of an invitation. `start` returns null when the credential changed
 * since it was verified; then it is verified again.
 */
export function withVerifiedPassword<T>(
  deps: Deps,
  call: Pick<Call, 'app' | 'actor' | 'ip' | 'deviceToken'>,
  { email, password }: { email: string; password: string },
  start: (credential: VerifiedCredential) => Promise<T | null>,
): Promise<T> {
  const { app, ip } = call;
  const failure = { action: 'user.sign_in_failed', email, method: 'password' } as const;
  return recordFailures(deps, call, failure, async () => {
    let account = await findAccountByEmail(deps.query, app.id, email);
    const device = knownDevice(deps, app.id, account, call.deviceToken);
    // Counted before the verification, so that parallel guesses cannot outrun the count; a right one is refunded.
    const counted = await deps.limiter.consumeFailure(app, device ?? { email, ip, proof: 'password' });
    const caller = { appId: app.id, ip, hasFailures: counted.hasEarlier };
    return retryConflicts('the credentials kept changing', async () => {
      const verified = await verifyPassword(deps, account, password, caller).catch(async (error) => {
        // Nothing was verified, so this was no guess.
        await counted.refund();
        throw error;
      });
      if (!verified) throw new ApiError('auth/invalid-credential');
      await counted.refund();
      if (verified.disabled) throw new ApiError('auth/user-disabled');
      const { uid, credentialVersion, passwordHash } = verified;
      const outdated = deps.passwordHasher.isOutdated(passwordHash) && fitsWhole(passwordHash, password);
      const newPasswordHash = outdated
        ? await deps.passwordHasher.hash(normalisedPassword(password), { appId: app.id, ip })
        : null;
      const started = await start({ uid, credentialVersion, newPasswordHash });
      if (started === null) account = await findAccountByEmail(deps.query, app.id, email);
      return started;
    });
  });
}

/** Verifies the password of a user who is signed in; throws `auth/invalid-credential`. */
export async function requirePassword(
  deps: Deps,
  { app, ip }: Pick<Call, 'app' | 'ip'>,
  account: Account | null,
  { password, guesser }: { password: string; guesser: Guessed },
): Promise<void> {
  await deps.limiter.countFailure(app, guesser, async ({ hasEarlier: hasFailures }) => {
    const verified = await verifyPassword(deps, account, password, { appId: app.id, ip, hasFailures });
    if (!verified) throw new ApiError('auth/invalid-credential');
  });
}
