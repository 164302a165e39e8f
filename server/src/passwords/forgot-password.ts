// POST /auth/password/forgot: mails a reset code, and returns its flow. An email without an account gets a decoy.
import { newFlow } from '../codes/code-flow.js';
import { mayMailCode } from '../codes/mail-budget.js';
import { requireMailer, sendCode } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { findAccountByEmail } from '../users/account.js';

export async function forgotPassword(
  deps: Deps,
  app: App,
  input: { email: string; language: string | undefined; ipAddress: string | null },
): Promise<string> {
  requireMailer(deps);
  const { email, language } = input;
  if (!(await mayMailCode(deps, app, { ...input, purpose: 'reset' }))) return newFlow(deps);
  const decoy = (await findAccountByEmail(deps.query, app.id, email)) === null;
  return sendCode(deps, app, { purpose: 'reset', subject: email, email, decoy, language });
}
