// `admin.loyalty`: the append-only points ledger.

import type { PageList, RepeatableCallOptions } from '../api.js';
import type { AddedEntry, LedgerEntry, NewLedgerEntry } from '../generated/admin-models.js';
import type { PageQuery } from '../generated/models.js';
import { type AdminCall, listPages, type OnceOptions } from './call.js';

export interface AdminLoyalty {
  /**
   * Adds points to a user, or deducts them.
   *
   * @example
   * await admin.loyalty.add(uid, { points: 250, description: 'Order 4711', reference: 'order-4711' });
   */
  add(uid: string, entry: NewLedgerEntry, options?: OnceOptions): Promise<AddedEntry>;
  /** The user's entries, newest first. */
  entries(uid: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<LedgerEntry>;
}

/** @internal */
export function createAdminLoyalty(call: AdminCall): AdminLoyalty {
  return {
    add: (uid, entry, options) =>
      call<AddedEntry>('POST /admin/users/:uid/loyalty/entries', { params: { uid }, body: entry }, options),
    entries: (uid, query, options) =>
      listPages<LedgerEntry>(
        call,
        'GET /admin/users/:uid/loyalty/entries',
        { params: { uid }, query },
        options,
      ),
  };
}
