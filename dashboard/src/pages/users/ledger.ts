// The entries of a loyalty ledger with who added each, which only the audit log contains.
import { type AuditEntry, type LedgerEntry, limits } from '@foyer/contract';
import type { Page } from '../../components/paged-list.tsx';
import type { CurrentApp } from '../../current-app.tsx';

/** `addedBy` is undefined for members who may not read the audit log, and for entries older than it. */
export type AddedEntry = LedgerEntry & { addedBy: string | undefined };

type Audit = { read: (query: object) => Promise<Page<AuditEntry>> };

const action = 'loyalty.entry_added';

export async function readLedger(
  { api, can }: CurrentApp,
  uid: string,
  page: { cursor?: string; limit?: number },
  options: { signal: AbortSignal },
): Promise<Page<AddedEntry>> {
  const { items, next_cursor } = await api.loyalty.entries(uid, page, options);
  const read = (query: object) => api.auditLog.list({ uid, action, ...query }, options);
  // The ledger is shown without the names if they cannot be read.
  const names = can('audit:read') ? await namesOf(items, { read }).catch(() => new Map()) : new Map();
  return { items: items.map((entry) => ({ ...entry, addedBy: names.get(entry.id) })), next_cursor };
}

/** Who added each entry, by its id. Entries of the log were recorded at the time of those of the ledger. */
export async function namesOf(
  newestFirst: readonly LedgerEntry[],
  { read }: Audit,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const [newest, oldest] = [newestFirst[0], newestFirst.at(-1)];
  if (!newest || !oldest) return names;
  const period = {
    created_after: shifted(oldest.created_at, -marginMilliseconds),
    created_before: shifted(newest.created_at, marginMilliseconds),
  };
  let cursor: string | null = null;
  do {
    const page: Page<AuditEntry> = await read({
      ...period,
      limit: limits.pageItems.max,
      ...(cursor !== null && { cursor }),
    });
    for (const { details, actor, actor_name } of page.items) {
      const role = actor.startsWith('secret_key:') ? 'A secret key' : 'The team';
      names.set(String(details.entry), actor_name ?? role);
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return names;
}

/** The clocks of two processes may differ. */
const marginMilliseconds = 60_000;

function shifted(at: string, milliseconds: number): string {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}
