// `admin.auditLog`: what was done to the app, by whom and from where.
import type { AdminCall } from './admin-call.js';
import type { PageList, RepeatableCallOptions } from './api.js';
import type { Page, PageQuery } from './models.js';
import { createPageList } from './page-list.js';

export interface AuditEntry {
  /** Entries sort by it, oldest first. */
  id: string;
  /** `user:<uid>`, `secret_key:<id>`, `member:<uid>`, `command_line`, `service`, or `anonymous`. */
  actor: string;
  /** What was done, `user.signed_in` for example. A later service may add actions. */
  action: string;
  /** What it was done to: a kind and an id, such as `user:<uid>`. */
  target: string;
  /** The user that the entry speaks of, if any. */
  uid: string | null;
  /** `null` where it is not known, or the account was deleted. */
  ip_address: string | null;
  /** More, by action. */
  details: Record<string, unknown>;
  created_at: string;
}

/** Filters; each narrows the others down. Times are ISO 8601 with a zone. */
export interface AuditLogQuery extends PageQuery {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  uid?: string | undefined;
  /** Entries of this time or later. */
  created_after?: string | undefined;
  /** Entries before this time. */
  created_before?: string | undefined;
}

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
