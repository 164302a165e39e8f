// POST /auth/sign-in: starts a session with email and password.
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import type { Client } from '../model/session.js';
import { withVerifiedPassword } from '../passwords/with-verified-password.js';
import { buildSession, countSignIn, type SignedIn, startSession } from '../sessions/start-session.js';

export async function signInWithPassword(
  deps: Deps,
  app: App,
  client: Client,
  input: { email: string; password: string },
): Promise<SignedIn> {
  const { ipAddress, deviceToken } = client;
  const started = await withVerifiedPassword(deps, app, ipAddress, { ...input, deviceToken }, (credential) =>
    startSession(deps, app, buildSession(deps, app, client, 'password'), credential),
  );
  return countSignIn(deps, app, 'password', started);
}
