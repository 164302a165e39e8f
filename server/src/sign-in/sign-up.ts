// An account with email and password: POST /auth/sign-up signs it in at once, its twin in v1 does not.
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { strongPassword } from '../passwords/strong-password.js';
import type { Client } from '../sessions/start-session.js';
import type { TokenAnswer } from '../tokens/token-answer.js';
import { createUserWithSession, type UserDraft } from '../users/create-user.js';
import { emailInUse } from '../users/email-in-use.js';
import { emailHasAccount } from '../users/prove-password.js';

export type SignUp = { email: string; password: string; firstName: string | null; lastName: string | null };

export async function signUp(deps: Deps, app: App, client: Client, input: SignUp): Promise<TokenAnswer> {
  const draft = await draftAccount(deps, app, client.ipAddress, input);
  const answer = await createUserWithSession(deps.query, deps, app, client, 'password', draft);
  if (!answer) throw emailInUse();
  return answer;
}

/** The account as it is to be made, its password hashed; refuses one that cannot be made. */
export async function draftAccount(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  input: SignUp,
): Promise<UserDraft> {
  const password = strongPassword(input.password);
  // A taken email is refused before the hash is paid for; a race for it is decided by the insert.
  if (app.settings.sign_up === 'closed') throw new ApiError('auth/operation-not-allowed');
  if (await emailHasAccount(deps, app, input.email)) throw emailInUse();
  const passwordHash = await deps.passwordHasher.hash(password, { appId: app.id, ipAddress });
  const { email, firstName, lastName } = input;
  return { email, emailVerified: false, emailProven: false, firstName, lastName, passwordHash };
}
