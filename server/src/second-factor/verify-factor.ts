// Verifies the second factor of an enrolled user. The guess is counted, and the count committed, before it is judged; a right one
// is used up in the transaction of what it authorizes, so that of any number of parallel calls one succeeds.
import { limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { type ChangeRecord, changeInTurn, turnOf } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { userActor } from '../model/actor.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import type { FactorKind } from '../sessions/new-session.js';
import { afterRightGuess, guessesPolicy, judgeFactorGuess } from './guess-rules.js';
import { hashOfRecoveryCode } from './recovery-codes.js';
import { type EnrolledRow, isEnrolled, lockFactor, writeFactor } from './store.js';
import { decryptSecret } from './stored-secret.js';
import { stepOfCode } from './totp.js';

/** A code of the authenticator app, or a recovery code. */
export type FactorProof = { totp?: string | undefined; recovery_code?: string | undefined };

export type VerifiedFactor = {
  factor: FactorKind;
  /** Uses the proof up, once the user's row is locked. Throws `auth/invalid-code` if another call did meanwhile. */
  spend(tx: Tx, record: ChangeRecord, to: string): Promise<void>;
};

export function factorOf({ totp }: FactorProof): FactorKind {
  return totp === undefined ? 'recovery_code' : 'totp';
}

/**
 * `ticket` is the hash of the ticket of a sign-in, or null. Throws `auth/invalid-code`; `request/rate-limited` above the limit
 * of the user; and `auth/invalid-token` for a ticket that is used up, or if there is no factor any more.
 */
export async function verifyFactor(
  deps: Deps,
  call: Call,
  { uid, ticket }: { uid: string; ticket: string | null },
  proof: FactorProof,
): Promise<VerifiedFactor> {
  const { app } = call;
  const ids = { appId: app.id, uid };
  const guess = ticket ?? '';
  const row = await changeInTurn(deps, call, (tx) => countGuess(tx, deps, ids, guess), turnOf(uid));
  const secret = decryptSecret(deps.keyRing, ids, row.secret);
  const factor = factorOf(proof);
  const used = usedBy(secret, proof, row, deps.clock.now());
  if (!used) throw new ApiError('auth/invalid-code');
  return {
    factor,
    async spend(tx, record, to) {
      const current = await lockFactor(tx, ids);
      const isSame = isEnrolled(current) && current.enrolledAt.getTime() === row.enrolledAt.getTime();
      const rest = isSame && usedBy(secret, proof, current, deps.clock.now());
      if (!rest || (guess !== '' && current.usedTickets.includes(guess)))
        throw new ApiError('auth/invalid-code');
      await writeFactor(tx, ids, { ...rest, ...afterRightGuess(current, guess) });
      if (rest.recoveryHashes)
        await reportRecoveryCode(record, { app, call, uid, to }, rest.recoveryHashes.length);
    },
  };
}

/** What a right proof changes in the row; null for a wrong one. */
function usedBy(
  secret: Buffer,
  { totp, recovery_code }: FactorProof,
  { lastStep, recoveryHashes }: EnrolledRow,
  now: Date,
): { lastStep?: number; recoveryHashes?: string[] } | null {
  if (totp !== undefined) {
    const step = stepOfCode(secret, totp, { now, lastStep });
    return step === null ? null : { lastStep: step };
  }
  const hash = hashOfRecoveryCode(secret, recovery_code ?? '');
  const left = recoveryHashes.filter((each) => each !== hash);
  return left.length < recoveryHashes.length ? { recoveryHashes: left } : null;
}

async function countGuess(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  ids: UserIds,
  ticket: string,
): Promise<EnrolledRow> {
  const row = await lockFactor(tx, ids);
  if (!isEnrolled(row)) throw new ApiError('auth/invalid-token');
  const judged = judgeFactorGuess(row, { ticket, now: deps.clock.now() });
  if (judged.verdict === 'used-up') throw new ApiError('auth/invalid-token');
  if (judged.verdict === 'limited') {
    const { retryAfterSeconds } = judged;
    throw new ApiError('request/rate-limited', { retryAfterSeconds, auditDetails: { limit: guessesPolicy } });
  }
  await writeFactor(tx, ids, judged.guesses);
  return row;
}

async function reportRecoveryCode(
  record: ChangeRecord,
  { app, call, uid, to }: { app: App; call: Pick<Call, 'ip'>; uid: string; to: string },
  left: number,
): Promise<void> {
  const actor = userActor(uid, call.ip);
  await record.audit({
    action: 'user.recovery_code_used',
    uid,
    actor,
    details: { left, of: limits.recoveryCodes },
  });
  await record.mail(app, { kind: 'recovery_code_used', to });
}
