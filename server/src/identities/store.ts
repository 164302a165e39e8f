// Queries on identities and on the ID tokens that were accepted. Every one names the app.
import { Prisma, type PrismaClient } from '@foyer/prisma';
import type { ProviderName } from '../deps.js';
import { insertEvents } from '../events/outbox.js';

type Db = PrismaClient | Prisma.TransactionClient;
type UserIds = { appId: string; uid: string };

/** Somebody's account at a provider, within an app. */
export type IdentityKey = { appId: string; provider: ProviderName; subject: string };

export type IdentityOwner = { uid: string; credentialVersion: number; disabled: boolean };

export async function findIdentityOwner(db: Db, key: IdentityKey): Promise<IdentityOwner | null> {
  const [row] = await db.$queryRaw<IdentityOwner[]>`
    SELECT u.id AS uid, u.credential_version AS "credentialVersion", u.disabled
    FROM identities AS i JOIN users AS u ON u.app_id = i.app_id AND u.id = i.user_id
    WHERE i.app_id = ${key.appId} AND i.provider = ${key.provider} AND i.subject = ${key.subject}`;
  return row ?? null;
}

/** The user's identity at a provider. */
export async function hasIdentity(db: Db, ids: UserIds, provider: ProviderName): Promise<boolean> {
  const { appId, uid } = ids;
  return (await db.identity.count({ where: { appId, uid, provider } })) > 0;
}

/**
 * Locks an account whose email is this one and verified, until the transaction ends; judged on the row as it is once the
 * lock is there. Null when there is none, or it is disabled.
 */
export async function lockVerifiedAccount(
  tx: Prisma.TransactionClient,
  appId: string,
  email: string,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ uid: string }[]>`SELECT id AS uid FROM users
    WHERE app_id = ${appId} AND email = ${email} AND email_verified AND NOT disabled FOR NO KEY UPDATE`;
  return row?.uid ?? null;
}

/** Locks an enabled account until the transaction ends; whatever ends its sessions does so too. */
export async function lockAccount(
  tx: Prisma.TransactionClient,
  ids: UserIds,
): Promise<{ email: string } | null> {
  const [row] = await tx.$queryRaw<{ email: string }[]>`SELECT email FROM users
    WHERE app_id = ${ids.appId} AND id = ${ids.uid} AND NOT disabled FOR NO KEY UPDATE`;
  return row ?? null;
}

export type NewIdentity = IdentityKey & {
  uid: string;
  email: string | null;
  clientId: string;
  linkedAt: Date;
};

/** False when it belongs to a user already, or the user has one of this provider. */
export async function insertIdentity(tx: Prisma.TransactionClient, identity: NewIdentity): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO identities (app_id, provider, subject, user_id, email, client_id, linked_at, user_created_at)
    SELECT u.app_id, ${identity.provider}, ${identity.subject}, u.id, ${identity.email}, ${identity.clientId},
      ${identity.linkedAt}::timestamptz, u.created_at
    FROM users AS u WHERE u.app_id = ${identity.appId} AND u.id = ${identity.uid}
    ON CONFLICT DO NOTHING`;
  return count === 1;
}

/** Gives names to a user who has none at all. */
export async function fillNames(
  tx: Prisma.TransactionClient,
  ids: UserIds,
  names: { firstName: string | null; lastName: string | null },
): Promise<void> {
  await tx.$executeRaw`UPDATE users SET first_name = ${names.firstName}, last_name = ${names.lastName}
    WHERE app_id = ${ids.appId} AND id = ${ids.uid} AND first_name IS NULL AND last_name IS NULL`;
}

/** Notes on the user that its providers changed, with the event. */
export async function touchUser(
  tx: Prisma.TransactionClient,
  ids: UserIds & { eventId: string },
  now: Date,
): Promise<void> {
  await tx.$executeRaw`WITH u AS (
      UPDATE users SET updated_at = ${now}::timestamptz
      WHERE app_id = ${ids.appId} AND id = ${ids.uid} RETURNING *
    ) ${insertEvents({ id: ids.eventId, type: 'user.updated', from: Prisma.sql`u`, now })}`;
}

export type ListedIdentity = { provider: ProviderName; email: string | null; linkedAt: Date };

export function listIdentityRows(db: Db, ids: UserIds): Promise<ListedIdentity[]> {
  const { appId, uid } = ids;
  return db.identity.findMany({
    where: { appId, uid },
    select: { provider: true, email: true, linkedAt: true },
    orderBy: { provider: 'asc' },
  }) as Promise<ListedIdentity[]>;
}

export type KeptToken = { subject: string; clientId: string; refreshToken: Uint8Array | null };
export type RemovedIdentity = KeptToken & { provider: ProviderName };

/** Removes one of the user's identities, or all of them. */
export function deleteIdentities(
  tx: Prisma.TransactionClient,
  ids: UserIds,
  provider?: ProviderName,
): Promise<RemovedIdentity[]> {
  const which = provider === undefined ? Prisma.empty : Prisma.sql`AND provider = ${provider}`;
  return tx.$queryRaw<RemovedIdentity[]>`DELETE FROM identities
    WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} ${which}
    RETURNING provider, subject, client_id AS "clientId", refresh_token AS "refreshToken"`;
}

/** Makes every proof by an identity that is under way worthless: it is proven once more, and found gone. Returns the email. */
export async function raiseVersionAfterUnlink(
  tx: Prisma.TransactionClient,
  ids: UserIds,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<
    { email: string }[]
  >`UPDATE users SET credential_version = credential_version + 1
    WHERE app_id = ${ids.appId} AND id = ${ids.uid} RETURNING email`;
  return row?.email ?? null;
}

/** Keeps the provider's newest refresh token; false when the identity is gone. */
export async function keepRefreshToken(
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

/** The rows whose token was encrypted under another key than this, locked. */
export function lockTokensOfOtherKeys(
  tx: Prisma.TransactionClient,
  keyId: number,
): Promise<(IdentityKey & { refreshToken: Uint8Array })[]> {
  return tx.$queryRaw`SELECT app_id AS "appId", provider, subject, refresh_token AS "refreshToken" FROM identities
    WHERE refresh_token IS NOT NULL AND get_byte(refresh_token, 1) <> ${keyId}::int FOR NO KEY UPDATE`;
}

export async function replaceToken(
  tx: Prisma.TransactionClient,
  key: IdentityKey,
  encrypted: Buffer,
): Promise<void> {
  await tx.$executeRaw`UPDATE identities SET refresh_token = ${encrypted}::bytea
    WHERE app_id = ${key.appId} AND provider = ${key.provider} AND subject = ${key.subject}`;
}

/**
 * Notes that an ID token is used, and says whether it may be: for the first time, or again within the time for retries,
 * which counts from the first use. One statement, so that parallel calls agree.
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

/** Deletes at most `most` tokens used first before the time; returns how many. */
export function deleteIdTokensSeenBefore(prisma: PrismaClient, time: Date, most: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM seen_id_tokens WHERE (app_id, token_hash) IN (
    SELECT app_id, token_hash FROM seen_id_tokens WHERE seen_at < ${time}::timestamptz LIMIT ${most}::int)`;
}
