// Exchanges the token of an app's v1 release for a session, once. Specification "Versioning".
import type { Emit } from './events.js';
import type { TokenAnswer } from './generated/models.js';
import type { Send } from './http.js';
import { assertTokens } from './refresh.js';
import { isTransient, withRetries } from './retry.js';
import type { V1Migration, V1MigrationResult } from './v1-migration.js';
import { storageAccess } from './vault.js';

const sendMs = 8_000;

/** @internal */
export type V1Exchange = ReturnType<typeof createV1Exchange>;

/** @internal */
export function createV1Exchange(migration: V1Migration, send: Send, emit: Emit) {
  const access = storageAccess(emit);
  const read = () => access('read', async () => migration.read());
  // A token that cannot be cleared is revoked, or is cleared at the next start.
  const clear = () => access('write', async () => migration.clear()).catch(() => {});

  return {
    /** Does not clear the v1 token: the session must be stored first. */
    async run(): Promise<TokenAnswer | Exclude<V1MigrationResult, 'migrated'> | null> {
      const token = await read();
      if (!token) return null;
      const body = { v1_token: token };
      try {
        return await withRetries(
          async () =>
            assertTokens(
              await send<TokenAnswer>('POST /auth/token/from-v1', { body }, { timeoutMs: sendMs }),
            ),
          { maxRetries: 1, emit },
        );
      } catch (error) {
        return isTransient(error as Parameters<typeof isTransient>[0]) ? 'deferred' : 'rejected';
      }
    },
    async finish(result: V1MigrationResult): Promise<void> {
      if (result !== 'deferred') await clear();
      try {
        migration.onResult?.(result);
      } catch (error) {
        emit({ type: 'listener-error', error });
      }
    },
    /** Clears a v1 token that is obsolete because of an existing session or a sign-out. */
    async clear(): Promise<void> {
      if (await read().catch(() => null)) await clear();
    },
  };
}
