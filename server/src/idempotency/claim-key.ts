// Claims an idempotency key: the first request executes, later ones get its response. After the lease of a crashed request
// another one takes over; if the first is still running, it finds its claim replaced and changes nothing.
import { limits } from '@foyer/contract';
import type { Db } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { equalInConstantTime } from '../lib/crypto/digest.js';
import { retry } from '../lib/retry.js';
import { hourMilliseconds } from '../lib/timestamp.js';
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

export type Claim = {
  /** False, without a write, when another request has taken over. */
  keep(db: Db, answer: StoredResponse): Promise<boolean>;
  /** Stores no response: the next request executes again. */
  release(): Promise<void>;
};

type Claimed = { claim: Claim } | { answer: StoredResponse };
type ClaimDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>;

/** The lease is longer than any request, since statements and transactions have timeouts. */
const leaseMilliseconds = 60_000;
const storedMilliseconds = limits.idempotencyHours * hourMilliseconds;
/** The pauses in milliseconds; together about five seconds. */
const pauses = Array.from({ length: 23 }, (_, place) => Math.min(20 * 1.5 ** place, 250));

/** Returns a claim, or the response of the first request, for which it waits a few seconds. */
export async function claimKey(deps: ClaimDeps, place: KeyPlace, digest: Buffer): Promise<Claimed> {
  const claimed = await retry(pauses, () => claimOnce(deps, place, digest));
  if (!claimed) throw new ApiError('request/idempotency-key-in-progress', { retryAfterSeconds: 1 });
  return claimed;
}

/** Returns null while the first request runs, and if the key changed hands meanwhile. */
async function claimOnce(deps: ClaimDeps, place: KeyPlace, digest: Buffer): Promise<Claimed | null> {
  const own = newClaim(deps, digest);
  if (await insertClaim(deps.prisma, place, own)) return claimOf(deps, place, own, digest);
  const found = await findKey(deps.prisma, place);
  // Released in the meantime.
  if (!found) return null;
  if (isFree(deps, found, digest)) {
    const replaced = await replaceClaim(deps.prisma, place, found, own);
    return replaced ? claimOf(deps, place, own, digest) : null;
  }
  return found.answer && { answer: openAnswer(deps.keyRing, place, found.answer).answer };
}

function newClaim(deps: ClaimDeps, digest: Buffer): ClaimRow {
  const now = deps.clock.now();
  const keyId = deps.keyRing.currentKeyId;
  return {
    claimId: deps.random.ulid(now),
    claimedAt: now,
    keyId,
    request: requestHmac(deps.keyRing, keyId, digest),
    expiresAt: new Date(now.getTime() + storedMilliseconds),
  };
}

/** Throws `request/idempotency-key-reused` if the key was used with another request. */
function isFree(deps: ClaimDeps, found: KeyRow, digest: Buffer): boolean {
  const now = deps.clock.now().getTime();
  if (found.expiresAt.getTime() <= now) return true;
  // Without the encryption key the request cannot be compared, and executing it might do so twice.
  if (!deps.keyRing.has(found.keyId)) {
    throw new ApiError('request/unavailable', {
      retryAfterSeconds: 1,
      cause: `ENCRYPTION_KEYS has no key with the id ${found.keyId}`,
    });
  }
  if (!equalInConstantTime(found.request, requestHmac(deps.keyRing, found.keyId, digest)))
    throw new ApiError('request/idempotency-key-reused');
  if (found.answer !== null) return false;
  // A claim from far in the future is of a clock that has stepped back: no caller must wait until then.
  return Math.abs(now - found.claimedAt.getTime()) >= leaseMilliseconds;
}

function claimOf(deps: ClaimDeps, place: KeyPlace, { claimId }: ClaimRow, digest: Buffer): { claim: Claim } {
  return {
    claim: {
      keep: (db, answer) => writeAnswer(db, place, claimId, sealAnswer(deps.keyRing, place, digest, answer)),
      release: () => deleteClaim(deps.prisma, place, claimId),
    },
  };
}
