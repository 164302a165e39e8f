// Verifies a guess at an emailed code. A correct code is consumed later, in the transaction of the operation.
import type { Tx } from '@foyer/prisma';
import type { KnownClient } from '../../engines/limiter/index.js';
import { type Failure, recordFailures, recordRefused } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { equalInConstantTime } from '../lib/crypto/digest.js';
import type { Call } from '../model/call.js';
import { hashOfCode, hashOfFlow } from './code-hash.js';
import { checkCode } from './code-rules.js';
import {
  type CodeKey,
  type CodeRow,
  consumeCodes,
  countGuess,
  findCodeOfFlow,
  uncountGuess,
} from './store.js';

export type ProvenCode = {
  /** The email that the code was sent to. */
  email: string;
  /** The flow that identified the code, if any. */
  flow: string | null;
  /**
   * Consumes the code and all sent before the guess; throws `auth/invalid-code` if another request consumed it first.
   */
  spend(tx: Tx): Promise<void>;
  /**
   * Runs the operation that the code authorizes. If it fails, the guess is taken back: only wrong guesses use up a code, and a
   * client that mistypes its second factor, or is asked to retry later, must not lose it.
   */
  authorize<T>(operation: () => Promise<T>): Promise<T>;
};

/** A guess at a code: of the flow of the call if it sends one, otherwise the newest. */
export type CodeProof = Pick<CodeKey, 'purpose' | 'subject'> & { code: string; by: Guesser };

/** The client that guesses. */
export type Guesser = {
  /** The email that the code was sent to. */
  email: string;
  /** The user of the email, if any. */
  uid: string | null;
  /** The proof that the client has signed in to the account before, if any: a stranger has none. */
  known: KnownClient | null;
  /** The email is verified. Otherwise a stranger may have signed up with it, on any number of devices. */
  isVerified: boolean;
  /** The user is signed in to the call: then a guess with a flow counts as a failure of the user, too. */
  isSignedIn?: boolean;
};

type Guess = { code: string; flow: string | null };
type VerifyDeps = Pick<Deps, 'prisma' | 'clock' | 'keyRing' | 'limiter'>;
type CodeCall = Pick<Call, 'app' | 'actor' | 'ip' | 'codeFlow'>;

/**
 * Counts and checks a guess, and runs the operation that the code authorizes. Throws `auth/invalid-code`, `auth/code-expired`,
 * or over the limits of guesses `request/rate-limited`; each is recorded as the failure.
 */
export async function withVerifiedCode<T>(
  deps: VerifyDeps & Pick<Deps, 'auditBuffer' | 'dailyCounters'>,
  call: CodeCall,
  proof: CodeProof & { failure: Omit<Failure, 'method'> },
  operation: (code: ProvenCode) => Promise<T>,
): Promise<T> {
  const failure: Failure = { ...proof.failure, method: 'email_code' };
  const code = await recordFailures(deps, call, failure, () => verifyCode(deps, call, proof));
  return code.authorize(() => recordRefused(deps, call, failure, () => operation(code)));
}

async function verifyCode(
  deps: VerifyDeps,
  { app, ip, codeFlow = null }: CodeCall,
  { purpose, subject, code, by }: CodeProof,
): Promise<ProvenCode> {
  const key = { appId: app.id, purpose, subject };
  const found = codeFlow === null ? null : await findCodeOfFlow(deps.prisma, key, hashOfFlow(codeFlow));
  // A flow that identifies no code counts as none. A call that mailed nothing returned it, and the code mailed before must
  // still work.
  const guess = { code, flow: found && codeFlow };
  const { email, uid } = by;
  const known = by.known ?? (found?.byKnown && uid !== null ? { uid } : null);
  const judge = async () => {
    // A session proves nothing about the email that it asks to change to: any number of accounts may guess at it.
    const client = by.isVerified ? known : known && { uid: known.uid };
    const knownAt = purpose === 'email_change' ? null : client;
    const of = { kind: purpose, email, ip, known: knownAt, flowOnly: found?.flowOnly ?? false };
    return judgeGuess(deps, key, guess, await deps.limiter.consumeCodeGuess(app, of));
  };
  // Guesses with a flow are counted on its code, so that other clients cannot use them up.
  if (guess.flow !== null && !by.isSignedIn) return judge();
  return deps.limiter.countFailure(app, known ?? { email, ip, proof: 'code' }, judge);
}

/** Counts and checks a guess. `flow` is null or belongs to an existing code. */
export async function judgeGuess(
  deps: Omit<VerifyDeps, 'limiter'>,
  key: CodeKey,
  { code: guess, flow }: Guess,
  budget: { refund(): Promise<void> },
): Promise<ProvenCode> {
  const row = await countGuess(deps.prisma, key, flow === null ? null : hashOfFlow(flow)).catch(
    async (error) => {
      await budget.refund();
      throw error;
    },
  );
  const now = deps.clock.now();
  const verdict = checkCode(row, now, () => row !== null && fits(deps, key, row, guess));
  // Without a code to guess, a client learns nothing and must not use up the budget of the others.
  if (verdict !== 'wrong') await budget.refund();
  if (verdict === 'expired') throw new ApiError('auth/code-expired');
  if (verdict !== 'right' || row === null) throw new ApiError('auth/invalid-code');
  return {
    email: row.email,
    flow,
    async spend(tx) {
      if (!(await consumeCodes(tx, key, row, now))) throw new ApiError('auth/invalid-code');
    },
    async authorize(operation) {
      try {
        return await operation();
      } catch (error) {
        // If the database is unavailable, the guess stays counted, and the caller gets the error of the operation.
        await uncountGuess(deps.prisma, key, row.id, flow !== null).catch(() => {});
        throw error;
      }
    },
  };
}

function fits(deps: Pick<Deps, 'keyRing'>, key: CodeKey, row: CodeRow, guess: string): boolean {
  // A code whose encryption key was removed lives ten minutes at most; it counts as wrong.
  if (!deps.keyRing.has(row.keyId)) return false;
  return equalInConstantTime(
    hashOfCode(deps.keyRing, row.keyId, key, { email: row.email, code: guess }),
    row.codeHash,
  );
}
