// Queries on push devices and their topics, each scoped to an app.
import { type Db, Prisma, type PrismaClient, type Tx } from '@foyer/prisma';
import { firstUlidOf } from '../../lib/crypto/ulid-bytes.js';
import type { BatchEnd, RetentionBatch } from '../../model/retention-batch.js';
import type { UserIds } from '../../users/account.js';

/** A device and the caller: the row of a linked device matches its user only, that of an unlinked device any caller. */
export type AccessIds = { appId: string; deviceId: string; uid: string | null };

export type PushProvider = 'fcm' | 'apns' | 'webpush';

/** Identifies a token. */
export type TokenKey = { appId: string; provider: PushProvider; tokenHash: Uint8Array };

export type DeviceRow = {
  id: string;
  provider: PushProvider;
  platform: 'ios' | 'android' | 'web';
  environment: 'production' | 'sandbox';
  appVersion: string | null;
  locale: string | null;
  name: string | null;
  topics: string[];
  uid: string | null;
  invalidAt: Date | null;
  createdAt: Date;
  lastRegisteredAt: Date;
};

const deviceColumns = (
  appId: string,
) => Prisma.sql`d.id, d.provider, d.platform, d.environment, d.app_version AS "appVersion", d.locale,
  d.name, d.user_id AS uid, d.invalid_at AS "invalidAt", d.created_at AS "createdAt",
  d.last_registered_at AS "lastRegisteredAt",
  ARRAY(SELECT t.topic FROM push_topics AS t WHERE t.app_id = ${appId} AND t.device_id = d.id
    ORDER BY t.topic COLLATE "C") AS topics`;

const isAccessibleTo = (uid: string | null) => Prisma.sql`(d.user_id IS NULL OR d.user_id = ${uid})`;

export type NewDevice = TokenKey &
  Pick<DeviceRow, 'id' | 'platform' | 'environment' | 'appVersion' | 'locale' | 'name' | 'uid'> & {
    encrypted: Uint8Array;
    now: Date;
  };

export async function isKnownToken(db: Db, { appId, provider, tokenHash }: TokenKey): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 AS known FROM push_devices
    WHERE app_id = ${appId} AND provider = ${provider} AND token_hash = ${tokenHash}::bytea`;
  return rows.length === 1;
}

/** Creates or replaces the device of a token; of two concurrent calls the later one wins. */
export async function upsertDevice(tx: Tx, device: NewDevice): Promise<DeviceRow & { created: boolean }> {
  const [row] = await tx.$queryRaw<(DeviceRow & { created: boolean })[]>`WITH d AS (
    INSERT INTO push_devices AS d (app_id, id, provider, token_hash, token, platform, environment, app_version, locale,
      name, user_id, created_at, last_registered_at)
    VALUES (${device.appId}, ${device.id}, ${device.provider}, ${device.tokenHash}::bytea, ${device.encrypted}::bytea,
      ${device.platform}, ${device.environment}, ${device.appVersion}, ${device.locale}, ${device.name},
      ${device.uid}, ${device.now}::timestamptz, ${device.now}::timestamptz)
    ON CONFLICT (app_id, provider, token_hash) DO UPDATE SET token = EXCLUDED.token, platform = EXCLUDED.platform,
      environment = EXCLUDED.environment, app_version = EXCLUDED.app_version, locale = EXCLUDED.locale,
      name = EXCLUDED.name, user_id = EXCLUDED.user_id, invalid_at = NULL,
      last_registered_at = EXCLUDED.last_registered_at
    RETURNING d.*, d.xmax = 0 AS created)
    SELECT ${deviceColumns(device.appId)}, d.created FROM d`;
  return row as DeviceRow & { created: boolean };
}

/**
 * Unlinks the least recently registered devices of a user beyond `maxDevices`. Skips locked rows: waiting could deadlock, and
 * another call is registering them. One that has moved to another user by the time it is locked keeps that user.
 */
export async function unlinkOldestDevices(tx: Tx, ids: UserIds, maxDevices: number): Promise<void> {
  await tx.$executeRaw`UPDATE push_devices SET user_id = NULL WHERE app_id = ${ids.appId} AND id IN (
    SELECT id FROM push_devices WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} AND id IN (
      SELECT id FROM push_devices WHERE app_id = ${ids.appId} AND user_id = ${ids.uid}
      ORDER BY last_registered_at DESC, id DESC OFFSET ${maxDevices}::int)
    FOR NO KEY UPDATE SKIP LOCKED)`;
}

/** Locks the devices in the order in which receipts do. */
export function unlinkDevices(tx: Tx, ids: UserIds): Promise<number> {
  return tx.$executeRaw`WITH locked AS MATERIALIZED (
      SELECT id FROM push_devices WHERE app_id = ${ids.appId} AND user_id = ${ids.uid}
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE push_devices AS d SET user_id = NULL FROM locked WHERE d.app_id = ${ids.appId} AND d.id = locked.id`;
}

/** Newest first, with ids below `before`. */
export function listDeviceRows(
  db: Db,
  ids: UserIds,
  before: string | null,
  limit: number,
): Promise<DeviceRow[]> {
  return db.$queryRaw<DeviceRow[]>`SELECT ${deviceColumns(ids.appId)} FROM push_devices AS d
    WHERE d.app_id = ${ids.appId} AND d.user_id = ${ids.uid} AND (${before}::text IS NULL OR d.id < ${before}::text)
    ORDER BY d.id DESC LIMIT ${limit}::int`;
}

export async function deleteDeviceRow(db: Db, ids: AccessIds): Promise<boolean> {
  const count = await db.$executeRaw`DELETE FROM push_devices AS d
    WHERE d.app_id = ${ids.appId} AND d.id = ${ids.deviceId} AND ${isAccessibleTo(ids.uid)}`;
  return count === 1;
}

/** Locks the device until the transaction ends; false if the caller has no access to it. */
export async function lockDevice(tx: Tx, ids: AccessIds): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 AS locked FROM push_devices AS d
    WHERE d.app_id = ${ids.appId} AND d.id = ${ids.deviceId} AND ${isAccessibleTo(ids.uid)} FOR NO KEY UPDATE`;
  return rows.length === 1;
}

export async function isSubscribed(
  db: Db,
  { appId, deviceId }: { appId: string; deviceId: string },
  topic: string,
): Promise<boolean> {
  return (await db.pushTopic.count({ where: { appId, topic, deviceId } })) === 1;
}

/** False if the device already has `limit` other topics. The caller holds the lock of the device. */
export async function insertTopic(
  tx: Tx,
  ids: { appId: string; deviceId: string },
  topic: string,
  limit: number,
): Promise<boolean> {
  const { appId, deviceId } = ids;
  const [row] = await tx.$queryRaw<{ there: boolean; added: boolean }[]>`WITH added AS (
      INSERT INTO push_topics (app_id, topic, device_id) SELECT ${appId}, ${topic}, ${deviceId}
      WHERE (SELECT count(*) FROM push_topics WHERE app_id = ${appId} AND device_id = ${deviceId}) < ${limit}::int
      ON CONFLICT DO NOTHING RETURNING 1
    ) SELECT EXISTS (SELECT 1 FROM added) AS added, EXISTS (SELECT 1 FROM push_topics
      WHERE app_id = ${appId} AND topic = ${topic} AND device_id = ${deviceId}) AS there`;
  return row !== undefined && (row.added || row.there);
}

export async function deleteTopic(
  tx: Tx,
  ids: { appId: string; deviceId: string },
  topic: string,
): Promise<void> {
  await tx.$executeRaw`DELETE FROM push_topics
    WHERE app_id = ${ids.appId} AND topic = ${topic} AND device_id = ${ids.deviceId}`;
}

/** Deletes devices whose token was found invalid before the time, unless one registers again meanwhile. */
export function deleteInvalidDevices(
  prisma: PrismaClient,
  { appId, time, maxRows }: RetentionBatch,
): Promise<number> {
  return prisma.$executeRaw`DELETE FROM push_devices
    WHERE app_id = ${appId} AND invalid_at < ${time}::timestamptz AND id IN (
      SELECT id FROM push_devices WHERE app_id = ${appId} AND invalid_at < ${time}::timestamptz
      ORDER BY invalid_at LIMIT ${Prisma.raw(String(maxRows))})`;
}

/**
 * Deletes the devices of a batch that were last registered before its time. Walks the devices that were created before,
 * by the primary key: the time of the last registration is in no index, since it changes often.
 */
export async function deleteIdleDevices(
  prisma: PrismaClient,
  { appId, after, time, maxRows }: RetentionBatch,
): Promise<BatchEnd> {
  const [end] = await prisma.$queryRaw<[BatchEnd]>`WITH batch AS MATERIALIZED (
      SELECT id, last_registered_at FROM push_devices
      WHERE app_id = ${appId} AND id > ${after} AND id < ${firstUlidOf(time)}
      ORDER BY id LIMIT ${Prisma.raw(String(maxRows))}
    ), gone AS (
      DELETE FROM push_devices AS d USING batch WHERE d.app_id = ${appId} AND d.id = batch.id
        AND batch.last_registered_at < ${time}::timestamptz AND d.last_registered_at < ${time}::timestamptz
    )
    SELECT count(*)::int AS rows, max(id) AS last FROM batch`;
  return end;
}

/** Tokens encrypted with another key. */
export function listTokensOfOtherKeys(
  db: Db,
  keyId: number,
  limit: number,
): Promise<(TokenKey & { encrypted: Uint8Array })[]> {
  return db.$queryRaw`SELECT app_id AS "appId", provider, token_hash AS "tokenHash", token AS encrypted
    FROM push_devices WHERE get_byte(token, 1) <> ${keyId}::int LIMIT ${limit}::int`;
}

export async function replaceToken(db: Db, key: TokenKey, from: Uint8Array, to: Uint8Array): Promise<void> {
  await db.$executeRaw`UPDATE push_devices SET token = ${to}::bytea WHERE app_id = ${key.appId}
    AND provider = ${key.provider} AND token_hash = ${key.tokenHash}::bytea AND token = ${from}::bytea`;
}

/** The target of a message: exactly one of the four. */
export type Target = { uids?: string[]; device_ids?: string[]; topic?: string; all?: true };

export type TargetRow = Pick<DeviceRow, 'id' | 'provider' | 'environment' | 'lastRegisteredAt'> & {
  /** Its Web Push endpoint did not answer the last message. */
  isUnanswered: boolean;
  tokenHash: Uint8Array;
  encrypted: Uint8Array;
};

const targetColumns = Prisma.sql`d.id, d.provider, d.environment, d.last_registered_at AS "lastRegisteredAt",
  d.token_hash AS "tokenHash", d.token AS encrypted, d.unanswered_messages > 0 AS "isUnanswered"`;

/** FROM and WHERE of the active target devices `d`; a topic is read from its subscriptions, which are indexed by device. */
function targetedDevices(appId: string, target: Target): Prisma.Sql {
  const active = Prisma.sql`d.app_id = ${appId} AND d.invalid_at IS NULL`;
  if (target.topic !== undefined) {
    return Prisma.sql`push_topics AS t JOIN push_devices AS d ON d.app_id = ${appId} AND d.id = t.device_id
      WHERE t.app_id = ${appId} AND t.topic = ${target.topic} AND ${active}`;
  }
  if (target.uids) {
    return Prisma.sql`push_devices AS d WHERE ${active} AND d.user_id = ANY(${target.uids}::text[])`;
  }
  if (target.device_ids) {
    return Prisma.sql`push_devices AS d WHERE ${active} AND d.id = ANY(${target.device_ids}::text[])`;
  }
  if (target.all) return Prisma.sql`push_devices AS d WHERE ${active}`;
  throw new Error('the message has no target');
}

/** The devices by id, after one and created until a time. */
export type TargetPlace = { after: string; until: Date; limit: number };

function nextTargets(appId: string, target: Target, { after, until, limit }: TargetPlace): Prisma.Sql {
  // PostgreSQL does not derive it: it would read the subscriptions of all earlier batches again.
  const subscribed = target.topic === undefined ? Prisma.empty : Prisma.sql`AND t.device_id > ${after}`;
  return Prisma.sql`${targetedDevices(appId, target)} ${subscribed} AND d.id > ${after}
    AND d.created_at <= ${until}::timestamptz ORDER BY d.id LIMIT ${limit}::int`;
}

/** How many of the next `limit` target devices after one have each provider, and the last of these. */
export function countTargetRows(
  db: Db,
  appId: string,
  target: Target,
  place: TargetPlace,
): Promise<{ provider: PushProvider; count: number; last: string }[]> {
  return db.$queryRaw`WITH batch AS MATERIALIZED (SELECT d.id, d.provider FROM ${nextTargets(appId, target, place)})
    SELECT provider, count(*)::int AS count, max(id) AS last FROM batch GROUP BY provider`;
}

export function listTargetRows(
  db: Db,
  appId: string,
  target: Target,
  place: TargetPlace,
): Promise<TargetRow[]> {
  return db.$queryRaw`SELECT ${targetColumns} FROM ${nextTargets(appId, target, place)}`;
}

export function findTargetRowsAmong(
  db: Db,
  appId: string,
  target: Target,
  deviceIds: string[],
): Promise<TargetRow[]> {
  return db.$queryRaw`SELECT ${targetColumns} FROM ${targetedDevices(appId, target)}
    AND d.id = ANY(${deviceIds}::text[])`;
}
