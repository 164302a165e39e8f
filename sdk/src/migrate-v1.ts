// Exchanges the token of an app's v1 release for a session, once. Specification "Versioning".
import type { Emit } from './events.js';
import type { TokenAnswer } from './generated/models.js';
import type { Send } from './http.js';
import { checkedTokens } from './refresh.js';
import { mayPass, withRetries } from './retry.js';
import type { V1Migration, V1MigrationResult } from './v1-migration.js';
import { storageReach } from './vault.js';

const sendMs = 8_000;

/** @internal */
export type V1Move = ReturnType<typeof createV1Move>;

/** @internal */
export function createV1Move(migration: V1Migration, send: Send, emit: Emit) {
  const reached = storageReach(emit);
  const read = () => reached('read', async () => migration.read());
  // A token that cannot be cleared is revoked, or is cleared at the next start.
  const clear = () => reached('write', async () => migration.clear()).catch(() => {});

  return {
    /** Does not clear the v1 token: the session must be stored first. */
    async exchange(): Promise<TokenAnswer | Exclude<V1MigrationResult, 'migrated'> | null> {
      const token = await read();
      if (!token) return null;
      const body = { v1_token: token };
      try {
        return await withRetries(
          async () =>
            checkedTokens(
              await send<TokenAnswer>('POST /auth/token/from-v1', { body }, { timeoutMs: sendMs }),
            ),
          { maxRetries: 1, emit },
        );
      } catch (error) {
        return mayPass(error as Parameters<typeof mayPass>[0]) ? 'deferred' : 'rejected';
      }
    },
    async settle(result: V1MigrationResult): Promise<void> {
      if (result !== 'deferred') await clear();
      try {
        migration.onResult?.(result);
      } catch (error) {
        emit({ type: 'listener-error', error });
      }
    },
    /** Clears a v1 token that is obsolete because of an existing session or a sign-out. */
    async tidy(): Promise<void> {
      if (await read().catch(() => null)) await clear();
    },
  };
}
