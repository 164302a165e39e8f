// The map of queued work: one line a kind of job, and the room that does it.
import { keepIndexes } from './data/keep-indexes.js';
import type { Deps } from './deps.js';
import { removeBytes } from './files/remove-bytes.js';
import { exchangeCodes } from './identities/exchange-code.js';
import { revokeTokens } from './identities/revoke-provider-tokens.js';
import { deliverMail } from './mail/deliver-mail.js';
import { sendPushMessages } from './push-messages/fan-out.js';

export function handleJobs(deps: Deps): void {
  deliverMail(deps);
  sendPushMessages(deps);
  exchangeCodes(deps);
  revokeTokens(deps);
  removeBytes(deps);
  keepIndexes(deps);
}
