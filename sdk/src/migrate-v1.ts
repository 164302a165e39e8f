// The move from v1: an app that still holds a v1 token exchanges it once for a session. Specification "Versioning".
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
  // A token that stays behind is dead, or is cleared by the next start.
  const clear = () => reached('write', async () => migration.clear()).catch(() => {});

  return {
    /** Nothing is cleared yet: the session has to be stored before. */
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
    /** A token beside a session, or of somebody who signs out, is of no more use. */
    async tidy(): Promise<void> {
      if (await read().catch(() => null)) await clear();
    },
  };
}
