// Sign-up and sign-in with email and password. POST /auth/sign-up also signs in, the registration of v1 does not.
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import type { Client } from '../model/session.js';
import { strongPassword } from '../passwords/strong-password.js';
import { withVerifiedPassword } from '../passwords/verify-password.js';
import { buildSession } from '../sessions/new-session.js';
import { countSignIn, type SignedIn, startSession } from '../sessions/start-session.js';
import { emailInUse, findAccountByEmail } from '../users/account.js';
import { countSignUp } from '../users/count-sign-up.js';
import { createUserWithSession, type UserDraft } from '../users/create-user.js';

export async function signInWithPassword(
  deps: Deps,
  app: App,
  client: Client,
  input: { email: string; password: string },
): Promise<SignedIn> {
  const { ipAddress, deviceToken } = client;
  const started = await withVerifiedPassword(deps, app, ipAddress, { ...input, deviceToken }, (credential) =>
    startSession(deps, app, buildSession(deps, app, client, credential.uid, 'password'), credential),
  );
  return countSignIn(deps, app, 'password', started);
}

export type SignUp = { email: string; password: string; firstName: string | null; lastName: string | null };

export async function signUp(deps: Deps, app: App, client: Client, input: SignUp): Promise<SignedIn> {
  const signUp = await requireNewAccount(deps, app, input);
  const signedIn = await countSignUp(deps, app, async () => {
    const draft = await buildAccount(deps, app, client.ipAddress, signUp);
    return createUserWithSession(deps.query, deps, app, client, 'password', draft);
  });
  if (!signedIn) throw emailInUse();
  return countSignIn(deps, app, 'password', signedIn);
}

/**
 * Rejects a sign-up that cannot succeed before the password is hashed; a race for the email is decided by the insert. Returns
 * the sign-up with its password normalised.
 */
export async function requireNewAccount(deps: Deps, app: App, input: SignUp): Promise<SignUp> {
  const password = await strongPassword(app, input.password);
  if (app.settings.sign_up === 'closed') throw new ApiError('auth/operation-not-allowed');
  if (await findAccountByEmail(deps.query, app.id, input.email)) throw emailInUse();
  return { ...input, password };
}

/** The account to insert, with its password hashed. */
export async function buildAccount(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  input: SignUp,
): Promise<UserDraft> {
  const passwordHash = await deps.passwordHasher.hash(input.password, { appId: app.id, ipAddress });
  const { email, firstName, lastName } = input;
  return { email, emailVerified: false, emailProven: false, firstName, lastName, passwordHash };
}
