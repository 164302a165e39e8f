// `admin.auditLog`: the audit log of the app.

import type { PageList, RepeatableCallOptions } from '../api.js';
import type { AuditEntry, AuditLogQuery } from '../generated/admin-models.js';
import { type AdminCall, listPages } from './call.js';

export interface AdminAuditLog {
  /** Every admin write and security event of the last 400 days (an operator may set another time), newest first. */
  list(query?: AuditLogQuery, options?: RepeatableCallOptions): PageList<AuditEntry>;
}

/** @internal */
export function createAdminAuditLog(call: AdminCall): AdminAuditLog {
  return {
    list: (query, options) => listPages<AuditEntry>(call, 'GET /admin/audit-log', { query }, options),
  };
}
