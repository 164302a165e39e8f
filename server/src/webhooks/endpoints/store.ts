// Queries on webhooks, and on the events of deleted accounts.
import { type Db, Prisma, type PrismaClient, type Tx } from '@foyer/prisma';
import { lockAppOf } from '../../model/app.js';

export type WebhookIds = { appId: string; id: string };
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Removes the personal data from at most `limit` events of a user between two ids, by id: the user's uid and the points of
 * a ledger entry remain; of their deliveries, the responses, which may repeat the event. Returns the number of events and the
 * last id. Locks the rows in the order of their ids, as dispatch and retention do, since a join changes them in any order.
 */
export async function purgeUserInEvents(
  tx: Tx,
  ids: { appId: string; uid: string },
  after: string,
  before: string,
  limit: number,
): Promise<{ rows: number; last: string }> {
  const [row] = await tx.$queryRaw<[{ rows: number; last: string }]>`WITH batch AS MATERIALIZED (
      SELECT id FROM events
      WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} AND id > ${after} AND id < ${before}
      ORDER BY id LIMIT ${Prisma.raw(String(limit))}
    ), locked AS MATERIALIZED (
      SELECT v.id FROM events AS v JOIN batch ON batch.id = v.id WHERE v.app_id = ${ids.appId}
      ORDER BY v.id FOR UPDATE OF v
    ), responses AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries AS d JOIN batch ON batch.id = d.event_id
      WHERE d.app_id = ${ids.appId} AND d.response_body IS NOT NULL ORDER BY d.id FOR UPDATE OF d
    ), cleared AS (
      UPDATE events AS v SET data = v.data
        || COALESCE(jsonb_set(jsonb_set(${clearedUser}, '{user,uid}', v.data -> 'user' -> 'uid'),
          '{user,created_at}', v.data -> 'user' -> 'created_at'), ${clearedUser})
        || CASE WHEN v.data ? 'entry' THEN jsonb_set('{}', '{entry}', (v.data -> 'entry')
          || '{"description": "", "reference": null}'::jsonb) ELSE '{}'::jsonb END
      FROM locked WHERE v.app_id = ${ids.appId} AND v.id = locked.id
    ), forgotten AS (
      UPDATE webhook_deliveries AS d SET response_body = NULL
      FROM responses WHERE d.app_id = ${ids.appId} AND d.id = responses.id
    )
    SELECT count(*)::int AS rows, COALESCE(max(id), ${after}) AS last FROM batch`;
  return row;
}

// Where tables are distributed, an UPDATE may only use immutable functions, which jsonb_build_object is not.
const clearedUser = Prisma.sql`'{"user": {"email": null, "email_verified": false, "first_name": null, "last_name": null,
  "photo_url": null, "member_id": null, "claims": {}}}'::jsonb`;

const omit = { secret: true, previousSecret: true } as const;

/** Without the secrets. */
export type WebhookRow = Prisma.WebhookEndpointGetPayload<{ omit: typeof omit }>;

export function listWebhookRows(
  prisma: PrismaClient,
  appId: string,
  after: string,
  limit: number,
): Promise<WebhookRow[]> {
  const where = { appId, id: { gt: after } };
  return prisma.webhookEndpoint.findMany({ where, omit, orderBy: { id: 'asc' }, take: limit });
}

export function findWebhookRow(db: Db, ids: WebhookIds): Promise<WebhookRow | null> {
  return db.webhookEndpoint.findUnique({ where: { appId_id: ids }, omit });
}

/** Serializes the creation of an app's webhooks; does not block the insertion of users and sessions. */
export async function lockWebhooksOf(tx: Tx, appId: string): Promise<void> {
  await tx.$executeRaw(lockAppOf(appId));
}

export function countWebhooks(tx: Tx, appId: string): Promise<number> {
  return tx.webhookEndpoint.count({ where: { appId } });
}

export function insertWebhook(
  tx: Tx,
  row: WebhookIds & { url: string; description: string | null; types: string[]; secret: Bytes; now: Date },
): Promise<WebhookRow> {
  const { now, ...data } = row;
  return tx.webhookEndpoint.create({ data: { ...data, createdAt: now, updatedAt: now }, omit });
}

/** Absent: unchanged. */
export type WebhookPatch = {
  [Name in 'url' | 'description' | 'types' | 'enabled']?: WebhookRow[Name] | undefined;
};

/** Null if there is none. Enabling resets the reason for disabling; enabling or a new URL resets the failures. */
export async function updateWebhookRow(
  tx: Tx,
  ids: WebhookIds,
  patch: WebhookPatch,
  now: Date,
): Promise<WebhookRow | null> {
  const data: Prisma.WebhookEndpointUpdateManyMutationInput = { updatedAt: now };
  if (patch.url !== undefined) data.url = patch.url;
  if (patch.description !== undefined) data.description = patch.description;
  if (patch.types !== undefined) data.types = patch.types;
  if (patch.url !== undefined) {
    const urlChanges = { ...ids, url: { not: patch.url } };
    await tx.webhookEndpoint.updateMany({ where: urlChanges, data: { failingSince: null } });
  }
  if (patch.enabled === true)
    Object.assign(data, { enabled: true, disabledReason: null, failingSince: null });
  const { count } = await tx.webhookEndpoint.updateMany({ where: ids, data });
  if (count === 0) return null;
  if (patch.enabled === false) await disableWebhookRow(tx, ids, 'admin', now);
  return findWebhookRow(tx, ids);
}

export type DisableOnlyIf = {
  /** Only if it still has this URL. */
  url?: string;
  /** Only if it has been failing since then or longer. */
  failingBefore?: Date;
};

/** False if it is already disabled or a condition does not hold. */
export async function disableWebhookRow(
  tx: Tx,
  ids: WebhookIds,
  reason: 'admin' | 'gone' | 'failing',
  now: Date,
  { url, failingBefore }: DisableOnlyIf = {},
): Promise<boolean> {
  const where: Prisma.WebhookEndpointWhereInput = { ...ids, enabled: true };
  if (url !== undefined) where.url = url;
  if (failingBefore) where.failingSince = { lte: failingBefore };
  const data = { enabled: false, disabledReason: reason, updatedAt: now };
  return (await tx.webhookEndpoint.updateMany({ where, data })).count === 1;
}

export async function deleteWebhookRow(tx: Tx, ids: WebhookIds): Promise<boolean> {
  return (await tx.webhookEndpoint.deleteMany({ where: ids })).count === 1;
}

/** One statement, so that concurrent rotations do not lose each other's secret. Null if there is no such webhook. */
export async function rotateSecretRow(
  tx: Tx,
  ids: WebhookIds,
  secret: Bytes,
  until: Date,
  now: Date,
): Promise<WebhookRow | null> {
  const count =
    await tx.$executeRaw`UPDATE webhook_endpoints SET previous_secret = secret, secret = ${secret}::bytea,
      previous_secret_until = ${until}::timestamptz, updated_at = ${now}::timestamptz
    WHERE app_id = ${ids.appId} AND id = ${ids.id}`;
  return count === 1 ? findWebhookRow(tx, ids) : null;
}

/** Locks the rows until the transaction ends. */
export function lockSecretsOfOtherKeys(
  tx: Tx,
  appId: string,
  keyId: number,
): Promise<{ appId: string; id: string; secret: Uint8Array; previousSecret: Uint8Array | null }[]> {
  return tx.$queryRaw`SELECT app_id AS "appId", id, secret, previous_secret AS "previousSecret" FROM webhook_endpoints
    WHERE app_id = ${appId}
      AND (get_byte(secret, 1) <> ${keyId}::int OR get_byte(previous_secret, 1) <> ${keyId}::int) FOR UPDATE`;
}

export async function replaceSecrets(
  tx: Tx,
  ids: WebhookIds,
  secret: Bytes,
  previousSecret: Bytes | null,
): Promise<void> {
  await tx.webhookEndpoint.updateMany({ where: ids, data: { secret, previousSecret } });
}

export async function deletePreviousSecrets(prisma: PrismaClient, now: Date): Promise<number> {
  const { count } = await prisma.webhookEndpoint.updateMany({
    where: { previousSecretUntil: { lte: now } },
    data: { previousSecret: null, previousSecretUntil: null },
  });
  return count;
}
