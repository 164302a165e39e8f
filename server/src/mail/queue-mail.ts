// Writes a mail into the queue, in the transaction that gives reason for it. One statement, whether or not anybody is to
// get the mail, and however long the mail server takes.
import type { providers } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type MailJob, mailJobs } from './deliver-mail.js';
import type { MailKind } from './texts.js';

export type MailRequest = {
  kind: MailKind;
  /** Null writes a decoy: the same statement, and no mail. */
  to: string | null;
  /** For the kinds that are about a code. */
  code?: string | undefined;
  /** For `provider_linked`. */
  provider?: (typeof providers)[number] | undefined;
  /** The Accept-Language of the call. */
  language?: string | undefined;
};

const languageCharacters = 200;

export async function queueMail(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'queue' | 'mailer' | 'clock' | 'random'>,
  app: Pick<App, 'id'>,
  { kind, to, code, provider, language }: MailRequest,
): Promise<void> {
  if (!deps.mailer.available) {
    // A notice tells of what has happened anyhow; a code that nobody gets is worth nothing.
    if (code === undefined) return;
    throw new ApiError('request/unavailable', { retryAfterSeconds: 60, cause: 'SMTP_URL is not set' });
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
