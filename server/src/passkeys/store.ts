// Queries on passkeys and on the challenges whose signatures were accepted. Every one names the app.
import { type Db, Prisma, type PrismaClient, type Query, type Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import type { RetentionBatch } from '../model/retention-batch.js';

export type PasskeyRow = UserIds & {
  id: string;
  credentialId: Uint8Array<ArrayBuffer>;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: bigint;
  backedUp: boolean;
  transports: string[];
  aaguid: string;
  name: string;
  /** Null if an earlier release stored it and it has not been used since: taken for the current one. */
  rpId: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
};

const passkeyNames: Record<keyof PasskeyRow, true> = {
  appId: true,
  uid: true,
  id: true,
  credentialId: true,
  publicKey: true,
  counter: true,
  backedUp: true,
  transports: true,
  aaguid: true,
  name: true,
  rpId: true,
  createdAt: true,
  lastUsedAt: true,
};

/** The newest first. */
export function listPasskeyRows(db: Db, { appId, uid }: UserIds): Promise<PasskeyRow[]> {
  return db.passkey.findMany({
    where: { appId, uid },
    select: passkeyNames,
    orderBy: { id: 'desc' },
  }) as Promise<PasskeyRow[]>;
}

/** Whether the user has a passkey that browsers offer to this relying party. */
export async function hasPasskeyOf(db: Db, { appId, uid }: UserIds, rpId: string): Promise<boolean> {
  const where = { appId, uid, OR: [{ rpId }, { rpId: null }] };
  return (await db.passkey.findFirst({ where, select: { id: true } })) !== null;
}

export type OwnedPasskey = Pick<PasskeyRow, 'uid' | 'id' | 'publicKey' | 'backedUp'> & {
  counter: number;
  credentialVersion: number;
  disabled: boolean;
};

/** Returns null when no user of the app has the passkey. */
export async function findPasskeyWithOwner(
  query: Query,
  appId: string,
  credentialId: Buffer,
): Promise<OwnedPasskey | null> {
  const [row] = await query<OwnedPasskey>(Prisma.sql`
    SELECT p.user_id AS uid, p.id, p.public_key AS "publicKey", p.counter::float8 AS counter, p.backed_up AS "backedUp",
      u.credential_version AS "credentialVersion", u.disabled
    FROM passkeys AS p JOIN users AS u ON u.app_id = ${appId} AND u.id = p.user_id
    WHERE p.app_id = ${appId} AND p.credential_id = ${credentialId}::bytea`);
  return row ?? null;
}

/** Returns false when a user of the app has the credential already. */
export async function insertPasskey(tx: Tx, passkey: PasskeyRow): Promise<boolean> {
  const { count } = await tx.passkey.createMany({ data: [passkey], skipDuplicates: true });
  return count === 1;
}

/** Returns null when the user has no such passkey. */
export async function renamePasskeyRow(
  db: Db,
  { appId, uid }: UserIds,
  { id, name }: Pick<PasskeyRow, 'id' | 'name'>,
): Promise<PasskeyRow | null> {
  const [row] = await db.passkey.updateManyAndReturn({ where: { appId, uid, id }, data: { name } });
  return (row as PasskeyRow | undefined) ?? null;
}

/** Removes one of the user's passkeys, or all of them; returns the ids. */
export async function deletePasskeyRows(tx: Tx, ids: UserIds, id?: string): Promise<string[]> {
  const which = id === undefined ? Prisma.empty : Prisma.sql`AND id = ${id}`;
  const rows = await tx.$queryRaw<{ id: string }[]>`DELETE FROM passkeys
    WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} ${which} RETURNING id`;
  return rows.map((row) => row.id);
}

/** A signature that was accepted, by the passkey and the hash of the challenge. */
export type PasskeyUse = {
  appId: string;
  uid: string;
  id: string;
  counter: number;
  backedUp: boolean;
  rpId: string;
  challengeHash: Buffer;
  now: Date;
};

/**
 * The CTE `spent` and one more: the passkey of `owner`, a relation with its user's `id`, records its use, and the challenge is
 * used up. No row if the passkey is gone, or a parallel call has raised its counter further. A challenge that was used before
 * violates `usedChallengeKey`, so that the whole statement has no effect.
 */
export function usePasskeyOf(use: PasskeyUse, owner: Prisma.Sql): Prisma.Sql {
  const { appId, counter, now } = use;
  return Prisma.sql`spent AS (
      UPDATE passkeys AS p SET counter = ${counter}::bigint, backed_up = ${use.backedUp}::boolean,
        rp_id = COALESCE(p.rp_id, ${use.rpId}::text), last_used_at = ${now}::timestamptz
      FROM ${owner} AS o
      WHERE p.app_id = ${appId} AND p.id = ${use.id} AND p.user_id = o.id
        AND (p.backed_up OR p.counter < ${counter}::bigint OR (p.counter = 0 AND ${counter}::bigint = 0))
      RETURNING p.id
    ), used_challenge AS (
      INSERT INTO used_passkey_challenges (app_id, challenge_hash, used_at)
      SELECT ${appId}, ${use.challengeHash}::bytea, ${now}::timestamptz FROM spent
    )`;
}

export const usedChallengeKey = 'used_passkey_challenges_pkey';

/** Records the use in a statement of its own; false like `usePasskeyOf`. */
export async function usePasskey(tx: Tx, use: PasskeyUse): Promise<boolean> {
  const owner = Prisma.sql`(SELECT ${use.uid}::text AS id)`;
  const rows = await tx.$queryRaw<unknown[]>`WITH ${usePasskeyOf(use, owner)} SELECT id FROM spent`;
  return rows.length > 0;
}

/** Uses up the challenge of a registration; false if it was used before. */
export async function useChallenge(
  tx: Tx,
  appId: string,
  challengeHash: Buffer,
  now: Date,
): Promise<boolean> {
  const count = await tx.$executeRaw`INSERT INTO used_passkey_challenges (app_id, challenge_hash, used_at)
    VALUES (${appId}, ${challengeHash}::bytea, ${now}::timestamptz) ON CONFLICT DO NOTHING`;
  return count === 1;
}

export function deleteChallengesUsedBefore(
  prisma: PrismaClient,
  { appId, time, maxRows }: RetentionBatch,
): Promise<number> {
  return prisma.$executeRaw`DELETE FROM used_passkey_challenges WHERE app_id = ${appId} AND challenge_hash IN (
    SELECT challenge_hash FROM used_passkey_challenges WHERE app_id = ${appId} AND used_at < ${time}::timestamptz
    ORDER BY used_at LIMIT ${Prisma.raw(String(maxRows))})`;
}
