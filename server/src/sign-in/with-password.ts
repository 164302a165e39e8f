// Sign-up and sign-in with email and password. POST /auth/sign-up also signs in, the registration of v1 does not.
import { emailInUse, findAccountByEmail } from '../accounts/account.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import { strongPassword } from '../passwords/strong-password.js';
import { withVerifiedPassword } from '../passwords/verify-password.js';
import { finishSignIn } from '../second-factor/finish-sign-in.js';
import { type SignedIn, startSession } from '../sessions/start-session.js';
import { countSignUp } from '../sign-up/count-sign-up.js';
import { createUserWithSession, type UserDraft } from '../sign-up/create-user.js';

export async function signInWithPassword(
  deps: Deps,
  call: Call,
  input: { email: string; password: string },
): Promise<SignedIn> {
  const started = await withVerifiedPassword(deps, call, input, (credential) =>
    startSession(deps, call, { method: 'password', credential }),
  );
  return finishSignIn(deps, call.app, started);
}

export type SignUp = { email: string; password: string; firstName: string | null; lastName: string | null };

export async function signUp(deps: Deps, call: Call, input: SignUp): Promise<SignedIn> {
  const { app, ip } = call;
  const signUp = await requireNewAccount(deps, app, input);
  const started = await countSignUp(deps, app, { ip, isProven: false }, async () => {
    const user = await buildAccount(deps, call, signUp);
    return createUserWithSession(deps.query, deps, call, { method: 'password', user });
  });
  if (!started) throw emailInUse();
  return finishSignIn(deps, app, started);
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
  { app, ip }: Pick<Call, 'app' | 'ip'>,
  input: SignUp,
): Promise<UserDraft> {
  const passwordHash = await deps.passwordHasher.hash(input.password, { appId: app.id, ip });
  const { email, firstName, lastName } = input;
  return { email, emailVerified: false, emailProven: false, firstName, lastName, passwordHash };
}
