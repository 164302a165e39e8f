// Queries on idempotency keys. Every one names the app; who may write is decided by the claim on the row.
import type { Db, Prisma } from '@foyer/prisma';

/** Where a key stands: the same key of another actor, or on another route, is another one. */
export type KeyPlace = { appId: string; actor: string; route: string; key: string };

export type ClaimRow = { claimId: string; claimedAt: Date; keyId: number; request: Buffer; expiresAt: Date };

export type KeyRow = {
  claimId: string;
  claimedAt: Date;
  keyId: number;
  request: Uint8Array;
  answer: Uint8Array | null;
  expiresAt: Date;
};

/** False when the key is known already. */
export async function insertClaim(db: Db, place: KeyPlace, claim: ClaimRow): Promise<boolean> {
  const inserted = await db.$executeRaw`INSERT INTO idempotency_keys
      (app_id, actor, route, key, claim_id, claimed_at, key_id, request, expires_at)
    VALUES (${place.appId}, ${place.actor}, ${place.route}, ${place.key}, ${claim.claimId},
      ${claim.claimedAt}::timestamptz, ${claim.keyId}::smallint, ${claim.request}::bytea, ${claim.expiresAt}::timestamptz)
    ON CONFLICT DO NOTHING`;
  return inserted === 1;
}

export async function findKey(db: Db, place: KeyPlace): Promise<KeyRow | null> {
  const [row] = await db.$queryRaw<KeyRow[]>`SELECT claim_id AS "claimId", claimed_at AS "claimedAt",
      key_id AS "keyId", request, answer, expires_at AS "expiresAt"
    FROM idempotency_keys WHERE app_id = ${place.appId} AND actor = ${place.actor} AND route = ${place.route}
      AND key = ${place.key}`;
  return row ?? null;
}

/** Takes the row as it was found for another call; false when it is not as it was found any more. */
export async function replaceClaim(
  db: Db,
  place: KeyPlace,
  found: Pick<KeyRow, 'claimId' | 'answer'>,
  claim: ClaimRow,
): Promise<boolean> {
  const replaced = await db.$executeRaw`UPDATE idempotency_keys SET claim_id = ${claim.claimId},
      claimed_at = ${claim.claimedAt}::timestamptz, key_id = ${claim.keyId}::smallint, request = ${claim.request}::bytea,
      answer = NULL, expires_at = ${claim.expiresAt}::timestamptz
    WHERE app_id = ${place.appId} AND actor = ${place.actor} AND route = ${place.route} AND key = ${place.key}
      AND claim_id = ${found.claimId} AND (answer IS NULL) = ${found.answer === null}`;
  return replaced === 1;
}

/** False when another call has taken the key over. */
export async function writeAnswer(
  db: Db,
  place: KeyPlace,
  claimId: string,
  answer: Uint8Array,
): Promise<boolean> {
  const written = await db.$executeRaw`UPDATE idempotency_keys SET answer = ${answer}::bytea
    WHERE app_id = ${place.appId} AND actor = ${place.actor} AND route = ${place.route} AND key = ${place.key}
      AND claim_id = ${claimId}`;
  return written === 1;
}

/** Gives up a claim that came to no answer. One that was written with the effect stays. */
export async function deleteClaim(db: Db, place: KeyPlace, claimId: string): Promise<void> {
  await db.$executeRaw`DELETE FROM idempotency_keys
    WHERE app_id = ${place.appId} AND actor = ${place.actor} AND route = ${place.route} AND key = ${place.key}
      AND claim_id = ${claimId} AND answer IS NULL`;
}

/** Deletes at most `most` rows that are due; returns how many. */
export function deleteExpiredKeys(db: Db, now: Date, most: number): Promise<number> {
  return db.$executeRaw`DELETE FROM idempotency_keys WHERE (app_id, actor, route, key) IN (
    SELECT app_id, actor, route, key FROM idempotency_keys WHERE expires_at <= ${now}::timestamptz
    LIMIT ${most}::int)`;
}

export type AnsweredKey = KeyPlace & { answer: Uint8Array };

/** The answers that were encrypted when another key of ENCRYPTION_KEYS was current, locked. */
export function lockAnswersOfOtherKeys(
  tx: Prisma.TransactionClient,
  currentKeyId: number,
): Promise<AnsweredKey[]> {
  return tx.$queryRaw<AnsweredKey[]>`SELECT app_id AS "appId", actor, route, key, answer FROM idempotency_keys
    WHERE answer IS NOT NULL AND (key_id <> ${currentKeyId}::smallint OR get_byte(answer, 1) <> ${currentKeyId}::int)
    FOR UPDATE`;
}

export async function replaceAnswer(
  tx: Prisma.TransactionClient,
  place: KeyPlace,
  change: { keyId: number; request: Uint8Array; answer: Uint8Array },
): Promise<void> {
  await tx.$executeRaw`UPDATE idempotency_keys SET key_id = ${change.keyId}::smallint, request = ${change.request}::bytea,
      answer = ${change.answer}::bytea
    WHERE app_id = ${place.appId} AND actor = ${place.actor} AND route = ${place.route} AND key = ${place.key}`;
}
