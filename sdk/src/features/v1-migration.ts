// The options of the migration from v1.
import type { Maybe } from '../session/storage.js';

/**
 * The outcome of the migration. `migrated`: the user is signed in. `rejected`: the service rejected the v1 token, and
 * the user must sign in again. `deferred`: no response; the exchange is retried at the next start.
 */
export type V1MigrationResult = 'migrated' | 'rejected' | 'deferred';

/** The token storage of the app's v1 release. */
export interface V1Migration {
  /** Returns the v1 token, or `null` when there is none. **Throw when the storage is unavailable.** */
  read(): Maybe<string | null>;
  /** Deletes the v1 token. Called after its session is stored, or after the service rejected the token. */
  clear(): Maybe<void>;
  /** Called with the outcome of each startup that found a v1 token. */
  onResult?: ((result: V1MigrationResult) => void) | undefined;
}

/** The result of `v1Migration`, for the option `migrateV1`. */
export type V1Exchange = (client: object) => { run(): Promise<void>; clear(): Promise<void> };
