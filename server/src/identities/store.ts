// Queries on identities and on the ID tokens that were accepted. Every one names the app.
import { type Db, Prisma, type PrismaClient, type Tx } from '@foyer/prisma';
import type { ProviderName } from '../deps.js';
import type { RetentionBatch } from '../model/retention-batch.js';
import type { UserIds } from '../users/account.js';

/** An account at a provider, within an app. */
export type IdentityKey = { appId: string; provider: ProviderName; subject: string };

type IdentityOwner = { uid: string; credentialVersion: number; disabled: boolean };

/** Null when no user of the app has linked the account. */
export async function findIdentityOwner(
  db: Db,
  appId: string,
  { provider, subject }: Pick<IdentityKey, 'provider' | 'subject'>,
): Promise<IdentityOwner | null> {
  const [row] = await db.$queryRaw<IdentityOwner[]>`
    SELECT u.id AS uid, u.credential_version AS "credentialVersion", u.disabled
    FROM identities AS i JOIN users AS u ON u.app_id = ${appId} AND u.id = i.user_id
    WHERE i.app_id = ${appId} AND i.provider = ${provider} AND i.subject = ${subject}`;
  return row ?? null;
}

export async function hasIdentity(db: Db, ids: UserIds, provider: ProviderName): Promise<boolean> {
  const { appId, uid } = ids;
  return (await db.identity.count({ where: { appId, uid, provider } })) > 0;
}

export type ListedIdentity = { provider: ProviderName; email: string | null; linkedAt: Date };

export type NewIdentity = IdentityKey & ListedIdentity & { uid: string; clientId: string };

/** False when it belongs to a user already, or the user has one of this provider. */
export async function insertIdentity(tx: Tx, identity: NewIdentity): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    INSERT INTO identities (app_id, provider, subject, user_id, email, client_id, linked_at, user_created_at)
    SELECT u.app_id, ${identity.provider}, ${identity.subject}, u.id, ${identity.email}, ${identity.clientId},
      ${identity.linkedAt}::timestamptz, u.created_at
    FROM users AS u WHERE u.app_id = ${identity.appId} AND u.id = ${identity.uid}
    ON CONFLICT DO NOTHING RETURNING user_id`;
  return rows.length === 1;
}

export function listIdentityRows(db: Db, ids: UserIds): Promise<ListedIdentity[]> {
  const { appId, uid } = ids;
  return db.identity.findMany({
    where: { appId, uid },
    select: { provider: true, email: true, linkedAt: true },
    orderBy: { provider: 'asc' },
  }) as Promise<ListedIdentity[]>;
}

export type RemovedIdentity = Omit<IdentityKey, 'appId'> & {
  clientId: string;
  refreshToken: Uint8Array | null;
};

/** Removes one of the user's identities, or all of them. */
export function deleteIdentities(tx: Tx, ids: UserIds, provider?: ProviderName): Promise<RemovedIdentity[]> {
  const which = provider === undefined ? Prisma.empty : Prisma.sql`AND provider = ${provider}`;
  return tx.$queryRaw<RemovedIdentity[]>`DELETE FROM identities
    WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} ${which}
    RETURNING provider, subject, client_id AS "clientId", refresh_token AS "refreshToken"`;
}

/** Stores the provider's newest refresh token; false when the identity is gone. */
export async function storeRefreshToken(
  db: Db,
  key: IdentityKey,
  clientId: string,
  encrypted: Buffer,
): Promise<boolean> {
  const count = await db.$executeRaw`UPDATE identities
    SET refresh_token = ${encrypted}::bytea, client_id = ${clientId}
    WHERE app_id = ${key.appId} AND provider = ${key.provider} AND subject = ${key.subject}`;
  return count === 1;
}

/** At most `maxRows` rows whose token was encrypted under another key than this, locked. */
export function lockTokensOfOtherKeys(
  tx: Tx,
  appId: string,
  keyId: number,
  maxRows: number,
): Promise<(IdentityKey & { refreshToken: Uint8Array })[]> {
  return tx.$queryRaw`SELECT app_id AS "appId", provider, subject, refresh_token AS "refreshToken" FROM identities
    WHERE app_id = ${appId} AND refresh_token IS NOT NULL AND get_byte(refresh_token, 1) <> ${keyId}::int
    LIMIT ${maxRows}::int FOR NO KEY UPDATE`;
}

export async function replaceToken(tx: Tx, key: IdentityKey, encrypted: Buffer): Promise<void> {
  await tx.$executeRaw`UPDATE identities SET refresh_token = ${encrypted}::bytea
    WHERE app_id = ${key.appId} AND provider = ${key.provider} AND subject = ${key.subject}`;
}

/**
 * Records the use of an ID token; false when it was used before and the time for retries, counted from the first use, is
 * over. One statement, so that parallel calls agree.
 */
export async function useIdToken(
  db: Db,
  appId: string,
  tokenHash: Buffer,
  at: { now: Date; retrySince: Date },
): Promise<boolean> {
  const count = await db.$executeRaw`INSERT INTO seen_id_tokens (app_id, token_hash, seen_at)
    VALUES (${appId}, ${tokenHash}::bytea, ${at.now}::timestamptz)
    ON CONFLICT (app_id, token_hash) DO UPDATE SET seen_at = seen_id_tokens.seen_at
      WHERE seen_id_tokens.seen_at >= ${at.retrySince}::timestamptz`;
  return count === 1;
}

/** False when the code of an accepted ID token was queued before. A rollback releases the claim. */
export async function claimExchange(tx: Tx, appId: string, tokenHash: Buffer): Promise<boolean> {
  const count = await tx.$executeRaw`UPDATE seen_id_tokens SET code_queued = true
    WHERE app_id = ${appId} AND token_hash = ${tokenHash}::bytea AND NOT code_queued`;
  return count === 1;
}

export function deleteIdTokensSeenBefore(
  prisma: PrismaClient,
  { appId, time, maxRows }: RetentionBatch,
): Promise<number> {
  return prisma.$executeRaw`DELETE FROM seen_id_tokens WHERE app_id = ${appId} AND token_hash IN (
    SELECT token_hash FROM seen_id_tokens WHERE app_id = ${appId} AND seen_at < ${time}::timestamptz
    ORDER BY seen_at LIMIT ${Prisma.raw(String(maxRows))})`;
}
