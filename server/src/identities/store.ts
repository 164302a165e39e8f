// Queries on identities and on the ID tokens that were accepted. Every one names the app.
import { columnList, type Db, Prisma, type PrismaClient, type Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import type { RetentionBatch } from '../model/retention-batch.js';

/** An account at a provider, within an app. */
export type IdentityKey = { appId: string; provider: string; subject: string };

type IdentityOwner = { uid: string; credentialVersion: number; disabled: boolean };

/** Returns null when no user of the app has linked the account. */
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

export async function hasIdentity(db: Db, ids: UserIds, provider: string): Promise<boolean> {
  const { appId, uid } = ids;
  return (await db.identity.count({ where: { appId, uid, provider } })) > 0;
}

export function countIdentities(db: Db, { appId, uid }: UserIds): Promise<number> {
  return db.identity.count({ where: { appId, uid } });
}

export type ListedIdentity = { provider: string; email: string | null; linkedAt: Date };

export type NewIdentity = IdentityKey & ListedIdentity & { uid: string; clientId: string };

/** Returns false when it belongs to a user already, or the user has one of this provider. */
export async function insertIdentity(tx: Tx, identity: NewIdentity): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    INSERT INTO identities (app_id, provider, subject, user_id, email, client_id, linked_at, user_created_at)
    SELECT u.app_id, ${identity.provider}, ${identity.subject}, u.id, ${identity.email}, ${identity.clientId},
      ${identity.linkedAt}::timestamptz, u.created_at
    FROM users AS u WHERE u.app_id = ${identity.appId} AND u.id = ${identity.uid}
    ON CONFLICT DO NOTHING RETURNING user_id`;
  return rows.length === 1;
}

export type ImportedIdentity = Pick<NewIdentity, 'provider' | 'subject' | 'uid' | 'email'> & {
  linkedAt: Date;
};

/**
 * Inserts the identities of imported users, without a client id, since no token of the provider came with them. Returns
 * `<provider> <subject> <uid>` of each that was inserted: the others belong to a user already, or are a second one of the
 * same provider.
 */
export async function insertIdentities(
  tx: Tx,
  appId: string,
  identities: ImportedIdentity[],
): Promise<Set<string>> {
  if (identities.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ key: string }[]>`
    INSERT INTO identities (app_id, provider, subject, user_id, email, client_id, linked_at, user_created_at)
    SELECT ${appId}, i.provider, i.subject, i.uid, i.email, '', i."linkedAt", i."userCreatedAt"
    FROM jsonb_to_recordset(${JSON.stringify(identities)}::jsonb)
      AS i (provider text, subject text, uid text, email text, "linkedAt" timestamptz, "userCreatedAt" timestamptz)
    ON CONFLICT DO NOTHING RETURNING provider || ' ' || subject || ' ' || user_id AS key`;
  return new Set(rows.map(({ key }) => key));
}

export function listIdentityRows(db: Db, ids: UserIds): Promise<ListedIdentity[]> {
  const { appId, uid } = ids;
  return db.identity.findMany({
    where: { appId, uid },
    select: { provider: true, email: true, linkedAt: true },
    orderBy: { provider: 'asc' },
  });
}

export type RemovedIdentity = Omit<IdentityKey, 'appId'> & {
  clientId: string;
  refreshToken: Uint8Array | null;
};

/** Removes one of the user's identities, or all of them. */
export function deleteIdentities(tx: Tx, ids: UserIds, provider?: string): Promise<RemovedIdentity[]> {
  const which = provider === undefined ? Prisma.empty : Prisma.sql`AND provider = ${provider}`;
  return tx.$queryRaw<RemovedIdentity[]>`DELETE FROM identities
    WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} ${which}
    RETURNING ${columnList(['provider', 'subject', 'clientId', 'refreshToken'])}`;
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

export type StoredToken = IdentityKey & { refreshToken: Uint8Array };

/** The tokens of an app that are encrypted with another key, after the last one. */
export function listTokensOfOtherKeys(
  db: Db,
  appId: string,
  keyId: number,
  { last, maxRows }: { last: StoredToken | null; maxRows: number },
): Promise<StoredToken[]> {
  return db.$queryRaw`SELECT ${columnList(['appId', 'provider', 'subject', 'refreshToken'])} FROM identities
    WHERE app_id = ${appId} AND (provider, subject) > (${last?.provider ?? ''}, ${last?.subject ?? ''})
      AND get_byte(refresh_token, 1) <> ${keyId}::int
    ORDER BY provider, subject LIMIT ${maxRows}::int`;
}

/** Returns 0 if the token has been replaced or removed. */
export function replaceToken(db: Db, key: IdentityKey, from: Uint8Array, to: Uint8Array): Promise<number> {
  return db.$executeRaw`UPDATE identities SET refresh_token = ${to}::bytea
    WHERE app_id = ${key.appId} AND provider = ${key.provider} AND subject = ${key.subject}
      AND refresh_token = ${from}::bytea`;
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

/** Records the use of a code of a redirect; false when it was used before. A rollback releases it. */
export async function useRedirectCode(tx: Tx, appId: string, flowHash: Buffer, now: Date): Promise<boolean> {
  const count = await tx.$executeRaw`INSERT INTO seen_id_tokens (app_id, token_hash, seen_at)
    VALUES (${appId}, ${flowHash}::bytea, ${now}::timestamptz) ON CONFLICT DO NOTHING`;
  return count === 1;
}

/** Returns false when the code of an accepted ID token was queued before. A rollback releases the claim. */
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
