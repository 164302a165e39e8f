// Mails a code. The writes are the same whether or not a mail is sent: an email without an account gets a decoy, so that
// all later responses are the same too. The response is always a flow, which binds the code to the client that requested it;
// without a mail it refers to no code.
import { limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { queueMail, requireMailer } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import { hashOfCode, hashOfFlow } from './code-hash.js';
import { countMail } from './mail-budget.js';
import { type CodePurpose, insertCode } from './store.js';

export { deleteCodesSentBefore } from './store.js';

/** The email of a code, which receives it unless it is a decoy, and the Accept-Language header of the request. */
export type CodeRequest = { email: string; language: string | undefined; ipAddress: string | null };

export type CodeMail = CodeRequest & {
  purpose: CodePurpose;
  /** The email, or the uid. */
  subject: string;
  /** Whether nothing is mailed; asked once the limits of the email allow a mail. */
  decoy?: () => Promise<boolean>;
  /** A precondition of a signed-in request, checked first in the transaction that inserts the code. */
  demand?: (tx: Tx) => Promise<unknown>;
};

/** The body of all responses. */
export const codeSent = { expires_in: limits.codeSeconds };

/** Returns the flow of the code. */
export async function sendCode(deps: Deps, app: App, mail: CodeMail): Promise<string> {
  // Without a mailer every request is refused alike, before any query.
  requireMailer(deps);
  const flow = newFlow(deps);
  const counted = await countMail(deps, app, mail);
  if (!counted.isAllowed) return flow;
  try {
    await queueCode(deps, app, mail, flow);
  } catch (error) {
    // A retry within seconds would otherwise be answered like a success, and mail nothing.
    await counted.refund();
    throw error;
  }
  deps.queue.wake();
  return flow;
}

async function queueCode(deps: Deps, app: App, mail: CodeMail, flow: string): Promise<void> {
  const decoy = await mail.decoy?.();
  const now = deps.clock.now();
  const code = randomCode(deps);
  const key = { appId: app.id, purpose: mail.purpose, subject: mail.subject };
  const keyId = deps.keyRing.currentKeyId;
  const row = {
    id: deps.random.ulid(now),
    email: mail.email,
    keyId,
    codeHash: hashOfCode(deps.keyRing, keyId, key, mail.email, code),
    flowHash: hashOfFlow(flow),
    now,
  };
  await deps.prisma.$transaction(async (tx) => {
    await mail.demand?.(tx);
    if (!(await insertCode(tx, key, row))) return;
    const to = decoy ? null : mail.email;
    await queueMail(tx, deps, app, { kind: mail.purpose, to, code, language: mail.language });
  });
}

/** The `X-Code-Flow` of a response: 128 bits. */
export function newFlow(deps: Pick<Deps, 'random'>): string {
  return `fl_${deps.random.bytes(16).toString('base64url')}`;
}

function randomCode(deps: Pick<Deps, 'random'>): string {
  // 2^48 is large enough that the modulo bias is negligible.
  const number = deps.random.bytes(6).readUIntBE(0, 6) % 10 ** limits.codeDigits;
  return String(number).padStart(limits.codeDigits, '0');
}
