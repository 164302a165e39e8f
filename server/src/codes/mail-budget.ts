// Limits on emailed codes. A refusal is never visible: the response and the work are the same, but no mail is sent. The audit
// log records when a budget is used up.
import type { CodeMail, CountedMail, MailToStranger } from '../../engines/limiter/index.js';
import { anonymous, recordLimitReached } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';

type BudgetDeps = Pick<Deps, 'limiter' | 'auditBuffer'>;

/** Counts one code for an email, with or without an account. The caller refunds it if a mail that was allowed fails. */
export async function countMail(
  deps: BudgetDeps,
  app: App,
  mail: CodeMail,
): Promise<Omit<CountedMail, 'reachedTotal'>> {
  const { email, ip, kind: purpose } = mail;
  const counted = await deps.limiter.consumeMail(app, mail);
  if (counted.reachedTotal) {
    const actor = anonymous(ip);
    deps.auditBuffer.add({ appId: app.id, actor, action: 'user.mails_slowed', email, details: { purpose } });
  }
  return counted;
}

/**
 * Counts a code for an email without an account against the limit of the app, and does the same work for an email with one.
 */
export async function mayMailStranger(deps: BudgetDeps, app: App, mail: MailToStranger): Promise<boolean> {
  const { isAllowed, reached } = await deps.limiter.consumeMailToStranger(app, mail);
  recordLimitReached(deps, app.id, 'mails_to_strangers_per_hour', { ...mail, reached });
  return isAllowed;
}
