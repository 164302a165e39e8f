// Entries that no transaction writes, because nothing was changed: failed sign-ins, refused secret keys. They wait in
// memory for the tenth of a second until the due work writes them together, so that no refusal waits for the database and
// none is slower for an email that has an account. A crash loses those of that time; a stop loses nothing.
import type { AuditAction } from '@foyer/contract';
import { isUnavailable } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { type Actor, theService } from './entry.js';
import { insertNotedEntries, type NotedRow } from './store.js';

export type Note = {
  appId: string;
  actor: Actor;
  action: AuditAction;
  /** Without one it is the user, or the app where there is none. */
  target?: string;
  userId?: string;
  /** Finds the user when the entry is written, and is never written itself. */
  email?: string;
  /** Never a secret, an email or a name. */
  details: Record<string, string>;
  /** Of equal ones in an app only the first of each minute is kept. */
  onceAMinute?: string;
};

export type AuditNotes = {
  /** Returns at once, and never fails. */
  note(note: Note): void;
  /** Writes what waits; where the database is away it goes on waiting. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** What one instance keeps for one app: a flood of failures must not fill the table. */
export const notesPerMinute = 300;
const minuteMilliseconds = 60_000;
const batchRows = 500;
const mostWaiting = 10_000;

export function auditNotes(deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'logger'>): AuditNotes {
  let waiting: NotedRow[] = [];
  let minute = Number.NaN;
  const seen = new Set<string>();
  const counts = new Map<string, { kept: number; leftOut: number }>();
  let writing: Promise<void> | null = null;

  function note({ onceAMinute, ...entry }: Note): void {
    const now = deps.clock.now();
    turnMinute(now);
    const once = onceAMinute === undefined ? null : `${entry.appId} ${onceAMinute}`;
    if (once !== null && seen.has(once)) return;
    const count = counts.get(entry.appId) ?? { kept: 0, leftOut: 0 };
    counts.set(entry.appId, count);
    if (count.kept >= notesPerMinute || waiting.length >= mostWaiting) {
      count.leftOut += 1;
      return;
    }
    count.kept += 1;
    if (once !== null) seen.add(once);
    add(entry, now);
  }

  function add({ appId, actor, action, target, userId, email, details }: Note, now: Date): void {
    waiting.push({
      app_id: appId,
      id: deps.random.ulid(now),
      actor: actor.name,
      action,
      target: target ?? null,
      user_id: userId ?? null,
      email: email ?? null,
      ip_address: actor.ipAddress,
      details,
      created_at: now.toISOString(),
    });
  }

  /** At the end of a minute its counts begin anew, and what it left out is told. */
  function turnMinute(now: Date): void {
    const present = Math.floor(now.getTime() / minuteMilliseconds);
    if (present !== minute) tellLeftOut(now);
    minute = present;
  }

  function tellLeftOut(now: Date): void {
    for (const [appId, { leftOut }] of counts) {
      if (leftOut === 0) continue;
      const details = { count: String(leftOut) };
      add({ appId, actor: theService, action: 'audit.left_out', details }, now);
    }
    counts.clear();
    seen.clear();
  }

  function flush(): Promise<void> {
    turnMinute(deps.clock.now());
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchRows);
      try {
        await insertNotedEntries(deps.prisma, batch);
      } catch (error) {
        if (isUnavailable(error)) return;
        deps.logger.error({ err: error, entries: batch.length }, 'entries of the audit log are lost');
      }
      waiting = waiting.slice(batch.length);
    }
  }

  return {
    note,
    async flush() {
      // The write that is under way may have begun before what waits now came.
      await writing;
      await flush();
    },
    async close() {
      tellLeftOut(deps.clock.now());
      await writing;
      await flush();
      if (waiting.length > 0)
        deps.logger.error({ entries: waiting.length }, 'entries of the audit log are lost');
    },
  };
}
