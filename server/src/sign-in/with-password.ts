// Signing in with email and password: POST /auth/sign-in starts a session with it, and its twin in v1 a token.
import { anonymous, recordFailures } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import type { Client } from '../model/session.js';
import { fitsWhole, normalisedPassword } from '../passwords/password-rules.js';
import { buildSession, type Proof, type SignedIn, startSession } from '../sessions/start-session.js';
import { knownDevice } from '../tokens/device-token.js';
import { accountByEmail } from '../users/find-account.js';
import { provePassword } from '../users/prove-password.js';

/** Each further try means that the credentials changed between proof and start; nobody changes them that often. */
const maxProofs = 3;

export type PasswordSignIn = { email: string; password: string };
type PasswordAttempt = PasswordSignIn & { deviceToken?: string | null };

export function signInWithPassword(
  deps: Deps,
  app: App,
  client: Client,
  input: PasswordSignIn,
): Promise<SignedIn> {
  const { ipAddress, deviceToken } = client;
  return withProvenPassword(deps, app, ipAddress, { ...input, deviceToken }, (proof) =>
    startSession(deps, app, buildSession(deps, app, client, 'password'), proof),
  );
}

/** `start` answers null when the credential no longer is what was proven; then it is proven once more. */
export function withProvenPassword<T>(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  input: PasswordAttempt,
  start: (proof: Proof) => Promise<T | null>,
): Promise<T> {
  const { email } = input;
  const actor = anonymous(ipAddress);
  const action = 'user.sign_in_failed';
  return recordFailures(deps, { appId: app.id, actor, action, email, method: 'password' }, () =>
    proveAndStart(deps, app, ipAddress, input, start),
  );
}

async function proveAndStart<T>(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  input: PasswordAttempt,
  start: (proof: Proof) => Promise<T | null>,
): Promise<T> {
  const { email, password, deviceToken = null } = input;
  let account = await accountByEmail(deps, app, email);
  const device = knownDevice(deps, app.id, account, deviceToken);
  // Counted before the proof, so that parallel guesses cannot outrun the count; a right one is taken back.
  const failure = await deps.limiter.consumeFailure(app, device ?? { email, ipAddress, proof: 'password' });
  const caller = { appId: app.id, ipAddress, hasFailures: failure.hasEarlier };
  for (let proofs = 0; proofs < maxProofs; proofs += 1) {
    const proof = await provePassword(deps, account, password, caller).catch(async (error) => {
      // Nothing was judged, so nothing was guessed.
      await failure.refund();
      throw error;
    });
    if (!proof) throw new ApiError('auth/invalid-credential');
    await failure.refund();
    if (proof.disabled) throw new ApiError('auth/user-disabled');
    const { passwordHash } = proof;
    const outdated = deps.passwordHasher.isOutdated(passwordHash) && fitsWhole(passwordHash, password);
    const rehash = () => deps.passwordHasher.hash(normalisedPassword(password), { appId: app.id, ipAddress });
    const started = await start({
      uid: proof.uid,
      credentialVersion: proof.credentialVersion,
      newPasswordHash: outdated ? await rehash() : null,
    });
    if (started) return started;
    account = await accountByEmail(deps, app, email);
  }
  throw new ApiError('request/unavailable', { retryAfterSeconds: 1, cause: 'the credentials kept changing' });
}
