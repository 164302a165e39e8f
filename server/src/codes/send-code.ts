// Mails a code. The writes are the same whether or not a mail is sent: an email without an account gets a decoy, so that
// all later responses are the same too. The response is always a flow, which binds the code to the client that requested it;
// without a mail it refers to no code.
import { limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import type { KnownClient } from '../../engines/limiter/index.js';
import { type ChangeRecord, change } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { requireMailer } from '../mail/queue-mail.js';
import type { Call } from '../model/call.js';
import { hashOfCode, hashOfFlow } from './code-hash.js';
import { countMail } from './mail-budget.js';
import { type CodePurpose, insertCode } from './store.js';

export type RequestedCode = {
  purpose: CodePurpose;
  /** The email, or the uid of a signed-in user. */
  subject: string;
  /** Receives the code unless it is a decoy. */
  email: string;
  /** The client, if it proved an earlier sign-in to the account, and whether the account's email is verified. */
  known?: { client: KnownClient; isVerified: boolean } | null;
  /** Tells whether nothing is mailed. It is asked once the limits of the email allow a mail. */
  decoy?: () => Promise<boolean>;
  /** A precondition of the request, checked first in the transaction that inserts the code. */
  demand?: (tx: Tx, record: ChangeRecord) => Promise<unknown>;
  /** The caller is told that a limit allows no mail now, which nobody else may learn. */
  tellsLimits?: boolean;
};

/** The body of all responses. */
export const codeSent = { expires_in: limits.codeSeconds };

/**
 * Returns the flow of the code. A client that sends the flow of an earlier request continues it, so that it can still use the
 * code that was mailed before, if this call mails none.
 */
export async function sendCode(deps: Deps, call: Call, mail: RequestedCode): Promise<string> {
  // Without a mailer every request is refused alike, before any query.
  requireMailer(deps);
  const flow = call.codeFlow ?? newFlow(deps);
  const { purpose: kind, email, known } = mail;
  const { client = null, isVerified = false } = known ?? {};
  const of = { kind, email, ip: call.ip, known: client, isVerified };
  const counted = await countMail(deps, call.app, of);
  if (!counted.isAllowed) {
    if (mail.tellsLimits) throw mailLater(counted.resetSeconds);
    return flow;
  }
  try {
    await queueCode(deps, call, mail, { flow, isSlow: counted.isSlow });
  } catch (error) {
    // A retry within seconds would otherwise be answered like a success, and mail nothing.
    await counted.refund();
    throw error;
  }
  return flow;
}

async function queueCode(
  deps: Deps,
  call: Call,
  mail: RequestedCode,
  { flow, isSlow }: { flow: string; isSlow: boolean },
): Promise<void> {
  const decoy = await mail.decoy?.();
  const { purpose, subject, email } = mail;
  const now = deps.clock.now();
  const code = randomCode(deps);
  const key = { appId: call.app.id, purpose, subject };
  const keyId = deps.keyRing.currentKeyId;
  const row = {
    id: deps.random.ulid(now),
    email,
    keyId,
    codeHash: hashOfCode(deps.keyRing, keyId, key, { email, code }),
    flowHash: hashOfFlow(flow),
    // In the slow lane only the requesting client may guess; strangers would otherwise use up the guesses. This does not apply
    // to signed-in users, whose codes only they can guess, nor to v1, which has no flows.
    flowOnly: isSlow && call.codeFlow !== undefined && subject === email,
    byKnown: mail.known != null,
    now,
  };
  await change(deps, call, async (tx, record) => {
    await mail.demand?.(tx, record);
    if (!(await insertCode(tx, key, row))) {
      if (mail.tellsLimits) throw mailLater(limits.codeSeconds);
      return;
    }
    await record.mail(call.app, { kind: purpose, to: decoy ? null : email, code });
  });
}

function mailLater(retryAfterSeconds: number): ApiError {
  return new ApiError('request/rate-limited', { retryAfterSeconds });
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
