// Writes a mail into the queue, in the transaction that gives reason for it. One statement, whether or not anybody is to
// get the mail, and however long the mail server takes.
import type { providers } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { type MailJob, mailJobs } from './deliver-mail.js';
import type { MailKind } from './texts.js';

export type MailRequest = {
  kind: MailKind;
  /** Null writes a decoy: the same statement, and no mail. */
  to: string | null;
  /** For the kinds that are about a code. */
  code?: string | undefined;
  /** For `provider_linked` and `provider_unlinked`. */
  provider?: (typeof providers)[number] | undefined;
  /** The Accept-Language of the call. */
  language?: string | undefined;
};

const languageCharacters = 200;

export async function queueMail(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'queue' | 'mailer' | 'clock' | 'random' | 'limiter' | 'logger'>,
  app: App,
  { kind, to, code, provider, language }: MailRequest,
): Promise<void> {
  if (!deps.mailer.available) {
    // A notice tells of what has happened anyhow; a code that nobody gets is worth nothing.
    if (code === undefined) return;
    throw new ApiError('request/unavailable', { retryAfterSeconds: 60, cause: 'SMTP_URL is not set' });
  }
  // What a signed-in user can cause again and again, at an address that may be a stranger's: each kind by itself, so that
  // none uses up another's. That the email was changed is always told: it is the last that the old address hears, and each
  // change needs a code mailed to the new one. Counted here and not where it is sent, which may take many tries.
  const counted = code === undefined && kind !== 'email_changed' && to !== null;
  if (counted && !(await deps.limiter.consumeNotice(app, to, kind))) {
    deps.logger.warn({ app_id: app.id, kind }, 'too many notices to one address: this one is dropped');
    return;
  }
  const now = deps.clock.now();
  const job: MailJob = {
    id: deps.random.ulid(now),
    appId: app.id,
    kind,
    to,
    code: code ?? null,
    provider: provider ?? null,
    acceptLanguage: language?.slice(0, languageCharacters) ?? null,
    at: now.getTime(),
  };
  await deps.queue.send(tx, mailJobs, job);
}
