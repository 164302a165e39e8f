// Buffers audit entries of requests that changed nothing: failed sign-ins, refused secret keys. The scheduler writes them every
// 100 ms, so that no refusal waits for the database and timing does not reveal whether an email has an account. A crash loses
// the buffered entries; a shutdown writes them.
import { isUnavailable } from '@foyer/prisma';
import type { AuditBuffer, Deps, Note } from '../deps.js';
import { networkOf } from '../lib/http/ip-network.js';
import { theService } from '../model/actor.js';
import { type AppMinute, type CountedEntry, newAppMinute, place } from './counted-entries.js';
import { type BufferedRow, findUsersByEmails, insertBufferedEntries } from './store.js';

const minuteMilliseconds = 60_000;
const countMilliseconds = 1_000;
const batchRows = 500;
const maxWaiting = 10_000;
/** Entries whose account is not looked up yet: in total, and per email, so that a flood on one does not displace others. */
const maxUnresolved = 10_000;
const maxUnresolvedPerEmail = 100;

type Waiting = { note: Note; network: string; now: Date };

export function auditBuffer(deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'logger'>): AuditBuffer {
  let unresolved: Waiting[] = [];
  const perEmail = new Map<string, number>();
  let waiting: BufferedRow[] = [];
  const open = new Set<CountedEntry>();
  const apps = new Map<string, AppMinute>();
  const dropped = new Map<string, number>();
  let minute = Number.NaN;
  let working: Promise<void> = Promise.resolve();

  function note(given: Note): void {
    const now = deps.clock.now();
    startMinute(now);
    const noted = { note: given, network: networkOf(given.actor.ipAddress), now };
    if (given.uid !== undefined || given.email === undefined) {
      add(noted, given.uid ?? null);
      return;
    }
    const key = emailKey(given.appId, given.email);
    const sameEmail = perEmail.get(key) ?? 0;
    if (unresolved.length >= maxUnresolved || sameEmail >= maxUnresolvedPerEmail) {
      add(noted, null);
      return;
    }
    perEmail.set(key, sameEmail + 1);
    unresolved.push(noted);
  }

  function add({ note: given, network, now }: Waiting, uid: string | null): void {
    const { appId } = given;
    const target = given.target ?? (uid === null ? null : `user:${uid}`);
    let app = apps.get(appId);
    if (!app) {
      app = newAppMinute();
      apps.set(appId, app);
    }
    const once = given.onceAMinute === undefined ? null : `${given.onceAMinute} ${target}`;
    const where = { target, action: given.action, once };
    const placed = place(app, where, network, () => rowOf(given, target, uid, now));
    if (placed === null) return;
    if ('counted' in placed) open.add(placed.counted);
    else if (waiting.length < maxWaiting) waiting.push(placed.row);
    else dropped.set(appId, (dropped.get(appId) ?? 0) + 1);
  }

  function rowOf(given: Note, target: string | null, uid: string | null, now: Date): BufferedRow {
    return {
      app_id: given.appId,
      id: deps.random.ulid(now),
      actor: given.actor.name,
      action: given.action,
      target: target ?? `app:${given.appId}`,
      user_id: uid,
      ip_address: given.actor.ipAddress,
      details: given.details,
      created_at: now.toISOString(),
      expires_at: null,
    };
  }

  /** At the end of a minute it closes the counted rows and records how many entries were dropped. */
  function startMinute(now: Date): void {
    const current = Math.floor(now.getTime() / minuteMilliseconds);
    if (current === minute) return;
    minute = current;
    apps.clear();
    recordDropped(now);
  }

  function recordDropped(now: Date): void {
    for (const [appId, count] of dropped) {
      const left: Note = { appId, actor: theService, action: 'audit.left_out', details: {} };
      waiting.push({ ...rowOf(left, null, null, now), details: { count } });
    }
    dropped.clear();
  }

  /** Serialized, so that no entry is written twice. */
  function work(everything: boolean): Promise<void> {
    const next = working.then(async () => {
      startMinute(deps.clock.now());
      if (await resolveEmails()) await write(everything);
    });
    working = next.catch(() => {});
    return next;
  }

  /** False if the database is unavailable. */
  async function resolveEmails(): Promise<boolean> {
    while (unresolved.length > 0) {
      const batch = unresolved.slice(0, batchRows);
      let users: Map<string, string>;
      try {
        users = await usersOf(batch);
      } catch (error) {
        if (isUnavailable(error)) return false;
        lose(error, batch.length);
        users = new Map();
      }
      unresolved = unresolved.slice(batch.length);
      for (const each of batch) {
        const { appId, email = '' } = each.note;
        const key = emailKey(appId, email);
        const left = (perEmail.get(key) ?? 1) - 1;
        if (left === 0) perEmail.delete(key);
        else perEmail.set(key, left);
        add(each, users.get(key) ?? null);
      }
    }
    return true;
  }

  async function usersOf(batch: Waiting[]): Promise<Map<string, string>> {
    const emails = batch.map(({ note: { appId, email = '' } }) => ({ appId, email }));
    const found = await findUsersByEmails(deps.prisma, emails);
    return new Map(found.map(({ appId, email, uid }) => [emailKey(appId, email), uid]));
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
      try {
        await insertBufferedEntries(deps.prisma, [...rows, ...counted.map(({ row }) => row)]);
      } catch (error) {
        if (isUnavailable(error)) return;
        lose(error, rows.length + counted.length);
      }
      waiting = waiting.slice(rows.length);
      for (const [index, entry] of counted.entries()) {
        entry.written = counts[index] as number;
        entry.writtenAt = now;
        if (entry.written === entry.count) open.delete(entry);
      }
    }
  }

  function lose(error: unknown, entries: number): void {
    deps.logger.error({ err: error, entries }, 'audit entries are lost');
  }

  return {
    note,
    poll: () => work(false),
    flush: () => work(true),
    async close() {
      recordDropped(deps.clock.now());
      await work(true);
      const entries = waiting.length + unresolved.length + open.size;
      if (entries > 0) deps.logger.error({ entries }, 'audit entries are lost');
    },
  };
}

function emailKey(appId: string, email: string): string {
  return `${appId} ${email}`;
}
