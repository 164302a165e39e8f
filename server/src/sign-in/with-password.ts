// POST /auth/sign-in: proves email and password and starts a session.
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { normalisedPassword } from '../passwords/password-rules.js';
import { type Client, draftSession, startSession } from '../sessions/start-session.js';
import type { TokenAnswer } from '../tokens/token-answer.js';
import { provePassword } from '../users/prove-password.js';

/** Each further try means that the credentials changed between proof and start; nobody changes them that often. */
const mostProofs = 3;

export async function signInWithPassword(
  deps: Deps,
  app: App,
  client: Client,
  input: { email: string; password: string },
): Promise<TokenAnswer> {
  // Counted before the proof, so that parallel guesses cannot outrun the count; a right one is taken back.
  const failures = await deps.limiter.takeFailures(app, { email: input.email, ipAddress: client.ipAddress });
  const password = normalisedPassword(input.password);
  for (let proofs = 0; proofs < mostProofs; proofs += 1) {
    const proof = await provePassword(deps, app, input.email, password).catch(async (error) => {
      // Nothing was judged, so nothing was guessed.
      await failures.giveBack();
      throw error;
    });
    if (!proof) throw new ApiError('auth/invalid-credential');
    await failures.giveBack();
    if (proof.disabled) throw new ApiError('auth/user-disabled');
    const outdated = deps.passwordHasher.isOutdated(proof.passwordHash);
    const answer = await startSession(deps, app, draftSession(deps, app, client, 'password'), {
      uid: proof.uid,
      credentialVersion: proof.credentialVersion,
      newPasswordHash: outdated ? await deps.passwordHasher.hash(password) : null,
    });
    if (answer) return answer;
  }
  throw new ApiError('request/unavailable', { retryAfterSeconds: 1, cause: 'the credentials kept changing' });
}
