// Limits on emailed codes (conventions of the API, "Mail"). A refusal is never visible: the response and the work are the
// same, but no mail is sent. The audit log records when a budget is used up.
import { anonymous, recordLimitReached } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import type { CountedMail } from '../lib/rate-limit/rate-limit.js';
import type { App } from '../model/app.js';
import type { CodePurpose } from './store.js';

type BudgetDeps = Pick<Deps, 'limiter' | 'auditBuffer'>;

/** Counts one code for an email, with or without an account. To be refunded if an allowed mail fails. */
export async function countMail(
  deps: BudgetDeps,
  app: App,
  { purpose, email, ipAddress }: { purpose: CodePurpose; email: string; ipAddress: string | null },
): Promise<Pick<CountedMail, 'isAllowed' | 'refund'>> {
  const counted = await deps.limiter.consumeMail(app, { kind: purpose, email, ipAddress });
  if (counted.reachedTotal) {
    const actor = anonymous(ipAddress);
    deps.auditBuffer.add({ appId: app.id, actor, action: 'user.mails_slowed', email, details: { purpose } });
  }
  return counted;
}

/**
 * Counts a code for an email without an account against the limit of the app. Equal work for an email with an account.
 */
export async function mayMailStranger(deps: BudgetDeps, app: App, isStranger: boolean): Promise<boolean> {
  const { isAllowed, reachedLimit } = await deps.limiter.consumeMailToStranger(app, isStranger);
  if (reachedLimit) recordLimitReached(deps, app.id, 'mails_to_strangers_per_hour');
  return isAllowed;
}
