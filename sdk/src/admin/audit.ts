// `admin.auditLog`: what was done to the app, by whom and from where.

import type { PageList, RepeatableCallOptions } from '../api.js';
import type { AuditEntry, AuditLogQuery } from '../generated/admin-models.js';
import type { Page } from '../models.js';
import { createPageList } from '../page-list.js';
import type { AdminCall } from './call.js';

export interface AdminAuditLog {
  /** Every admin write and every security event, newest first, of the last 400 days. */
  list(query?: AuditLogQuery, options?: RepeatableCallOptions): PageList<AuditEntry>;
}

/** @internal */
export function createAdminAuditLog(call: AdminCall): AdminAuditLog {
  return {
    list: (query, options) =>
      createPageList(
        (page) => call<Page<AuditEntry>>('GET /admin/audit-log', { query: page }, options),
        query,
      ),
  };
}
