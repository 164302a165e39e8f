// POST /me/email: the change takes effect when the code sent to the new email is confirmed.
import { newFlow } from '../codes/code-flow.js';
import { mayMailCode, mayMailStranger } from '../codes/mail-budget.js';
import { requireMailer, sendCode } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { emailInUse, findAccountByEmail } from '../users/account.js';

/** Returns the flow of the code. */
export async function sendEmailChange(
  deps: Deps,
  app: App,
  ids: { appId: string; uid: string; sessionId: string },
  input: { email: string; language: string | undefined; ipAddress: string | null },
): Promise<string> {
  requireMailer(deps);
  const { email, language } = input;
  if (await findAccountByEmail(deps.query, app.id, email)) throw emailInUse();
  if (!(await mayMailCode(deps, app, { ...input, purpose: 'email_change' }))) return newFlow(deps);
  const isAllowed = await mayMailStranger(deps, app, true);
  return sendCode(deps, app, {
    purpose: 'email_change',
    subject: ids.uid,
    email,
    decoy: !isAllowed,
    demand: (tx) => lockUserOfCall(tx, ids),
    language,
  });
}
