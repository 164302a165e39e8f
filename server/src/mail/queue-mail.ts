// Queues a mail in the transaction that causes it. One statement, whether or not a mail is sent, so that timing does not
// reveal it and the request does not wait for the mail server.
import type { Tx } from '@foyer/prisma';
import { recordLimitReached } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type Actor, isBackendOrMember } from '../model/actor.js';
import type { App } from '../model/app.js';
import { type MailJob, mailJobs } from './deliver-mail.js';
import { shortHeader } from './language.js';
import { isVerifiedEmail } from './store.js';

export type MailRequest = Omit<MailJob, 'id' | 'appId' | 'acceptLanguage' | 'at'> & {
  /** The Accept-Language header of the request; it counts if the user of the email has no stored language. */
  language?: string | undefined;
};

export function requireMailer(deps: Pick<Deps, 'mailer'>): void {
  if (!deps.mailer.available) {
    throw new ApiError('request/unavailable', { retryAfterSeconds: 60, cause: 'SMTP_URL is not set' });
  }
}

export type QueueMailDeps = Pick<
  Deps,
  'queue' | 'mailer' | 'clock' | 'random' | 'limiter' | 'logger' | 'auditBuffer'
>;

/**
 * Returns false if no mail is sent, because there is no mail server, or too many were sent to this email or because of the
 * changes of this actor.
 */
export async function queueMail(
  tx: Tx,
  deps: QueueMailDeps,
  app: App,
  { language, ...mail }: MailRequest,
  actor?: Actor,
): Promise<boolean> {
  const { kind, code } = mail;
  // A notice reports what has happened anyway; a code is useless if it is not received.
  if (code) requireMailer(deps);
  if (!deps.mailer.available) return false;
  if (!code && !(await mayNotify(tx, deps, app, { ...mail, actor }))) {
    deps.logger.warn({ app_id: app.id, kind }, 'too many notices: this one is dropped');
    return false;
  }
  const now = deps.clock.now();
  const job: MailJob = {
    ...mail,
    // Null even for mails without a code: an earlier release takes undefined for a code, and would drop a late mail as expired.
    code: code ?? null,
    id: deps.random.ulid(now),
    appId: app.id,
    acceptLanguage: language && shortHeader(language),
    at: now.getTime(),
  };
  await deps.queue.send(tx, mailJobs, job);
  return true;
}

/**
 * Limits notices that a signed-in user can cause repeatedly, possibly at the email of someone else; each kind has its own limit.
 * A backend and a member choose the emails, so theirs are limited in the app as well. Counted here and not on delivery, which is
 * retried.
 */
async function mayNotify(
  tx: Tx,
  deps: Pick<Deps, 'limiter' | 'auditBuffer'>,
  app: App,
  { kind, to, settingsChange, actor }: MailRequest & { actor: Actor | undefined },
): Promise<boolean> {
  if (to === null) return true;
  const byApp = actor !== undefined && isBackendOrMember(actor);
  // A change by the user is always reported: it is the last notice to the old email, and requires a code from the new one.
  if (kind !== 'email_changed' || byApp) {
    // Per app: changes of one app must not use up the notices about another of the same owner.
    const about = settingsChange ? `${kind} ${settingsChange.appId}` : kind;
    // A backend and a member choose the emails of users, and their notices are limited below.
    const isVerified = byApp || (await isVerifiedEmail(tx, app.id, to));
    if (!(await deps.limiter.consumeNotice(app, to, about, isVerified))) return false;
    if (!isVerified && !(await mayNotifyStranger(deps, app, actor?.ip ?? null))) return false;
  }
  // Invitations have limits of their own, which refuse them.
  if (!byApp || kind === 'invitation') return true;
  const { isAllowed, reached } = await deps.limiter.consumeBackendNotice(app);
  recordLimitReached(deps, app.id, 'notice-app', { reached, ip: null });
  return isAllowed;
}

/** Whoever signs up with the emails of others, and then changes these accounts, must not alarm all of them. */
async function mayNotifyStranger(
  deps: Pick<Deps, 'limiter' | 'auditBuffer'>,
  app: App,
  ip: string | null,
): Promise<boolean> {
  const mail = { isStranger: true, sender: 'notice', ip } as const;
  const { isAllowed, reached } = await deps.limiter.consumeMailToStranger(app, mail);
  recordLimitReached(deps, app.id, 'mails_to_strangers_per_hour', { reached, ip });
  return isAllowed;
}
