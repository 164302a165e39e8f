// The map of queued work: one line a kind of job, and the room that does it.
import type { Deps } from './deps.js';
import { exchangeCodes } from './identities/exchange-code.js';
import { revokeTokens } from './identities/revoke-provider-tokens.js';
import { deliverMail } from './mail/deliver-mail.js';

export function handleJobs(deps: Deps): void {
  deliverMail(deps);
  exchangeCodes(deps);
  revokeTokens(deps);
}
