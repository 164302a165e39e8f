// Queries on idempotency keys. Each names the app; the claim on the row decides who may write.
import { type Db, Prisma } from '@foyer/prisma';

/** The scope of a key: another actor or route has its own keys. */
export type KeyPlace = { appId: string; actor: string; route: string; key: string };

export type ClaimRow = {
  claimId: string;
  claimedAt: Date;
  keyId: number;
  request: Uint8Array;
  expiresAt: Date;
};

export type KeyRow = ClaimRow & { answer: Uint8Array | null };

function isAt({ appId, actor, route, key }: KeyPlace): Prisma.Sql {
  return Prisma.sql`app_id = ${appId} AND actor = ${actor} AND route = ${route} AND key = ${key}`;
}

/** Returns false if the key exists. */
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
    FROM idempotency_keys WHERE ${isAt(place)}`;
  return row ?? null;
}

/** Takes over the row for another request; false if it changed since it was read. */
export async function replaceClaim(
  db: Db,
  place: KeyPlace,
  found: Pick<KeyRow, 'claimId' | 'answer'>,
  claim: ClaimRow,
): Promise<boolean> {
  const replaced = await db.$executeRaw`UPDATE idempotency_keys SET claim_id = ${claim.claimId},
      claimed_at = ${claim.claimedAt}::timestamptz, key_id = ${claim.keyId}::smallint, request = ${claim.request}::bytea,
      answer = NULL, expires_at = ${claim.expiresAt}::timestamptz
    WHERE ${isAt(place)} AND claim_id = ${found.claimId} AND (answer IS NULL) = ${found.answer === null}`;
  return replaced === 1;
}

/** Returns false if another request has taken the key over. */
export async function writeAnswer(
  db: Db,
  place: KeyPlace,
  claimId: string,
  answer: Uint8Array,
): Promise<boolean> {
  const written = await db.$executeRaw`UPDATE idempotency_keys SET answer = ${answer}::bytea
    WHERE ${isAt(place)} AND claim_id = ${claimId}`;
  return written === 1;
}

/** Releases a claim without a response. A stored response stays. */
export async function deleteClaim(db: Db, place: KeyPlace, claimId: string): Promise<void> {
  await db.$executeRaw`DELETE FROM idempotency_keys
    WHERE ${isAt(place)} AND claim_id = ${claimId} AND answer IS NULL`;
}

/**
 * Deletes at most `maxRows` expired rows; returns how many. The second condition is checked again on a row that another request
 * has taken over meanwhile.
 */
export function deleteExpiredKeys(db: Db, now: Date, maxRows: number): Promise<number> {
  return db.$executeRaw`DELETE FROM idempotency_keys WHERE (app_id, actor, route, key) IN (
    SELECT app_id, actor, route, key FROM idempotency_keys WHERE expires_at <= ${now}::timestamptz
    ORDER BY expires_at LIMIT ${maxRows}::int) AND expires_at <= ${now}::timestamptz`;
}

export type AnsweredKey = KeyPlace & { answer: Uint8Array };

/** The responses of an app that are encrypted with another key, after the last one. */
export function listAnswersOfOtherKeys(
  db: Db,
  appId: string,
  currentKeyId: number,
  { last, maxRows }: { last: KeyPlace | null; maxRows: number },
): Promise<AnsweredKey[]> {
  const after = Prisma.sql`(${last?.actor ?? ''}, ${last?.route ?? ''}, ${last?.key ?? ''})`;
  return db.$queryRaw<AnsweredKey[]>`SELECT app_id AS "appId", actor, route, key, answer FROM idempotency_keys
    WHERE app_id = ${appId} AND (actor, route, key) > ${after} AND answer IS NOT NULL
      AND (key_id <> ${currentKeyId}::smallint OR get_byte(answer, 1) <> ${currentKeyId}::int)
    ORDER BY actor, route, key LIMIT ${maxRows}::int`;
}

/** Returns 0 if the key has been taken over by another request, or is gone. */
export function replaceAnswer(
  db: Db,
  from: AnsweredKey,
  to: { keyId: number; request: Uint8Array; answer: Uint8Array },
): Promise<number> {
  return db.$executeRaw`UPDATE idempotency_keys SET key_id = ${to.keyId}::smallint, request = ${to.request}::bytea,
      answer = ${to.answer}::bytea
    WHERE ${isAt(from)} AND answer = ${from.answer}::bytea`;
}
