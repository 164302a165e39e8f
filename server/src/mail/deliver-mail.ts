// Sends queued mail: composes it with the app's current settings and passes it to the mailer. The queue retries temporary
// failures; mail that is refused permanently or has expired is dropped.
import { limits, type MailDraft } from '@foyer/contract';
import { type Mail, MailRefusedError, smtpConnections } from '../../engines/mailer/index.js';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { compose, type InvitationMail, type SettingsChangeMail } from './compose.js';
import { withDraft } from './draft.js';
import { findLanguage } from './store.js';
import type { MailKind } from './words.js';

export const mailJobs = 'mail';

/** What is undefined is null in jobs that an earlier release queued. */
export type MailJob = {
  id: string;
  appId: string;
  kind: MailKind;
  /** Null queues a decoy: the same statement without a mail. */
  to: string | null;
  /** The code, if the mail has one. */
  code?: string | null | undefined;
  /** The provider of `provider_linked` and `provider_unlinked`. */
  provider?: string | null | undefined;
  /** The device of `new_device`, in words. */
  device?: string | null | undefined;
  /** The content of `invitation`. */
  invitation?: InvitationMail | null | undefined;
  /** The content of `sign_in_settings_changed`. */
  settingsChange?: SettingsChangeMail | null | undefined;
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
    // The limit is longer than a send can take, and short enough for a code to be useful after a crash.
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
  const service = job.provider ? hostOfProvider(deps, app, job.provider) : undefined;
  // Only now, and not in the request, whose time must not tell whether the email has an account.
  const stored = job.draft ? null : await findLanguage(deps.prisma, appId, to);
  const acceptLanguage = stored ?? job.acceptLanguage;
  const about = { ...job, email: to, service, at, acceptLanguage };
  const composed = compose(job.draft ? withDraft(app, job.draft) : app, about);
  const mail: Mail = { ...composed, id, to, code: job.code ?? undefined, at };
  try {
    await deps.mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    deps.logger.warn({ err: error, app_id: appId, kind }, 'a mail was refused for good and is dropped');
  }
}

/** The host by which the mail names the provider; the id of one that was removed from the settings since. */
function hostOfProvider({ providers }: Pick<Deps, 'providers'>, { settings }: App, id: string): string {
  const builtIn = id === 'provider-a' || id === 'provider-b' ? providers[id].issuers[0] : undefined;
  const issuer = builtIn ?? Object.entries(settings.providers).find(([each]) => each === id)?.[1].issuer;
  return issuer === undefined ? id : new URL(issuer).hostname;
}
