// `admin.migration`: who is left on v1.
import type { AdminCall } from './admin-call.js';
import type { RepeatableCallOptions } from './api.js';

/** Who is left on v1, beside who uses v2. */
export interface MigrationReport {
  v1_active_users_7d: number;
  v1_active_users_30d: number;
  /** Tokens of v1 that still work. */
  v1_live_tokens: number;
  /** Users who signed in to v2 or refreshed; counted once an hour. */
  v2_active_users_30d: number;
  /** When the figures of v1 were counted: now. */
  as_of: string;
  /** The shutdown date of v1; `null` while there is none. */
  sunset_at: string | null;
}

export interface AdminMigration {
  get(options?: RepeatableCallOptions): Promise<MigrationReport>;
}

/** @internal */
export function createAdminMigration(call: AdminCall): AdminMigration {
  return { get: (options) => call<MigrationReport>('GET /admin/migration', {}, options) };
}
