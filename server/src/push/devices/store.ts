// Queries on push devices and their topics, each scoped to an app.
import { columnList, type Db, Prisma, type PrismaClient, type Query, type Tx } from '@foyer/prisma';
import type { UserIds } from '../../accounts/account.js';
import { firstUlidOf } from '../../lib/crypto/ulid-bytes.js';
import type { BatchEnd, RetentionBatch } from '../../model/retention-batch.js';
import { type DeviceRow, type PushProvider, pushProviders, storedNames, type Target } from './columns.js';

/** A device and the caller: the row of a linked device matches its user only, that of an unlinked device any caller. */
export type AccessIds = { appId: string; deviceId: string; uid: string | null };

/** Identifies a token. */
export type TokenKey = { appId: string; provider: PushProvider; tokenHash: Uint8Array };

const deviceColumns = (
  appId: string,
) => Prisma.sql`${columnList(storedNames, { of: 'd', columns: { uid: 'user_id' } })},
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

/** Every provider is named, since it precedes the hash in the index. */
export async function findUserOfHashes(
  query: Query,
  appId: string,
  hashes: Uint8Array[],
): Promise<string | null> {
  const [row] = await query<{ uid: string }>(Prisma.sql`SELECT user_id AS uid FROM push_devices
    WHERE app_id = ${appId} AND provider = ANY (${[...pushProviders]}::text[])
      AND token_hash = ANY (${hashes}::bytea[]) AND user_id IS NOT NULL ORDER BY last_registered_at DESC LIMIT 1`);
  return row?.uid ?? null;
}

/** The device of an endpoint that was registered in another spelling becomes that of its normal form, if that has none. */
export async function renameToken(tx: Tx, key: TokenKey, formerHash: Uint8Array): Promise<void> {
  const { appId, provider, tokenHash } = key;
  await tx.$executeRaw`UPDATE push_devices SET token_hash = ${tokenHash}::bytea
    WHERE app_id = ${appId} AND provider = ${provider} AND token_hash = ${formerHash}::bytea AND NOT EXISTS (
      SELECT FROM push_devices WHERE app_id = ${appId} AND provider = ${provider} AND token_hash = ${tokenHash}::bytea)`;
  await tx.$executeRaw`DELETE FROM push_devices
    WHERE app_id = ${appId} AND provider = ${provider} AND token_hash = ${formerHash}::bytea`;
}

/** Locks the device of a token until the transaction ends, and returns its user; undefined if there is none. */
export async function lockUserOfToken(
  tx: Tx,
  { appId, provider, tokenHash }: TokenKey,
): Promise<{ id: string; uid: string | null } | undefined> {
  const [row] = await tx.$queryRaw<
    { id: string; uid: string | null }[]
  >`SELECT id, user_id AS uid FROM push_devices
    WHERE app_id = ${appId} AND provider = ${provider} AND token_hash = ${tokenHash}::bytea FOR NO KEY UPDATE`;
  return row;
}

/** What a user subscribed to ends with the link: the next user of the device must not receive it. */
export async function deleteTopicsOfUser(tx: Tx, appId: string, deviceId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM push_topics
    WHERE app_id = ${appId} AND device_id = ${deviceId} AND ${isOfUser}`;
}

const isOfUser = Prisma.sql`by_user IS DISTINCT FROM false`;

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
  await tx.$executeRaw`WITH locked AS MATERIALIZED (
      SELECT id FROM push_devices WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} AND id IN (
        SELECT id FROM push_devices WHERE app_id = ${ids.appId} AND user_id = ${ids.uid}
        ORDER BY last_registered_at DESC, id DESC OFFSET ${maxDevices}::int)
      FOR NO KEY UPDATE SKIP LOCKED
    ), ended AS (${deleteTopicsOfLocked(ids.appId)})
    ${unlinkLocked(ids.appId)}`;
}

/** Locks the devices in the order in which receipts do. */
export function unlinkDevices(tx: Tx, ids: UserIds): Promise<number> {
  return tx.$executeRaw`WITH locked AS MATERIALIZED (
      SELECT id FROM push_devices WHERE app_id = ${ids.appId} AND user_id = ${ids.uid}
      ORDER BY id FOR NO KEY UPDATE
    ), ended AS (${deleteTopicsOfLocked(ids.appId)})
    ${unlinkLocked(ids.appId)}`;
}

const deleteTopicsOfLocked = (appId: string) => Prisma.sql`DELETE FROM push_topics AS t USING locked
  WHERE t.app_id = ${appId} AND t.device_id = locked.id AND ${isOfUser}`;

const unlinkLocked = (appId: string) => Prisma.sql`UPDATE push_devices AS d SET user_id = NULL FROM locked
  WHERE d.app_id = ${appId} AND d.id = locked.id`;

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

/** Returns false if the device already has `limit` other topics. The caller holds the lock of the device. */
export async function insertTopic(
  tx: Tx,
  ids: { appId: string; deviceId: string },
  topic: string,
  limit: number,
): Promise<boolean> {
  const { appId, deviceId } = ids;
  const [row] = await tx.$queryRaw<{ there: boolean; added: boolean }[]>`WITH added AS (
      INSERT INTO push_topics (app_id, topic, device_id, by_user)
      SELECT ${appId}, ${topic}, ${deviceId}, d.user_id IS NOT NULL FROM push_devices AS d
      WHERE d.app_id = ${appId} AND d.id = ${deviceId} AND (SELECT count(*) FROM push_topics WHERE app_id = ${appId} AND device_id = ${deviceId}) < ${limit}::int
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

/** Distinct topics that are looked at for a prefix: outside of the collation "C", other topics may be between those with it. */
const topicsAtMost = 1_000;

/**
 * Topics after one, in the order of the primary key, each found by a look-up of its own: to read the subscriptions of an app
 * would take seconds. Their devices are counted up to one more than `counted`.
 */
export function listTopicRows(
  db: Db,
  appId: string,
  page: { prefix: string; after: string; limit: number; counted: number },
): Promise<{ topic: string; devices: number }[]> {
  const first = Prisma.sql`SELECT topic FROM push_topics
    WHERE app_id = ${appId} AND topic > ${page.after} AND topic >= ${page.prefix} ORDER BY topic LIMIT 1`;
  return db.$queryRaw`WITH RECURSIVE topics (topic, place) AS (
      (SELECT topic, 1 FROM (${first}) AS f)
      UNION ALL
      SELECT (SELECT p.topic FROM push_topics AS p WHERE p.app_id = ${appId} AND p.topic > t.topic
        ORDER BY p.topic LIMIT 1), place + 1
      FROM topics AS t WHERE t.topic IS NOT NULL AND place < ${topicsAtMost}::int
    )
    SELECT topic, (SELECT count(*)::int FROM (SELECT FROM push_topics AS d
        WHERE d.app_id = ${appId} AND d.topic = topics.topic LIMIT ${page.counted}::int + 1) AS counted) AS devices
    FROM topics WHERE topic IS NOT NULL AND starts_with(topic, ${page.prefix}) LIMIT ${page.limit}::int`;
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

/**
 * Deletes the devices of a batch without a user and without topics that were created before its time and never registered again:
 * apps register at each start, and a stranger who makes up tokens does not. Walks the devices without a user.
 */
export async function deleteUnusedDevices(
  prisma: PrismaClient,
  { appId, after, time, maxRows }: RetentionBatch,
): Promise<BatchEnd> {
  const [end] = await prisma.$queryRaw<[BatchEnd]>`WITH batch AS MATERIALIZED (
      SELECT id FROM push_devices
      WHERE app_id = ${appId} AND user_id IS NULL AND id > ${after} AND id < ${firstUlidOf(time)}
      ORDER BY id LIMIT ${Prisma.raw(String(maxRows))}
    ), gone AS (
      DELETE FROM push_devices AS d USING batch WHERE d.app_id = ${appId} AND d.id = batch.id
        AND d.user_id IS NULL AND d.last_registered_at = d.created_at
        AND NOT EXISTS (SELECT FROM push_topics AS t WHERE t.app_id = ${appId} AND t.device_id = d.id)
    )
    SELECT count(*)::int AS rows, max(id) AS last FROM batch`;
  return end;
}

export type StoredToken = TokenKey & { encrypted: Uint8Array };

/** The tokens of an app that are encrypted with another key, after the last one. */
export function listTokensOfOtherKeys(
  db: Db,
  appId: string,
  keyId: number,
  { last, maxRows }: { last: StoredToken | null; maxRows: number },
): Promise<StoredToken[]> {
  const after = Prisma.sql`(${last?.provider ?? ''}, ${last?.tokenHash ?? new Uint8Array()}::bytea)`;
  return db.$queryRaw`SELECT app_id AS "appId", provider, token_hash AS "tokenHash", token AS encrypted
    FROM push_devices WHERE app_id = ${appId} AND (provider, token_hash) > ${after}
      AND get_byte(token, 1) <> ${keyId}::int
    ORDER BY provider, token_hash LIMIT ${maxRows}::int`;
}

/** Returns 0 if the device has registered another token, or is gone. */
export function replaceToken(db: Db, key: TokenKey, from: Uint8Array, to: Uint8Array): Promise<number> {
  return db.$executeRaw`UPDATE push_devices SET token = ${to}::bytea WHERE app_id = ${key.appId}
    AND provider = ${key.provider} AND token_hash = ${key.tokenHash}::bytea AND token = ${from}::bytea`;
}

export type TargetRow = Pick<DeviceRow, 'id' | 'provider' | 'environment' | 'uid' | 'lastRegisteredAt'> & {
  /** Its Web Push endpoint did not answer the last message. */
  isUnanswered: boolean;
  tokenHash: Uint8Array;
  encrypted: Uint8Array;
};

const targetColumns = Prisma.sql`d.id, d.provider, d.environment, d.user_id AS uid, d.last_registered_at AS "lastRegisteredAt",
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

/** The users of those of the devices that have one, by device. */
export async function findOwners(
  tx: Tx,
  appId: string,
  deviceIds: string[],
): Promise<Record<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; uid: string }[]>`SELECT id, user_id AS uid FROM push_devices
    WHERE app_id = ${appId} AND id = ANY(${deviceIds}::text[]) AND user_id IS NOT NULL`;
  return Object.fromEntries(rows.map(({ id, uid }) => [id, uid]));
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
