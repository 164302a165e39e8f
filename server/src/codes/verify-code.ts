// Verifies a guess at an emailed code. A correct code is consumed later, in the transaction of the operation.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { equalInConstantTime } from '../lib/crypto/digest.js';
import { hashOfCode, hashOfFlow } from './code-hash.js';
import { checkCode } from './code-rules.js';
import {
  type CodeKey,
  type CodeRow,
  consumeCodes,
  countGuess,
  hasCodeOfFlow,
  uncountGuess,
} from './store.js';

export type ProvenCode = {
  /** The email that the code was sent to. */
  email: string;
  /**
   * Consumes the code and all sent before the guess; throws `auth/invalid-code` if another request consumed it first.
   */
  spend(tx: Tx): Promise<void>;
  /**
   * Runs the operation that the code authorizes. If it fails for another reason than the code, the guess is taken back: only
   * wrong guesses use up a code, and a client that is asked to retry later must not lose it.
   */
  authorize<T>(operation: () => Promise<T>): Promise<T>;
};

/** Checks the code of the flow if one is given, otherwise the newest. */
export type CodeGuess = { code: string; flow: string | null };

/**
 * The flow if it identifies a code of the key, otherwise null: then the guess is at the newest code, and counts as one without
 * a flow. The flow of a call that mailed nothing identifies no code, and the code mailed before must still work.
 */
export async function knownFlow(
  deps: Pick<Deps, 'prisma'>,
  key: CodeKey,
  flow: string | null,
): Promise<string | null> {
  return flow !== null && (await hasCodeOfFlow(deps.prisma, key, hashOfFlow(flow))) ? flow : null;
}

/** The flow must be a known one. Throws `auth/invalid-code` or `auth/code-expired`. */
export async function verifyCode(
  deps: Pick<Deps, 'prisma' | 'clock' | 'keyRing'>,
  key: CodeKey,
  { code: guess, flow }: CodeGuess,
): Promise<ProvenCode> {
  const row = await countGuess(deps.prisma, key, flow === null ? null : hashOfFlow(flow));
  const now = deps.clock.now();
  const verdict = checkCode(row, now, () => row !== null && fits(deps, key, row, guess));
  if (verdict === 'expired') throw new ApiError('auth/code-expired');
  if (verdict !== 'right' || row === null) throw new ApiError('auth/invalid-code');
  return {
    email: row.email,
    async spend(tx) {
      if (!(await consumeCodes(tx, key, row, now))) throw new ApiError('auth/invalid-code');
    },
    async authorize(operation) {
      try {
        return await operation();
      } catch (error) {
        const isRefused = error instanceof ApiError && error.code === 'auth/invalid-code';
        // If the database is unavailable, the guess stays counted, and the caller gets the error of the operation.
        if (!isRefused) await uncountGuess(deps.prisma, key, row.id, flow !== null).catch(() => {});
        throw error;
      }
    },
  };
}

function fits(deps: Pick<Deps, 'keyRing'>, key: CodeKey, row: CodeRow, guess: string): boolean {
  // A code whose encryption key was removed lives ten minutes at most; it counts as wrong.
  if (!deps.keyRing.has(row.keyId)) return false;
  return equalInConstantTime(hashOfCode(deps.keyRing, row.keyId, key, row.email, guess), row.codeHash);
}
