// Who runs a request with an idempotency key: the first call claims it, later ones get its answer. A call that died is
// taken over once its lease is over; one that still runs then finds that its claim is gone, and changes nothing.
import { limits } from '@foyer/contract';
import type { Prisma, PrismaClient } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { equalInConstantTime } from '../lib/crypto/digest.js';
import {
  type ClaimRow,
  deleteClaim,
  findKey,
  insertClaim,
  type KeyPlace,
  type KeyRow,
  replaceClaim,
  writeAnswer,
} from './store.js';
import { openAnswer, requestHmac, type StoredResponse, sealAnswer } from './stored-response.js';

export { deleteExpiredKeys } from './store.js';

export type Claim = {
  /** False, with nothing written, when another call has taken over. */
  keep(db: PrismaClient | Prisma.TransactionClient, answer: StoredResponse): Promise<boolean>;
  /** The call came to nothing that is to be repeated: the next one runs anew. */
  release(): Promise<void>;
};

type ClaimDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>;

/** Longer than anything that a call may take: its statements and transactions have limits of their own. */
const leaseMilliseconds = 60_000;
const keptMilliseconds = limits.idempotencyHours * 60 * 60 * 1_000;
const firstPauseMilliseconds = 20;
const maxPauseMilliseconds = 250;
/** With the growing pauses these are some five seconds. */
const maxLooks = 24;

/** The claim to run with, or the answer of the call that ran before, for which it waits a few seconds. */
export async function claimKey(
  deps: ClaimDeps,
  place: KeyPlace,
  digest: Buffer,
): Promise<{ claim: Claim } | { answer: StoredResponse }> {
  let pause = firstPauseMilliseconds;
  for (let looks = 0; looks < maxLooks; looks += 1) {
    if (looks > 0) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 1.5, maxPauseMilliseconds);
    }
    const own = newClaim(deps, digest);
    if (await insertClaim(deps.prisma, place, own)) return { claim: claimOf(deps, place, own, digest) };
    const found = await findKey(deps.prisma, place);
    // Its call gave it up in between.
    if (!found) continue;
    if (isFree(deps, found, digest)) {
      if (await replaceClaim(deps.prisma, place, found, own))
        return { claim: claimOf(deps, place, own, digest) };
    } else if (found.answer) return { answer: openAnswer(deps.keyRing, place, found.answer) };
  }
  throw new ApiError('request/idempotency-key-in-progress', { retryAfterSeconds: 1 });
}

function newClaim(deps: ClaimDeps, digest: Buffer): ClaimRow {
  const now = deps.clock.now();
  const keyId = deps.keyRing.currentKeyId;
  return {
    claimId: deps.random.ulid(now),
    claimedAt: now,
    keyId,
    request: requestHmac(deps.keyRing, keyId, digest),
    expiresAt: new Date(now.getTime() + keptMilliseconds),
  };
}

/** Whether another call may have the key; `request/idempotency-key-reused` when it was sent with another request. */
function isFree(deps: ClaimDeps, found: KeyRow, digest: Buffer): boolean {
  const now = deps.clock.now().getTime();
  if (found.expiresAt.getTime() <= now) return true;
  // Nothing can be said of it by an instance that does not hold the key: to run it anew could do it twice.
  if (!deps.keyRing.has(found.keyId)) {
    throw new ApiError('request/unavailable', {
      retryAfterSeconds: 1,
      cause: `ENCRYPTION_KEYS has no key with the id ${found.keyId}`,
    });
  }
  if (!equalInConstantTime(found.request, requestHmac(deps.keyRing, found.keyId, digest)))
    throw new ApiError('request/idempotency-key-reused');
  return found.answer === null && found.claimedAt.getTime() + leaseMilliseconds <= now;
}

function claimOf(deps: ClaimDeps, place: KeyPlace, { claimId }: ClaimRow, digest: Buffer): Claim {
  return {
    keep: (db, answer) => writeAnswer(db, place, claimId, sealAnswer(deps.keyRing, place, digest, answer)),
    release: () => deleteClaim(deps.prisma, place, claimId),
  };
}
