// POST /admin/settings/preview-mail and test-mail: the mail that a user would receive, shown, or mailed to the team member
// who calls.
import type { MailDraft, MailedTo, RenderedMail } from '@foyer/contract';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { ApiError } from '../lib/api-error.js';
import { compose, isCode, wordsOf } from '../mail/compose.js';
import { sampleCode, withDraft } from '../mail/draft.js';
import type { TeamCall } from '../model/call.js';

const sampleEmail = 'user@example.com';
const sampleService = 'accounts.google.com';
const sampleDevice = 'Firefox 131, Android 15, 203.0.113.7';

export async function previewMail(
  deps: Pick<Deps, 'apps' | 'clock' | 'config'>,
  appId: string,
  draft: MailDraft,
): Promise<RenderedMail> {
  const app = withDraft(await deps.apps.fresh(appId), draft);
  const { purpose: kind, language: acceptLanguage } = draft;
  const { fromName, replyTo, subject, text, html } = compose(app, {
    kind,
    email: sampleEmail,
    code: sampleCode,
    acceptLanguage,
    service: sampleService,
    device: sampleDevice,
    at: deps.clock.now(),
  });
  const fromEmail = deps.config.smtp?.from ?? null;
  const { language, ...words } = wordsOf(app, { kind, acceptLanguage });
  const sender = { from_name: fromName, from_email: fromEmail, reply_to: replyTo };
  return { ...sender, subject, text, html, language, words };
}

/** The recipient is always the caller's own email. */
export async function testMail(
  deps: Deps,
  call: TeamCall,
  draft: MailDraft,
  store: StoreResponse<MailedTo>,
): Promise<MailedTo> {
  const { uid, session } = call.member;
  const answer = { to: session.email };
  if (!deps.mailer.available) throw new ApiError('admin/mail-not-configured');
  const app = await deps.apps.fresh(call.app.id);
  await deps.limiter.consume('notice-email', app, `test-mail ${uid}`);
  const { purpose, language } = draft;
  return change(deps, call, async (tx, record) => {
    const content = isCode(purpose)
      ? { code: sampleCode }
      : { provider: 'provider-a' as const, device: sampleDevice };
    await record.mail(app, { kind: purpose, to: session.email, ...content, draft, language });
    await record.audit({ action: 'mail.tested', target: `app:${app.id}`, details: { purpose, language } });
    await store(tx, answer);
    return answer;
  });
}
