// Queries on webhooks, and on the events of deleted accounts.
import { type Db, Prisma, type PrismaClient, type Tx } from '@foyer/prisma';
import { lockAppOf } from '../../model/app.js';
import { blankEventUser, keptInEvents } from '../../model/user.js';

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
  { after, before, limit }: { after: string; before: string; limit: number },
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
        || COALESCE(${clearedExceptKept}, ${clearedUser})
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

/**
 * Clears the responses to deliveries of the audit entries of a user, from after one id up to another: they may repeat the
 * entry.
 */
export async function forgetResponsesToEntries(
  tx: Tx,
  ids: { appId: string; uid: string },
  { after, last }: { after: string; last: string },
): Promise<void> {
  await tx.$executeRaw`WITH responses AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries AS d
      JOIN audit_log AS a ON a.app_id = ${ids.appId} AND a.id = d.event_id
      WHERE d.app_id = ${ids.appId} AND d.response_body IS NOT NULL
        AND a.user_id = ${ids.uid} AND a.id > ${after} AND a.id <= ${last}
      ORDER BY d.id FOR UPDATE OF d
    )
    UPDATE webhook_deliveries AS d SET response_body = NULL
    FROM responses WHERE d.app_id = ${ids.appId} AND d.id = responses.id`;
}

// Where tables are distributed, an UPDATE may only use immutable functions, which jsonb_build_object is not.
const clearedUser = Prisma.raw(`'${JSON.stringify({ user: blankEventUser })}'::jsonb`);
/** The event with what is kept of the user; null where the event lacks it. */
const clearedExceptKept = keptInEvents.reduce(
  (cleared, name) =>
    Prisma.sql`jsonb_set(${cleared}, ${Prisma.raw(`'{user,${name}}', v.data -> 'user' -> '${name}'`)})`,
  clearedUser,
);

const omit = { secret: true, previousSecret: true } as const;

/** The row without the secrets. */
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

/** Every webhook of the app, by id. */
export function listAllWebhookRows(db: Db, appId: string): Promise<WebhookRow[]> {
  return db.webhookEndpoint.findMany({ where: { appId }, omit, orderBy: { id: 'asc' } });
}

export function findWebhookRow(db: Db, ids: WebhookIds): Promise<WebhookRow | null> {
  return db.webhookEndpoint.findUnique({ where: { appId_id: ids }, omit });
}

/** Locks the row until the transaction ends. */
export async function lockWebhook(tx: Tx, ids: WebhookIds): Promise<WebhookRow | null> {
  await tx.$executeRaw`SELECT FROM webhook_endpoints WHERE app_id = ${ids.appId} AND id = ${ids.id} FOR NO KEY UPDATE`;
  return findWebhookRow(tx, ids);
}

/** Locks every webhook of the app until the transaction ends. */
export async function lockAllWebhooks(tx: Tx, appId: string): Promise<WebhookRow[]> {
  await tx.$executeRaw`SELECT FROM webhook_endpoints WHERE app_id = ${appId} ORDER BY id FOR NO KEY UPDATE`;
  return listAllWebhookRows(tx, appId);
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

/** Returns null if there is none. Enabling resets the reason for disabling; enabling or a new URL resets the failures. */
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
  await tx.webhookEndpoint.updateMany({ where: ids, data });
  if (patch.enabled === false) await disableWebhookRow(tx, ids, { reason: 'admin', now });
  return findWebhookRow(tx, ids);
}

export type DisableOnlyIf = {
  /** The update applies if the webhook still has this URL. */
  url?: string;
  /** The update applies if it has been failing since then or longer. */
  failingBefore?: Date;
};

/** Returns false if it is already disabled or a condition does not hold. */
export async function disableWebhookRow(
  tx: Tx,
  ids: WebhookIds,
  { reason, now }: { reason: 'admin' | 'gone' | 'failing'; now: Date },
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
  { secret, until, now }: { secret: Bytes; until: Date; now: Date },
): Promise<WebhookRow | null> {
  const count =
    await tx.$executeRaw`UPDATE webhook_endpoints SET previous_secret = secret, secret = ${secret}::bytea,
      previous_secret_until = ${until}::timestamptz, updated_at = ${now}::timestamptz
    WHERE app_id = ${ids.appId} AND id = ${ids.id}`;
  return count === 1 ? findWebhookRow(tx, ids) : null;
}

type Secrets = { secret: Uint8Array; previousSecret: Uint8Array | null };

export type WebhookWithSecrets = WebhookIds & Secrets;

/** The webhooks of an app with a secret that is encrypted with another key, after the last one. */
export function listSecretsOfOtherKeys(
  db: Db,
  appId: string,
  keyId: number,
  { last, maxRows }: { last: WebhookIds | null; maxRows: number },
): Promise<WebhookWithSecrets[]> {
  return db.$queryRaw`SELECT app_id AS "appId", id, secret, previous_secret AS "previousSecret" FROM webhook_endpoints
    WHERE app_id = ${appId} AND id > ${last?.id ?? ''}
      AND (get_byte(secret, 1) <> ${keyId}::int OR get_byte(previous_secret, 1) <> ${keyId}::int)
    ORDER BY id LIMIT ${maxRows}::int`;
}

/** Returns 0 if the secrets have been rotated, or the webhook is gone. */
export function replaceSecrets(db: Db, from: WebhookWithSecrets, to: Secrets): Promise<number> {
  return db.$executeRaw`UPDATE webhook_endpoints
    SET secret = ${to.secret}::bytea, previous_secret = ${to.previousSecret}::bytea
    WHERE app_id = ${from.appId} AND id = ${from.id} AND secret = ${from.secret}::bytea
      AND previous_secret IS NOT DISTINCT FROM ${from.previousSecret}::bytea`;
}

export async function deletePreviousSecrets(prisma: PrismaClient, now: Date): Promise<number> {
  const { count } = await prisma.webhookEndpoint.updateMany({
    where: { previousSecretUntil: { lte: now } },
    data: { previousSecret: null, previousSecretUntil: null },
  });
  return count;
}
