// What an app says of its v1 release, and is told of the move.
import type { Maybe } from './storage.js';

/**
 * What became of the v1 token. `migrated`: the user is signed in. `rejected`: the service refused it, and the user has to
 * sign in again. `deferred`: there was no answer, and it is kept for the next start.
 */
export type V1MigrationResult = 'migrated' | 'rejected' | 'deferred';

/** Where the app's v1 release kept its token. */
export interface V1Migration {
  /** The v1 token, or `null` when there is none. **Throw when the storage cannot be reached.** */
  read(): Maybe<string | null>;
  /** Deletes the v1 token. Called once its session is stored, and when the service refused the token. */
  clear(): Maybe<void>;
  /** Told once a start with a v1 token has been decided. */
  onResult?: ((result: V1MigrationResult) => void) | undefined;
}
