// Sends what was queued: composes the mail as the app is set now, and hands it over. What cannot be taken now is tried
// again by the queue; what will never be taken, or is worth nothing any more, is dropped.
import { limits, type providers } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { type Mail, MailRefusedError } from '../lib/mail/mail.js';
import { smtpConnections } from '../lib/mail/smtp-mailer.js';
import { compose } from './compose.js';
import type { MailKind } from './texts.js';

export const mailJobs = 'mail';

export type MailJob = {
  id: string;
  appId: string;
  kind: MailKind;
  to: string | null;
  code: string | null;
  provider: (typeof providers)[number] | null;
  acceptLanguage: string | null;
  /** When it was asked for, by the service's clock. */
  at: number;
};

export function deliverMail(deps: Deps): void {
  deps.queue.handle<MailJob>(mailJobs, (job) => deliver(deps, job), {
    concurrency: smtpConnections,
    // Thirteen tries: six within the life of a code, the last after some eight hours.
    retryLimit: 12,
    retryDelaySeconds: 5,
    // Longer than a send can take, and short enough for a code to be of use after a process died with it.
    expireSeconds: 90,
  });
}

async function deliver(deps: Deps, job: MailJob): Promise<void> {
  const { id, appId, kind, to } = job;
  if (to === null) return;
  if (job.code !== null && deps.clock.now().getTime() - job.at > limits.codeSeconds * 1_000) {
    deps.logger.warn({ app_id: appId, kind }, 'a code expired before it could be mailed');
    return;
  }
  const app = await deps.apps.byId(appId);
  if (!app) return;
  const at = new Date(job.at);
  const code = job.code ?? undefined;
  const composed = compose(app, {
    kind,
    email: to,
    code,
    acceptLanguage: job.acceptLanguage ?? undefined,
    service: job.provider ? new URL(deps.providers[job.provider].issuers[0] as string).hostname : undefined,
    at,
  });
  const mail: Mail = { ...composed, id, to, code, at };
  try {
    await deps.mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    deps.logger.warn({ err: error, app_id: appId, kind }, 'a mail was refused for good and is dropped');
  }
}
