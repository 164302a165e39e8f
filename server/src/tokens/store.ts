// Queries on the signing keys. They serve all apps, so they are the one table without an app.
import type { Db, Prisma, Tx } from '@foyer/prisma';
import type { JWK } from 'jose';
import type { TokenAlgorithm } from '../model/app.js';

export type KeyStatus = 'next' | 'current' | 'retired';

export type MadeKey = { kid: string; algorithm: TokenAlgorithm; publicJwk: JWK; privateKey: Buffer };

/** All keys except those retired before `retiredSince`. */
export function listSigningKeys(db: Db, retiredSince: Date) {
  return db.signingKey.findMany({
    where: { OR: [{ retiredAt: null }, { retiredAt: { gte: retiredSince } }] },
    orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }],
  });
}

/** Serializes changes of the keys until the end of the transaction. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('foyer signing keys'))`;
}

export async function insertSigningKey(db: Db, key: MadeKey, status: KeyStatus, now: Date): Promise<void> {
  const publicJwk = key.publicJwk as Prisma.InputJsonValue;
  const privateKey = new Uint8Array(key.privateKey);
  const currentAt = status === 'current' ? now : null;
  await db.signingKey.create({ data: { ...key, publicJwk, privateKey, status, createdAt: now, currentAt } });
}

export async function setKeyStatus(db: Db, kid: string, status: KeyStatus, now: Date): Promise<void> {
  const at = status === 'current' ? { currentAt: now } : { retiredAt: now };
  await db.signingKey.update({ where: { kid }, data: { status, ...at } });
}

export type StoredPrivateKey = { kid: string; privateKey: Uint8Array };

/** The signing keys that are encrypted with another key, after the last one. */
export function listKeysOfOtherKeys(
  db: Db,
  keyId: number,
  { last, maxRows }: { last: StoredPrivateKey | null; maxRows: number },
): Promise<StoredPrivateKey[]> {
  return db.$queryRaw`SELECT kid, private_key AS "privateKey" FROM signing_keys
    WHERE kid > ${last?.kid ?? ''} AND get_byte(private_key, 1) <> ${keyId}::int ORDER BY kid LIMIT ${maxRows}::int`;
}

/** Returns 0 if the signing key has been deleted or replaced. */
export function replacePrivateKey(db: Db, kid: string, from: Uint8Array, to: Uint8Array): Promise<number> {
  return db.$executeRaw`UPDATE signing_keys SET private_key = ${to}::bytea
    WHERE kid = ${kid} AND private_key = ${from}::bytea`;
}

/** Returns the number of deleted keys, of one algorithm if given. */
export async function deleteRetiredBefore(db: Db, time: Date, algorithm?: TokenAlgorithm): Promise<number> {
  const where = { retiredAt: { lt: time }, ...(algorithm && { algorithm }) };
  return (await db.signingKey.deleteMany({ where })).count;
}
