// Restores the session at startup: from the storage, or in exchange for the token of the app's v1 release.
import type { AuthState } from '../api.js';
import type { Core } from './core.js';
import { restoreSignOuts } from './pending-sign-outs.js';
import { activate, assertOpen, endSession } from './session.js';
import { readStored } from './vault.js';

/** Resolves with the state once it is known. */
export async function ready(core: Core): Promise<AuthState> {
  assertOpen(core);
  if (isLoading(core)) {
    core.restoring ??= restore(core).finally(() => {
      core.restoring = undefined;
    });
    await core.restoring;
  }
  return core.authState;
}

/** Resolves with the user, once it is known who is signed in. */
export function uidOf(core: Core): Promise<string | undefined> {
  return ready(core).then(() => core.active?.uid);
}

export function isLoading({ authState }: Core): boolean {
  return authState.status === 'loading';
}

async function restore(core: Core): Promise<void> {
  const { v1 } = core;
  await readStored(core, (stored) => {
    if (!isLoading(core)) return;
    if (stored) activate(core, stored);
    else if (!v1) endSession(core);
  });
  if (isLoading(core)) await v1?.run();
  else void v1?.clear();
  restoreSignOuts(core).catch(() => {}); // The next start tries again.
}
