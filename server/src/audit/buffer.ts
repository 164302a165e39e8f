// Buffers audit entries of requests that changed nothing: failed sign-ins, refused secret keys. The scheduler writes them every
// 100 ms, so that no refusal waits for the database and timing does not reveal whether an email has an account. A crash loses
// the buffered entries; a shutdown writes them.
import { isUnavailable } from '@foyer/prisma';
import type { AuditBuffer, BufferedEntry, Deps } from '../deps.js';
import { networkOf } from '../lib/ip-network.js';
import { singleFlight } from '../lib/single-flight.js';
import { theService } from '../model/actor.js';
import { type AppMinute, type CountedEntry, newAppMinute, place } from './counted-entries.js';
import { type BufferedRow, findUsersByEmails, insertBufferedEntries } from './store.js';
import { emailKey, type UnresolvedEntry, unresolvedEntries } from './unresolved-entries.js';

const minuteMilliseconds = 60_000;
const countMilliseconds = 1_000;
const batchRows = 500;
const maxWaiting = 10_000;

export function auditBuffer(deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'logger'>): AuditBuffer {
  const unresolved = unresolvedEntries();
  let waiting: BufferedRow[] = [];
  const open = new Set<CountedEntry>();
  const apps = new Map<string, AppMinute>();
  const dropped = new Map<string, number>();
  let minute = Number.NaN;
  let flushes = false;

  function add(entry: BufferedEntry): void {
    const now = deps.clock.now();
    startMinute(now);
    const added = { entry, network: networkOf(entry.actor.ip), now };
    const resolved = entry.uid !== undefined || entry.email === undefined;
    if (resolved || !unresolved.add(added)) addResolved(added, entry.uid ?? null);
  }

  function addResolved({ entry, network, now }: UnresolvedEntry, uid: string | null): void {
    const { appId } = entry;
    const target = entry.target ?? (uid === null ? null : `user:${uid}`);
    let app = apps.get(appId);
    if (!app) {
      app = newAppMinute();
      apps.set(appId, app);
    }
    const once = entry.onceAMinute === undefined ? null : `${entry.onceAMinute} ${target}`;
    const where = { target, action: entry.action, kind: entry.kind ?? null, once };
    const placed = place(app, where, network, () => rowOf(entry, target, uid, now));
    if (placed === null) return;
    if ('counted' in placed) open.add(placed.counted);
    else if (waiting.length < maxWaiting) waiting.push(placed.row);
    else dropped.set(appId, (dropped.get(appId) ?? 0) + 1);
  }

  function rowOf(entry: BufferedEntry, target: string | null, uid: string | null, now: Date): BufferedRow {
    return {
      app_id: entry.appId,
      id: deps.random.ulid(now),
      actor: entry.actor.name,
      action: entry.action,
      target: target ?? entry.about ?? `app:${entry.appId}`,
      user_id: uid,
      ip_address: entry.actor.ip,
      details: entry.details,
      created_at: now.toISOString(),
      expires_at: null,
    };
  }

  /** Closes the counted rows at the end of a minute, and records how many entries were dropped. */
  function startMinute(now: Date): void {
    const current = Math.floor(now.getTime() / minuteMilliseconds);
    if (current === minute) return;
    minute = current;
    apps.clear();
    recordDropped(now);
  }

  function recordDropped(now: Date): void {
    for (const [appId, count] of dropped) {
      const left: BufferedEntry = { appId, actor: theService, action: 'audit.left_out', details: {} };
      waiting.push({ ...rowOf(left, null, null, now), details: { count } });
    }
    dropped.clear();
  }

  /**
   * One write at a time, so that no entry is written twice. Calls that come meanwhile share the next one: a database that does
   * not answer would otherwise gather an attempt for each, which a stop would wait for.
   */
  const writing = singleFlight(
    async () => {
      const everything = flushes;
      flushes = false;
      startMinute(deps.clock.now());
      if (await resolveEmails()) await write(everything);
    },
    () => flushes,
  );

  function flush(): Promise<void> {
    flushes = true;
    return writing.run();
  }

  /** False if the database is unavailable. */
  async function resolveEmails(): Promise<boolean> {
    while (unresolved.size > 0) {
      const batch = unresolved.oldest(batchRows);
      let users: Map<string, string>;
      try {
        users = await usersOf(deps.prisma, batch);
      } catch (error) {
        if (isUnavailable(error)) return false;
        const entries = batch.length;
        deps.logger.error({ err: error, entries }, 'audit entries are stored without their users');
        users = new Map();
      }
      unresolved.removeOldest(batch.length);
      for (const each of batch) addResolved(each, users.get(emailKey(each.entry)) ?? null);
    }
    return true;
  }

  async function write(everything: boolean): Promise<void> {
    const now = deps.clock.now().getTime();
    const due = [...open].filter(
      ({ written, writtenAt }) => everything || written === 0 || now - writtenAt >= countMilliseconds,
    );
    while (waiting.length > 0 || due.length > 0) {
      const rows = waiting.slice(0, batchRows);
      const counted = due.splice(0, batchRows - rows.length);
      const counts = counted.map(({ count }) => count);
      for (const [appId, ofApp] of byApp([...rows, ...counted.map(({ row }) => row)], (row) => row.app_id)) {
        try {
          await insertBufferedEntries(deps.prisma, appId, ofApp);
        } catch (error) {
          // Rows that are written already are then written again, which changes nothing.
          if (isUnavailable(error)) return;
          logLost(error, ofApp.length);
        }
      }
      waiting = waiting.slice(rows.length);
      for (const [index, entry] of counted.entries()) {
        entry.written = counts[index] as number;
        entry.writtenAt = now;
        if (entry.written === entry.count) open.delete(entry);
      }
    }
  }

  function logLost(error: unknown, entries: number): void {
    deps.logger.error({ err: error, entries }, 'audit entries are lost');
  }

  return {
    add,
    poll: writing.run,
    flush,
    async close() {
      recordDropped(deps.clock.now());
      await flush();
      const entries = waiting.length + unresolved.size + open.size;
      if (entries > 0) deps.logger.error({ entries }, 'audit entries are lost');
    },
  };
}

/** The uids of the users with these emails, by `emailKey`. */
async function usersOf(prisma: Deps['prisma'], entries: UnresolvedEntry[]): Promise<Map<string, string>> {
  const uids = new Map<string, string>();
  for (const [appId, ofApp] of byApp(entries, ({ entry }) => entry.appId)) {
    const emails = new Set(ofApp.map(({ entry: { email = '' } }) => email));
    for (const { email, uid } of await findUsersByEmails(prisma, appId, [...emails])) {
      uids.set(emailKey({ appId, email }), uid);
    }
  }
  return uids;
}

function byApp<Entry>(entries: Entry[], appOf: (entry: Entry) => string): Map<string, Entry[]> {
  const apps = new Map<string, Entry[]>();
  for (const entry of entries) {
    const of = apps.get(appOf(entry));
    if (of) of.push(entry);
    else apps.set(appOf(entry), [entry]);
  }
  return apps;
}
