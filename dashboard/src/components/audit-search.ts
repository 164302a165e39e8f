// The filters of the audit log, as they are in the query string.
import { dayIn, textIn, ulidIn } from '../search-params.ts';

export type AuditSearch = {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  uid?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
};

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  return {
    actor: textIn(search.actor, 100),
    action: textIn(search.action, 100),
    target: textIn(search.target, 300),
    uid: ulidIn(search.uid),
    created_after: dayIn(search.created_after),
    created_before: dayIn(search.created_before),
  };
}
