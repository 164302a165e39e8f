// Verifies an email and password, with the limits of failures and their audit entries, and starts what the credential
// authorizes: a session, a v1 token, or the acceptance of an invitation.
import { anonymous, recordFailures } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import type { App } from '../model/app.js';
import { knownDevice } from '../tokens/device-token.js';
import { findAccountByEmail } from '../users/account.js';
import type { VerifiedCredential } from '../users/update-fragments.js';
import { fitsWhole, normalisedPassword } from './password-rules.js';
import { verifyPassword } from './verify-password.js';

export type PasswordAttempt = { email: string; password: string; deviceToken?: string | null };

/** `start` returns null when the credential changed since it was verified; then it is verified again. */
export function withVerifiedPassword<T>(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  input: PasswordAttempt,
  start: (credential: VerifiedCredential) => Promise<T | null>,
): Promise<T> {
  const { email } = input;
  const actor = anonymous(ipAddress);
  const action = 'user.sign_in_failed';
  return recordFailures(deps, { appId: app.id, actor, action, email, method: 'password' }, () =>
    verifyAndStart(deps, app, ipAddress, input, start),
  );
}

async function verifyAndStart<T>(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  input: PasswordAttempt,
  start: (credential: VerifiedCredential) => Promise<T | null>,
): Promise<T> {
  const { email, password, deviceToken = null } = input;
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
    const rehash = () => deps.passwordHasher.hash(normalisedPassword(password), { appId: app.id, ipAddress });
    const started = await start({
      uid,
      credentialVersion,
      newPasswordHash: outdated ? await rehash() : null,
    });
    if (started === null) account = await findAccountByEmail(deps.query, app.id, email);
    return started;
  });
}
