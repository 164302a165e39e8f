// `admin.migration`: the progress of the migration from v1.

import type { RepeatableCallOptions } from '../api.js';
import type { MigrationReport } from '../generated/admin-models.js';
import type { AdminCall } from './call.js';

export interface AdminMigration {
  /** How many users use v1 and v2, and the shutdown date of v1. */
  get(options?: RepeatableCallOptions): Promise<MigrationReport>;
}

/** @internal */
export function createAdminMigration(call: AdminCall): AdminMigration {
  return { get: (options) => call<MigrationReport>('GET /admin/migration', {}, options) };
}
