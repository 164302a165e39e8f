// Limits the audit rows per app, instance and minute for requests that changed nothing. Each user or secret key has rows of its
// own, so that a flood on other targets cannot hide attempts on it. Everything else is counted in one row per network and
// action.
import { limits } from '@foyer/contract';
import { dayMilliseconds } from '../lib/timestamp.js';
import type { BufferedRow } from './store.js';

/** Per target, action and minute; further entries are counted in one row. */
export const rowsPerTarget = 10;
/** Excludes the first row of each target, which a flood on other accounts must not displace. */
const furtherRowsPerApp = 1_000;
const targetsPerApp = 5_000;
export const networksPerApp = 50;
export const kindsPerNetwork = 3;

/** A row that counts requests; it is written again when its count grows. */
export type CountedEntry = { row: BufferedRow; count: number; written: number; writtenAt: number };

export type AppMinute = {
  /** The rows by target and action. */
  targets: Map<string, { rows: number; counted: CountedEntry | null }>;
  furtherRows: number;
  /** The entries by network and action. */
  networks: Map<string, CountedEntry>;
  /** Entries by network, action and kind; apart from `networks`, so that they do not displace each other. */
  kinds: Map<string, CountedEntry>;
  /** Entries by action: networks and targets beyond the limits. */
  others: Map<string, CountedEntry>;
  /** Entries that are recorded once per minute. */
  once: Set<string>;
};

export function newAppMinute(): AppMinute {
  return {
    targets: new Map(),
    furtherRows: 0,
    networks: new Map(),
    kinds: new Map(),
    others: new Map(),
    once: new Set(),
  };
}

/** Returns a new row, a counted row, or null for a repetition within the minute. */
export function place(
  minute: AppMinute,
  note: { target: string | null; action: string; kind: string | null; once: string | null },
  network: string,
  newRow: () => BufferedRow,
): { row: BufferedRow } | { counted: CountedEntry } | null {
  const { target, action, once } = note;
  if (target === null) return { counted: countByNetwork(minute, note, network, newRow) };
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

function countByNetwork(
  minute: AppMinute,
  { action, kind }: { action: string; kind: string | null },
  network: string,
  newRow: () => BufferedRow,
) {
  const ofNetwork = `${network} ${action}`;
  const [entries, key] =
    kind === null ? [minute.networks, ofNetwork] : [minute.kinds, `${ofNetwork} ${kind}`];
  const present = entries.get(key);
  const hasRoom = entries.size < networksPerApp && (kind === null || hasRoomFor(entries, ofNetwork));
  if (!present && !hasRoom) return countOther(minute, action, newRow);
  const entry = counted(present, () => expiring(newRow()));
  entries.set(key, entry);
  return entry;
}

/** One network cannot take the rows of the others by sending every kind. */
function hasRoomFor(entries: Map<string, CountedEntry>, ofNetwork: string): boolean {
  const kinds = [...entries.keys()].filter((key) => key.startsWith(`${ofNetwork} `));
  return kinds.length < kindsPerNetwork;
}

/** Counts entries beyond the limits, without actor and network. */
function countOther(minute: AppMinute, action: string, newRow: () => BufferedRow): CountedEntry {
  const entry = counted(minute.others.get(action), () => {
    const row = expiring(newRow());
    return { ...row, actor: 'anonymous', target: `app:${row.app_id}`, user_id: null, ip_address: null };
  });
  minute.others.set(action, entry);
  return entry;
}

/** Increments the count; the row retains the IP address and details that all counted entries share. */
function counted(present: CountedEntry | null | undefined, newRow: () => BufferedRow): CountedEntry {
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

/** Entries that name no target are stored for a shorter time. */
function expiring(row: BufferedRow): BufferedRow {
  const storedMilliseconds = limits.countedAuditDays * dayMilliseconds;
  return { ...row, expires_at: new Date(Date.parse(row.created_at) + storedMilliseconds).toISOString() };
}
