// A change: one transaction with the audit entries and the mails that it causes. Once it has committed, the jobs that anything
// in it has queued run at once.
import type { Tx } from '@foyer/prisma';
import { writeAuditEntry } from './audit/entry.js';
import type { AuditEntry } from './audit/store.js';
import type { Deps, TurnOptions } from './deps.js';
import { type MailRequest, queueMail } from './mail/queue-mail.js';
import { userActor } from './model/actor.js';
import type { App } from './model/app.js';
import type { Call } from './model/call.js';

/** The part of a call that a change needs: in which app, by whom, and the language of mails to the user. */
export type Changer = Pick<Call, 'actor'> & { app: Pick<App, 'id'>; language?: Call['language'] };

/** An entry in the app of the call, by its actor. Its target is the user of `uid` unless it names another. */
type Entry = Pick<AuditEntry, 'action' | 'details'> &
  Partial<Pick<AuditEntry, 'actor'>> &
  ({ uid: string; target?: string } | { target: string });

type AuditRecord = { audit(entry: Entry): Promise<void> };

/** The functions by which a change records what it does, in its transaction. */
export type ChangeRecord = AuditRecord & {
  /** Queues a mail; returns false if none is sent. */
  mail(app: App, mail: MailRequest): Promise<boolean>;
};

type RecordDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;
type ChangeDeps = RecordDeps & Pick<Deps, 'queue' | 'mailer' | 'limiter' | 'logger' | 'auditBuffer'>;

export function change<T>(
  deps: ChangeDeps,
  call: Changer,
  work: (tx: Tx, record: ChangeRecord) => Promise<T>,
): Promise<T>;
/** From the command line a change is the same, but queues no mail. */
export function change<T>(
  deps: RecordDeps,
  call: Changer,
  work: (tx: Tx, record: AuditRecord) => Promise<T>,
): Promise<T>;
export function change<T>(
  deps: RecordDeps & Partial<ChangeDeps>,
  call: Changer,
  work: (tx: Tx, record: ChangeRecord) => Promise<T>,
): Promise<T> {
  // The second overload offers no `mail`, the only function that reads the parts it may lack.
  return transaction(deps, (tx) => work(tx, recordOf(tx, deps as ChangeDeps, call)));
}

/** Runs a transaction without audit entries or mails. */
export async function transaction<T>(
  deps: Pick<Deps, 'prisma'> & Partial<Pick<Deps, 'queue'>>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const [committed, result] = await deps.prisma.$transaction(async (tx) => [tx, await work(tx)] as const);
  deps.queue?.committed(committed);
  return result;
}

/** Runs `change` in a turn that it takes itself, for calls that first wait for a hash or a provider (see deps.ts). */
export function changeInTurn<T>(
  deps: ChangeDeps & Pick<Deps, 'turns'>,
  call: Changer,
  work: (tx: Tx, record: ChangeRecord) => Promise<T>,
  turn?: TurnOptions,
): Promise<T> {
  return deps.turns.write(call, () => change(deps, call, work), turn);
}

/** The turn of a call about a user whom its actor does not name yet, such as a sign-in. */
export function turnOf(uid: string): TurnOptions {
  return { row: userActor(uid, null).name };
}

/** Records what is part of a larger change. */
export function recordOf(tx: Tx, deps: ChangeDeps, { app, actor, language }: Changer): ChangeRecord {
  return {
    audit(entry) {
      const target = 'uid' in entry ? `user:${entry.uid}` : '';
      return writeAuditEntry(tx, deps, { appId: app.id, actor, target, ...entry });
    },
    mail: (of, mail) => queueMail(tx, deps, of, { language, ...mail }, actor),
  };
}
