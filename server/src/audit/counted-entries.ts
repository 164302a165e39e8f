// How many rows one instance writes to an app's audit log in a minute for calls that changed nothing. What names a user or a
// secret key comes first: each target has rows of its own, so that neither a flood of others nor one at another account
// hides what is tried on it. Everything else is folded into one counted row per network and action.
import { limits } from '@foyer/contract';
import { dayMilliseconds } from '../lib/timestamp.js';
import type { NotedRow } from './store.js';

/** Of one target and action, per minute; further ones are counted in one row. */
export const rowsPerTarget = 10;
/** The first row of a target does not count here: a flood at some accounts leaves the first of every other one. */
const furtherRowsPerApp = 1_000;
const targetsPerApp = 5_000;
export const networksPerApp = 50;

/** A row that counts calls; it is written again when it has counted more. */
export type CountedEntry = { row: NotedRow; count: number; written: number; writtenAt: number };

export type AppMinute = {
  /** By target and action. */
  targets: Map<string, { rows: number; counted: CountedEntry | null }>;
  furtherRows: number;
  /** By network and action. */
  networks: Map<string, CountedEntry>;
  /** By action: the networks beyond the limit, and the targets. */
  others: Map<string, CountedEntry>;
  /** What is kept once a minute and was seen. */
  once: Set<string>;
};

export function newAppMinute(): AppMinute {
  return { targets: new Map(), furtherRows: 0, networks: new Map(), others: new Map(), once: new Set() };
}

export type Placed = { row: NotedRow } | { counted: CountedEntry } | null;

/** Where a note goes: to a row of its own, to a counted one, or nowhere, as a repetition within the minute. */
export function place(
  minute: AppMinute,
  note: { target: string | null; action: string; once: string | null },
  network: string,
  newRow: () => NotedRow,
): Placed {
  const { target, action, once } = note;
  if (target === null) return { counted: countByNetwork(minute, action, network, newRow) };
  if (once !== null) {
    if (minute.once.has(once)) return null;
    if (minute.once.size < targetsPerApp) minute.once.add(once);
  }
  const key = `${target} ${action}`;
  let of = minute.targets.get(key);
  if (!of) {
    if (minute.targets.size >= targetsPerApp) return { counted: countOther(minute, action, newRow) };
    of = { rows: 0, counted: null };
    minute.targets.set(key, of);
  }
  const ownRow = of.rows === 0 || (of.rows < rowsPerTarget && minute.furtherRows < furtherRowsPerApp);
  if (ownRow) {
    if (of.rows > 0) minute.furtherRows += 1;
    of.rows += 1;
    return { row: newRow() };
  }
  of.counted = counted(of.counted, newRow);
  return { counted: of.counted };
}

function countByNetwork(minute: AppMinute, action: string, network: string, newRow: () => NotedRow) {
  const key = `${network} ${action}`;
  const present = minute.networks.get(key);
  if (!present && minute.networks.size >= networksPerApp) return countOther(minute, action, newRow);
  const entry = counted(present, () => expiring(newRow()));
  minute.networks.set(key, entry);
  return entry;
}

/** Of everybody who has no row of their own any more: it names nobody, and no network. */
function countOther(minute: AppMinute, action: string, newRow: () => NotedRow): CountedEntry {
  const entry = counted(minute.others.get(action), () => {
    const row = expiring(newRow());
    return { ...row, actor: 'anonymous', target: `app:${row.app_id}`, user_id: null, ip_address: null };
  });
  minute.others.set(action, entry);
  return entry;
}

/** Counts one more; the row keeps the address and the details that all of them have in common. */
function counted(present: CountedEntry | null | undefined, newRow: () => NotedRow): CountedEntry {
  const row = newRow();
  if (!present)
    return { row: { ...row, details: { ...row.details, count: 1 } }, count: 1, written: 0, writtenAt: 0 };
  present.count += 1;
  const common = Object.entries(row.details).filter(([name, value]) => present.row.details[name] === value);
  present.row.details = { ...Object.fromEntries(common), count: present.count };
  if (present.row.expires_at === null && row.ip_address !== present.row.ip_address)
    present.row.ip_address = null;
  return present;
}

/** What names nobody is kept for a shorter time. */
function expiring(row: NotedRow): NotedRow {
  const keptMilliseconds = limits.countedAuditDays * dayMilliseconds;
  return { ...row, expires_at: new Date(Date.parse(row.created_at) + keptMilliseconds).toISOString() };
}
