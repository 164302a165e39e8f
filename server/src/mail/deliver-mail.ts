// Sends queued mail: composes it with the app's current settings and passes it to the mailer. The queue retries temporary
// failures; mail that is refused permanently or has expired is dropped.
import { limits, type MailDraft, type providers } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { type Mail, MailRefusedError, smtpConnections } from '../lib/mail/mail.js';
import { compose, type InvitationMail } from './compose.js';
import { withDraft } from './draft.js';
import type { MailKind } from './texts.js';

export const mailJobs = 'mail';

/** What is undefined is null in jobs that an earlier release queued. */
export type MailJob = {
  id: string;
  appId: string;
  kind: MailKind;
  /** Null queues a decoy: the same statement without a mail. */
  to: string | null;
  /** For mails with a code. */
  code?: string | null | undefined;
  /** For `provider_linked` and `provider_unlinked`. */
  provider?: (typeof providers)[number] | null | undefined;
  /** For `invitation`. */
  invitation?: InvitationMail | null | undefined;
  /** The text of a test mail. */
  draft?: MailDraft | null | undefined;
  acceptLanguage?: string | null | undefined;
  /** The time of the request, by the service's clock. */
  at: number;
};

export function deliverMail(deps: Deps): void {
  deps.queue.handle<MailJob>(mailJobs, (job) => deliver(deps, job), {
    concurrency: smtpConnections,
    // Thirteen attempts: six within the life of a code, the last after about eight hours.
    retryLimit: 12,
    retryDelaySeconds: 5,
    // Longer than a send can take, and short enough for a code to be useful after a crash.
    expireSeconds: 90,
  });
}

async function deliver(deps: Deps, job: MailJob): Promise<void> {
  const { id, appId, kind, to } = job;
  if (to === null) return;
  if (job.code && deps.clock.now().getTime() - job.at > limits.codeSeconds * 1_000) {
    deps.logger.warn({ app_id: appId, kind }, 'a code expired before it could be mailed');
    return;
  }
  const app = await deps.apps.byId(appId);
  if (!app) return;
  const at = new Date(job.at);
  const service = job.provider
    ? new URL(deps.providers[job.provider].issuers[0] as string).hostname
    : undefined;
  const composed = compose(job.draft ? withDraft(app, job.draft) : app, { ...job, email: to, service, at });
  const mail: Mail = { ...composed, id, to, code: job.code ?? undefined, at };
  try {
    await deps.mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    deps.logger.warn({ err: error, app_id: appId, kind }, 'a mail was refused for good and is dropped');
  }
}
