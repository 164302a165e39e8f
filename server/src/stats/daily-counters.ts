// Counts in memory what an app's daily statistics show, and adds the counts to the database every few seconds: no request
// waits for a write, and no table is scanned to count. A crash loses the counts of these seconds. If the connection is lost
// after the database completed a write, its counts are added again; active users are never counted twice.
import { isUnavailable } from '@foyer/prisma';
import type { CounterName, DailyCounters, Deps } from '../deps.js';
import { dayOf } from '../lib/timestamp.js';
import { type ActiveUserRow, addDailyCounts, type CountRow } from './store.js';

const batchRows = 1_000;
/**
 * Users whose activity of today is recorded, so that their further calls write nothing. At the limit the set is cleared:
 * the database ignores users that it has already counted.
 */
const maxKnown = 50_000;
/** While the database is unavailable, further users are left for a later call. */
const maxWaiting = 50_000;

export function dailyCounters(deps: Pick<Deps, 'prisma' | 'clock' | 'logger'>): DailyCounters {
  /** Counts by day, app and name; the names are a fixed set (`CounterName`). */
  const counts = new Map<string, CountRow>();
  const known = new Set<string>();
  let knownDay = '';
  let waiting: ActiveUserRow[] = [];
  let working: Promise<void> = Promise.resolve();

  function count(appId: string, name: CounterName): void {
    const day = dayOf(deps.clock.now());
    const key = `${day} ${appId} ${name}`;
    const row = counts.get(key);
    if (row) row.count += 1;
    else counts.set(key, { app_id: appId, day, name, count: 1 });
  }

  function recordActivity(appId: string, uid: string, version: 'v1' | 'v2'): void {
    const day = dayOf(deps.clock.now());
    if (day !== knownDay || known.size >= maxKnown) {
      known.clear();
      knownDay = day;
    }
    const key = `${version} ${appId} ${uid}`;
    if (known.has(key) || waiting.length >= maxWaiting) return;
    known.add(key);
    waiting.push({ app_id: appId, day, version: version === 'v1' ? 1 : 2, user_id: uid });
  }

  /** Serialized, so that nothing is added twice. */
  function flush(): Promise<void> {
    const next = working.then(write);
    working = next.catch(() => {});
    return next;
  }

  /** Writes what was counted when it began. */
  async function write(): Promise<void> {
    const keys = [...counts.keys()];
    let users = waiting.length;
    while (keys.length > 0 || users > 0) {
      const batch = keys
        .splice(0, batchRows)
        .map((key) => ({ key, row: { ...(counts.get(key) as CountRow) } }));
      const active = waiting.slice(0, Math.min(users, batchRows));
      const rows = batch.map(({ row }) => row);
      const add = () => deps.prisma.$transaction((tx) => addDailyCounts(tx, rows, active));
      try {
        // An app that is deleted at the same moment makes the first attempt fail, and is left out of the second.
        await add().catch((error) => (isUnavailable(error) ? Promise.reject(error) : add()));
      } catch (error) {
        // Everything is written with the next flush.
        if (isUnavailable(error)) return;
        deps.logger.error(
          { err: error, counters: rows.length, users: active.length },
          'daily statistics are lost',
        );
      }
      users -= active.length;
      waiting = waiting.slice(active.length);
      for (const { key, row } of batch) subtract(key, row.count);
    }
  }

  /** What was counted during the write remains. */
  function subtract(key: string, written: number): void {
    const row = counts.get(key) as CountRow;
    row.count -= written;
    if (row.count === 0) counts.delete(key);
  }

  return {
    count,
    recordActivity,
    flush,
    async close() {
      await flush();
      const lost = { counters: counts.size, users: waiting.length };
      if (lost.counters + lost.users > 0) deps.logger.error(lost, 'daily statistics are lost');
    },
  };
}
