// POST /admin/settings/preview-mail and test-mail: the mail that a user would receive, shown, or mailed to the team member
// who calls.
import type { MailDraft, MailedTo, RenderedMail } from '@foyer/contract';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { ApiError } from '../lib/api-error.js';
import { compose } from '../mail/compose.js';
import { sampleCode, withDraft } from '../mail/draft.js';
import { queueMail } from '../mail/queue-mail.js';
import type { Actor } from '../model/actor.js';

const sampleEmail = 'user@example.com';

export async function previewMail(
  deps: Pick<Deps, 'apps' | 'clock' | 'config'>,
  appId: string,
  draft: MailDraft,
): Promise<RenderedMail> {
  const app = withDraft(await deps.apps.fresh(appId), draft);
  const { fromName, replyTo, subject, text, html } = compose(app, {
    kind: draft.purpose,
    email: sampleEmail,
    code: sampleCode,
    acceptLanguage: draft.language,
    at: deps.clock.now(),
  });
  const fromEmail = deps.config.smtp?.from ?? null;
  return { from_name: fromName, from_email: fromEmail, reply_to: replyTo, subject, text, html };
}

/** The recipient is the caller's own email, so that nobody else can be mailed. */
export async function testMail(
  deps: Deps,
  appId: string,
  draft: MailDraft,
  member: { uid: string; email: string },
  actor: Actor,
  store: StoreResponse<MailedTo>,
): Promise<MailedTo> {
  const answer = { to: member.email };
  if (!deps.mailer.available) throw new ApiError('admin/mail-not-configured');
  const app = await deps.apps.fresh(appId);
  await deps.limiter.consume('notice-email', app, `test-mail ${member.uid}`);
  const { purpose, language } = draft;
  await deps.prisma.$transaction(async (tx) => {
    await queueMail(tx, deps, app, { kind: purpose, to: member.email, code: sampleCode, draft, language });
    await writeAuditEntry(tx, deps, {
      appId,
      actor,
      action: 'mail.tested',
      target: `app:${appId}`,
      details: { purpose, language },
    });
    await store(tx, answer);
  });
  deps.queue.wake();
  return answer;
}
