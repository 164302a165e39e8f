// Exchanges the token of an app's v1 release for a session, once, at startup.
import type { FoyerError } from '../errors.js';
import type { TokenAnswer } from '../generated/models.js';
import { pause } from '../http/bounded.js';
import { isTransient, withRetries } from '../http/retry.js';
import { send } from '../http/send.js';
import type { Core } from '../session/core.js';
import { withLock } from '../session/lock.js';
import { discard } from '../session/pending-sign-outs.js';
import { assertTokens } from '../session/refresh.js';
import { save } from '../session/renewal.js';
import { isLoading } from '../session/restore.js';
import { activate, endSession } from '../session/session.js';
import { access, newSession, readStored } from '../session/vault.js';
import type { V1Exchange, V1Migration, V1MigrationResult } from './v1-migration.js';

const sendMs = 8_000;

/**
 * For the option `migrateV1` of an app with a v1 release: exchanges its stored v1 token for a session.
 *
 * @example
 * const migrateV1 = v1Migration({ read: () => oldStorage.get('token'), clear: () => oldStorage.remove('token') });
 * const client = createClient({ baseUrl, appKey, migrateV1 });
 */
export function v1Migration(migration: V1Migration): V1Exchange {
  return (client) => {
    const core = client as Core;
    return {
      run: () => withLock(core, () => exchange(core, migration)),
      clear: () => clear(core, migration),
    };
  };
}

async function exchange(core: Core, migration: V1Migration): Promise<void> {
  const { signOutCount } = core;
  // Another tab may have exchanged the token while this one waited for the lock.
  if (await adoptStored(core, migration)) return;
  const outcome = await sendToken(core, migration);
  if (outcome === null || typeof outcome === 'string') {
    // Without a lock another process may have exchanged the token: its session is stored, or about to be.
    if (outcome !== 'deferred' && (await adoptStored(core, migration))) return;
    if (outcome === 'rejected') {
      await pause(1_000);
      if (await adoptStored(core, migration)) return;
    }
    if (isLoading(core)) endSession(core, outcome === 'rejected' ? 'migration-rejected' : undefined);
    if (outcome) await finish(core, migration, outcome);
    return;
  }
  // Stored even after `dispose`: the v1 token is spent, and the next client has no other.
  if (core.signOutCount !== signOutCount) discard(core, outcome);
  else {
    activate(core, newSession(outcome), outcome);
    // The v1 token is spent, so a session that cannot be stored now is stored before its next use.
    const session = core.active!;
    session.unsaved = true;
    await save(core, session).catch(() => {});
  }
  await finish(core, migration, 'migrated');
}

/** Adopts the session that another tab or process exchanged for the v1 token; false when there is none. */
async function adoptStored(core: Core, migration: V1Migration): Promise<boolean> {
  const stored = await readStored(core);
  if (!stored) return false;
  if (isLoading(core)) activate(core, stored);
  await clear(core, migration);
  return true;
}

/** Does not clear the v1 token: the session must be stored first. */
async function sendToken(
  core: Core,
  migration: V1Migration,
): Promise<TokenAnswer | Exclude<V1MigrationResult, 'migrated'> | null> {
  const token = await read(core, migration);
  if (!token) return null;
  const body = { v1_token: token };
  try {
    return await withRetries(
      core,
      async () =>
        assertTokens<TokenAnswer>(
          await send(core, 'POST /auth/token/from-v1', { body }, { timeoutMs: sendMs }),
        ),
      1,
    );
  } catch (error) {
    const failure = error as FoyerError;
    // Without a status the service has decided nothing, for example because a header of the app is invalid.
    return isTransient(failure) || !failure.status ? 'deferred' : 'rejected';
  }
}

async function finish(core: Core, migration: V1Migration, result: V1MigrationResult): Promise<void> {
  if (result !== 'deferred') await remove(core, migration);
  try {
    migration.onResult?.(result);
  } catch (error) {
    core.emit({ type: 'listener-error', error });
  }
}

/** Clears a v1 token that is obsolete because of an existing session or a sign-out. */
async function clear(core: Core, migration: V1Migration): Promise<void> {
  if (await read(core, migration).catch(() => null)) await remove(core, migration);
}

function read(core: Core, migration: V1Migration): Promise<string | null> {
  return access(core, 'read', async () => migration.read());
}

/** A token that cannot be cleared is revoked, or is cleared at the next start. */
function remove(core: Core, migration: V1Migration): Promise<void> {
  return access(core, 'write', async () => migration.clear()).catch(() => {});
}
