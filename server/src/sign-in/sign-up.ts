// POST /auth/sign-up: an account with email and password, signed in at once.
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { judgeNewPassword, normalisedPassword } from '../passwords/password-rules.js';
import type { Client } from '../sessions/start-session.js';
import type { TokenAnswer } from '../tokens/token-answer.js';
import { createUserWithSession } from '../users/create-user.js';
import { emailHasAccount } from '../users/prove-password.js';

export type SignUp = { email: string; password: string; firstName: string | null; lastName: string | null };

export async function signUp(deps: Deps, app: App, client: Client, input: SignUp): Promise<TokenAnswer> {
  const password = normalisedPassword(input.password);
  if (judgeNewPassword(password) === 'weak') {
    throw new ApiError('auth/weak-password', { fields: { password: ['must have at least 8 characters'] } });
  }
  // A taken email is refused before the hash is paid for; a race for it is decided by the insert.
  if (await emailHasAccount(deps, app, input.email)) {
    throw new ApiError('auth/email-already-in-use', { fields: { email: ['is already in use'] } });
  }
  const passwordHash = await deps.passwordHasher.hash(password);
  const { email, firstName, lastName } = input;
  return createUserWithSession(deps, app, client, 'password', {
    email,
    emailVerified: false,
    firstName,
    lastName,
    passwordHash,
  });
}
