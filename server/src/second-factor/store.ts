// Queries on second factors. Every one names the app.
import { type Db, Prisma, type PrismaClient, type SecondFactor, type Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import type { RetentionBatch } from '../model/retention-batch.js';

export type FactorRow = SecondFactor;
export type EnrolledRow = SecondFactor & { secret: Uint8Array; enrolledAt: Date };
type Columns = Partial<Omit<SecondFactor, keyof UserIds>>;

export function isEnrolled(row: FactorRow | null): row is EnrolledRow {
  return row !== null && row.secret !== null && row.enrolledAt !== null;
}

export function findFactor(db: Tx | PrismaClient, { appId, uid }: UserIds): Promise<FactorRow | null> {
  return db.secondFactor.findUnique({ where: { appId_uid: { appId, uid } } });
}

/** Locks the row, if there is one: after the user's row and its sessions, where a transaction locks those. */
export async function lockFactor(tx: Tx, ids: UserIds): Promise<FactorRow | null> {
  await tx.$queryRaw`SELECT FROM second_factors WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} FOR UPDATE`;
  return findFactor(tx, ids);
}

export async function writeFactor(tx: Tx, { appId, uid }: UserIds, columns: Columns): Promise<void> {
  await tx.secondFactor.upsert({
    where: { appId_uid: { appId, uid } },
    create: { appId, uid, ...columns },
    update: columns,
  });
}

export async function deleteFactor(tx: Tx, { appId, uid }: UserIds): Promise<void> {
  await tx.secondFactor.deleteMany({ where: { appId, uid } });
}

export type StoredSecrets = UserIds & Pick<FactorRow, 'secret' | 'pendingSecret'>;

/** The rows of an app with a secret that is encrypted with another key, after the last one. */
export function listSecretsOfOtherKeys(
  db: Db,
  appId: string,
  keyId: number,
  { last, maxRows }: { last: UserIds | null; maxRows: number },
): Promise<StoredSecrets[]> {
  return db.$queryRaw`SELECT app_id AS "appId", user_id AS uid, secret, pending_secret AS "pendingSecret"
    FROM second_factors WHERE app_id = ${appId} AND user_id > ${last?.uid ?? ''}
      AND (get_byte(secret, 1) <> ${keyId}::int OR get_byte(pending_secret, 1) <> ${keyId}::int)
    ORDER BY user_id LIMIT ${maxRows}::int`;
}

/** Returns 0 if the user has confirmed, removed or begun another secret. */
export function replaceSecrets(
  db: Db,
  from: StoredSecrets,
  to: { secret: Uint8Array | null; pendingSecret: Uint8Array | null },
): Promise<number> {
  return db.$executeRaw`UPDATE second_factors
    SET secret = ${to.secret}::bytea, pending_secret = ${to.pendingSecret}::bytea
    WHERE app_id = ${from.appId} AND user_id = ${from.uid} AND secret IS NOT DISTINCT FROM ${from.secret}::bytea
      AND pending_secret IS NOT DISTINCT FROM ${from.pendingSecret}::bytea`;
}

/** Forgets secrets that were never confirmed. */
export function deletePendingBefore(
  prisma: PrismaClient,
  { appId, time, maxRows }: RetentionBatch,
): Promise<number> {
  return prisma.$executeRaw`WITH due AS (
      SELECT user_id FROM second_factors WHERE app_id = ${appId} AND pending_at < ${time}::timestamptz
      ORDER BY pending_at LIMIT ${Prisma.raw(String(maxRows))} FOR UPDATE
    ), gone AS (
      DELETE FROM second_factors AS f USING due
      WHERE f.app_id = ${appId} AND f.user_id = due.user_id AND f.enrolled_at IS NULL
    )
    UPDATE second_factors AS f SET pending_secret = NULL, pending_at = NULL FROM due
    WHERE f.app_id = ${appId} AND f.user_id = due.user_id AND f.enrolled_at IS NOT NULL`;
}
