// Entries that no transaction writes, because nothing was changed: failed sign-ins, refused secret keys. They wait in
// memory for the tenth of a second until the scheduler writes them together, so that no refusal waits for the database and
// none is slower for an email that has an account. A crash loses those of that time; a stop loses nothing.
import { isUnavailable } from '@foyer/prisma';
import type { AuditNotes, Deps, Note } from '../deps.js';
import { networkOf } from '../lib/http/ip-network.js';
import { theService } from '../model/actor.js';
import { type AppMinute, type CountedEntry, newAppMinute, place } from './counted-entries.js';
import { findUsersByEmails, insertNotedEntries, type NotedRow } from './store.js';

const minuteMilliseconds = 60_000;
const countMilliseconds = 1_000;
const batchRows = 500;
const maxWaiting = 10_000;
/** Emails whose accounts are not looked up yet: of all, and of one, so that a flood at one leaves room for the others. */
const maxUnresolved = 10_000;
const maxUnresolvedPerEmail = 100;

type Waiting = { note: Note; network: string; now: Date };

export function auditNotes(deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'logger'>): AuditNotes {
  let unresolved: Waiting[] = [];
  const perEmail = new Map<string, number>();
  let waiting: NotedRow[] = [];
  const open = new Set<CountedEntry>();
  const apps = new Map<string, AppMinute>();
  const leftOut = new Map<string, number>();
  let minute = Number.NaN;
  let working: Promise<void> = Promise.resolve();

  function note(given: Note): void {
    const now = deps.clock.now();
    turnMinute(now);
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
    else leftOut.set(appId, (leftOut.get(appId) ?? 0) + 1);
  }

  function rowOf(given: Note, target: string | null, uid: string | null, now: Date): NotedRow {
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

  /** At the end of a minute its rows are closed, and what found no place is told. */
  function turnMinute(now: Date): void {
    const present = Math.floor(now.getTime() / minuteMilliseconds);
    if (present === minute) return;
    minute = present;
    apps.clear();
    noteLeftOut(now);
  }

  function noteLeftOut(now: Date): void {
    for (const [appId, count] of leftOut) {
      const left: Note = { appId, actor: theService, action: 'audit.left_out', details: {} };
      waiting.push({ ...rowOf(left, null, null, now), details: { count } });
    }
    leftOut.clear();
  }

  /** One after the other, so that none writes what another is writing. */
  function work(everything: boolean): Promise<void> {
    const next = working.then(async () => {
      turnMinute(deps.clock.now());
      if (await resolveEmails()) await write(everything);
    });
    working = next.catch(() => {});
    return next;
  }

  /** False where the database is away. */
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
        await insertNotedEntries(deps.prisma, [...rows, ...counted.map(({ row }) => row)]);
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
    deps.logger.error({ err: error, entries }, 'entries of the audit log are lost');
  }

  return {
    note,
    poll: () => work(false),
    flush: () => work(true),
    async close() {
      noteLeftOut(deps.clock.now());
      await work(true);
      const entries = waiting.length + unresolved.length + open.size;
      if (entries > 0) deps.logger.error({ entries }, 'entries of the audit log are lost');
    },
  };
}

function emailKey(appId: string, email: string): string {
  return `${appId} ${email}`;
}
