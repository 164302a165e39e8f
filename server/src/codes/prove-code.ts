// Judges a guess at an emailed code. A right code is spent later, in the transaction of what it is for.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { equalInConstantTime } from '../lib/digest.js';
import { hashOfCode } from './code-hash.js';
import { judgeCode } from './code-rules.js';
import { type CodeKey, type CodeRow, consumeCodeRow, countGuess } from './store.js';

export type ProvenCode = {
  /** Where the code was mailed to. */
  email: string;
  /** Spends the code; throws `auth/invalid-code` when another call spent it first. */
  spend(tx: Prisma.TransactionClient): Promise<void>;
};

/** `auth/invalid-code` or `auth/code-expired` for anything but the right code in time. */
export async function proveCode(
  deps: Pick<Deps, 'prisma' | 'clock' | 'keyRing'>,
  key: CodeKey,
  guess: string,
): Promise<ProvenCode> {
  const row = await countGuess(deps.prisma, key);
  const now = deps.clock.now();
  const verdict = judgeCode(row, now, () => row !== null && fits(deps, key, row, guess));
  if (verdict === 'expired') throw new ApiError('auth/code-expired');
  if (verdict !== 'right' || row === null) throw new ApiError('auth/invalid-code');
  return {
    email: row.email,
    async spend(tx) {
      if (!(await consumeCodeRow(tx, key, row.codeHash, now))) throw new ApiError('auth/invalid-code');
    },
  };
}

function fits(deps: Pick<Deps, 'keyRing'>, key: CodeKey, row: CodeRow, guess: string): boolean {
  // A code made under a key that is no longer held lives ten minutes at most; it is simply wrong.
  if (!deps.keyRing.has(row.keyId)) return false;
  return equalInConstantTime(hashOfCode(deps.keyRing, row.keyId, key, row.email, guess), row.codeHash);
}
