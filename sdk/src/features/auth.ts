// `client.auth`: state, sign-in methods and sign-out.
import type { Auth, SignOutReason } from '../api.js';
import { bearerOf } from '../session/bearer.js';
import type { Core, Stored } from '../session/core.js';
import { addSignOut, endRemotely } from '../session/pending-sign-outs.js';
import { isLoading, ready } from '../session/restore.js';
import { assertOpen, endSession } from '../session/session.js';
import { listen } from '../session/state.js';
import { readStored, writeStored } from '../session/vault.js';
import { createCredentials } from './credentials.js';
import { createSignIn } from './sign-in.js';

export function createAuth(core: Core): Auth {
  return {
    ...createSignIn(core),
    ...createCredentials(core),
    get state() {
      return core.authState;
    },
    get persistent() {
      return core.tokenStorage.persistent !== false;
    },
    onStateChange: (listener) => listen(core, listener),
    ready: () => ready(core),
    async getAccessToken(options) {
      return (await bearerOf(core, options)).bearer;
    },
    signOut: (options) => signOut(core, 'user', options),
  };
}

/** Signs out locally, synchronously up to the first wait, and then ends the session at the service unless it has ended. */
export async function signOut(
  core: Core,
  reason: SignOutReason,
  { everywhere, ...options }: Parameters<Auth['signOut']>[0] = {},
): Promise<{ remote: boolean }> {
  assertOpen(core);
  const unread = isLoading(core);
  let session: Stored | null = core.active;
  core.signOutCount++;
  endSession(core, reason);
  void core.v1?.clear();
  if (unread) session = await readStored(core).catch(() => null);
  if (session?.id) core.signedOut.add(session.id);
  if (reason !== 'user') session = null;
  if (session) addSignOut(core, session, everywhere);
  const failure = await writeStored(core, null).catch((error: unknown) => error);
  const remote = session !== null && (await endRemotely(core, session, options));
  // The storage still contains a valid token, so the next start would restore the session.
  if (failure && !remote) throw failure;
  return { remote };
}
