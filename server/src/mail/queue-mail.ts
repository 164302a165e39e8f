// Queues a mail in the transaction that causes it. One statement, whether or not a mail is sent, so that timing does not
// reveal it and the request does not wait for the mail server.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { type MailJob, mailJobs } from './deliver-mail.js';
import { shortHeader } from './language.js';

export type MailRequest = Omit<MailJob, 'id' | 'appId' | 'acceptLanguage' | 'at'> & {
  /** The Accept-Language header of the request; it counts if the user of the email has no stored language. */
  language?: string | undefined;
};

export function requireMailer(deps: Pick<Deps, 'mailer'>): void {
  if (!deps.mailer.available) {
    throw new ApiError('request/unavailable', { retryAfterSeconds: 60, cause: 'SMTP_URL is not set' });
  }
}

/** Returns false if no mail is sent, because there is no mail server or this email got too many of the kind. */
export async function queueMail(
  tx: Tx,
  deps: Pick<Deps, 'queue' | 'mailer' | 'clock' | 'random' | 'limiter' | 'logger'>,
  app: App,
  { language, ...mail }: MailRequest,
): Promise<boolean> {
  const { kind, to, code } = mail;
  // A notice reports what has happened anyway; a code is useless if it is not received.
  if (code) requireMailer(deps);
  if (!deps.mailer.available) return false;
  // Limits notices that a signed-in user can cause repeatedly, possibly at the email of someone else; each kind has its own
  // limit. A changed email is always reported: it is the last notice to the old email, and each change requires a code from
  // the new one. Counted here and not on delivery, which is retried.
  const counted = !code && kind !== 'email_changed' && to !== null;
  // Per app: changes of one app must not use up the notices about another of the same owner.
  const about = mail.settingsChange ? `${kind} ${mail.settingsChange.appId}` : kind;
  if (counted && !(await deps.limiter.consumeNotice(app, to, about))) {
    deps.logger.warn({ app_id: app.id, kind }, 'too many notices to one email: this one is dropped');
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
