// Queries on deliveries, and the insertion of replays.
import { isAuditType } from '@foyer/contract';
import { columnList, type Db, Prisma, type PrismaClient, type Tx, type WebhookDelivery } from '@foyer/prisma';
import { firstUlidOf } from '../../lib/crypto/ulid-bytes.js';
import type { RetentionBatch } from '../../model/retention-batch.js';
import { firstDueAt, type NewDelivery, type Replay } from '../dispatch/store.js';
import type { WebhookIds } from '../endpoints/store.js';
import type { DeliveredEvent } from './message.js';

/** The inserting process attempts a test; it becomes due for others only when the lease expires. */
export async function insertTestDelivery(
  tx: Tx,
  delivery: NewDelivery & { appId: string; leaseId: string; until: Date; now: Date },
): Promise<void> {
  const { now, until, ...rest } = delivery;
  await tx.webhookDelivery.create({
    data: { ...rest, trigger: 'test', nextAttemptAt: until, createdAt: now },
  });
}

/** Prevents the deletion of the webhook until the transaction ends. False if there is none. */
export async function lockWebhookForShare(tx: Tx, { appId, id }: WebhookIds): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT id FROM webhook_endpoints
    WHERE app_id = ${appId} AND id = ${id} FOR KEY SHARE`;
  return rows.length === 1;
}

/** Returns false if the webhook already has a replay. */
export async function insertReplay(tx: Tx, replay: Replay, now: Date): Promise<boolean> {
  const count =
    await tx.$executeRaw`INSERT INTO webhook_replays (app_id, id, endpoint_id, after_id, before_id, created_at)
    VALUES (${replay.appId}, ${replay.id}, ${replay.endpointId}, ${replay.afterId}, ${replay.beforeId},
      ${now}::timestamptz) ON CONFLICT (app_id, endpoint_id) DO NOTHING`;
  return count === 1;
}

export type DueWebhook = WebhookIds & { failing: boolean };

/**
 * At most 1,000 enabled webhooks with a due delivery: working ones before failing ones, then the longest due first, so that
 * each has its turn when there are more.
 */
export function findDueWebhooks(prisma: PrismaClient, now: Date): Promise<DueWebhook[]> {
  return prisma.$queryRaw`SELECT e.app_id AS "appId", e.id, e.failing_since IS NOT NULL AS failing
    FROM webhook_endpoints AS e
    WHERE e.enabled AND ${firstDueAt} <= ${now}::timestamptz ORDER BY failing, ${firstDueAt} LIMIT 1000`;
}

export type Claim = {
  appId: string;
  now: Date;
  until: Date;
  leaseId: string;
  /** The maximum number of deliveries: in total, and of each webhook by its id. */
  limit: number;
  webhooks: Record<string, number>;
};

export type ClaimedDelivery = DeliveredEvent & {
  id: string;
  step: number;
  url: string;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousSecretUntil: Date | null;
  failingSince: Date | null;
};

/**
 * Claims due deliveries of those webhooks of an app that are still enabled, the longest due first. No other instance claims a
 * row until its lease expires.
 */
export function claimDeliveries(prisma: PrismaClient, claim: Claim): Promise<ClaimedDelivery[]> {
  const { appId, now, webhooks } = claim;
  // A literal, not a parameter: with an unknown limit the planner overestimates the cost and JIT-compiles the statement, which
  // takes longer than everything else.
  const limit = Prisma.raw(String(Math.max(...Object.values(webhooks))));
  return prisma.$queryRaw`WITH first AS MATERIALIZED (
      SELECT d.id, d.next_attempt_at, n.free::int AS free,
        row_number() OVER (PARTITION BY n.id ORDER BY d.next_attempt_at, d.id) AS place
      FROM jsonb_each_text(${JSON.stringify(webhooks)}::jsonb) AS n (id, free)
      JOIN webhook_endpoints AS e ON e.app_id = ${appId} AND e.id = n.id AND e.enabled
      CROSS JOIN LATERAL (
        SELECT w.id, w.next_attempt_at FROM webhook_deliveries AS w
        WHERE w.app_id = ${appId} AND w.endpoint_id = n.id AND w.next_attempt_at <= ${now}::timestamptz
        ORDER BY w.next_attempt_at, w.id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) AS d
    ), due AS (
      SELECT id FROM first WHERE place <= free ORDER BY next_attempt_at, id LIMIT ${claim.limit}::int
    ), claimed AS (
      UPDATE webhook_deliveries AS w
      SET lease_id = ${claim.leaseId}, next_attempt_at = ${claim.until}::timestamptz
      FROM due WHERE w.app_id = ${appId} AND w.id = due.id
      RETURNING w.app_id, w.id, w.endpoint_id, w.event_id, w.event_type, w.trigger, w.step, w.created_at
    )
    SELECT ${claimedColumns} FROM claimed AS c ${claimedTables(appId)} ORDER BY c.id`;
}

/** One delivery in the form of `claimDeliveries`. */
export async function findClaimed(
  prisma: PrismaClient,
  ids: { appId: string; id: string },
): Promise<ClaimedDelivery | null> {
  const [row] = await prisma.$queryRaw<ClaimedDelivery[]>`SELECT ${claimedColumns}
    FROM webhook_deliveries AS c ${claimedTables(ids.appId)} WHERE c.app_id = ${ids.appId} AND c.id = ${ids.id}`;
  return row ?? null;
}

/** The event of a delivery, of a relation named `v`. */
const eventColumns = Prisma.sql`v.data AS "eventData", v.created_at AS "eventCreatedAt"`;
type Claimed = keyof ClaimedDelivery;
const ofDelivery = [
  'appId',
  'id',
  'endpointId',
  'eventId',
  'eventType',
  'trigger',
  'step',
  'createdAt',
] satisfies Claimed[];
const ofWebhook = [
  'url',
  'secret',
  'previousSecret',
  'previousSecretUntil',
  'failingSince',
] satisfies Claimed[];
const claimedColumns = Prisma.sql`${columnList(ofDelivery, { of: 'c' })}, ${columnList(ofWebhook, { of: 'e' })},
  ${eventColumns}`;
const claimedTables = (appId: string) => Prisma.sql`
  LEFT JOIN events AS v ON v.app_id = ${appId} AND v.id = c.event_id
  JOIN webhook_endpoints AS e ON e.app_id = ${appId} AND e.id = c.endpoint_id`;

export type Outcome = {
  status: 'pending' | 'succeeded' | 'failed';
  step: number;
  nextAttemptAt: Date | null;
  lastAttemptAt: Date;
  responseStatus: number | null;
  durationMs: number;
  error: string | null;
  requestUrl: string | null;
  responseBody: string | null;
};

/**
 * Records the outcome of an attempt and, if `health`, since when the webhook fails, unless its URL has changed. False if
 * another instance has the lease now: then its outcome counts.
 */
export async function recordOutcome(
  prisma: PrismaClient,
  delivery: { appId: string; id: string; url: string; leaseId: string },
  outcome: Outcome,
  health: boolean,
): Promise<boolean> {
  const succeeded = outcome.status === 'succeeded';
  // This is no condition of the UPDATE: where tables are distributed, no table may be left out by the value of a
  // parameter.
  const recordHealth = health
    ? Prisma.sql`, health AS (
      UPDATE webhook_endpoints AS e
      SET failing_since = CASE WHEN ${succeeded} THEN NULL ELSE ${outcome.lastAttemptAt}::timestamptz END
      FROM done WHERE e.app_id = ${delivery.appId} AND e.id = done.endpoint_id AND e.url = ${delivery.url}
        AND (e.failing_since IS NULL) <> ${succeeded}
    )`
    : Prisma.empty;
  const [row] = await prisma.$queryRaw<{ count: number }[]>`WITH done AS (
      UPDATE webhook_deliveries SET status = ${outcome.status}, attempts = attempts + 1, step = ${outcome.step}::int,
        next_attempt_at = ${outcome.nextAttemptAt}::timestamptz, lease_id = NULL,
        last_attempt_at = ${outcome.lastAttemptAt}::timestamptz, response_status = ${outcome.responseStatus}::int,
        duration_ms = ${outcome.durationMs}::int, error = ${outcome.error}, request_url = ${outcome.requestUrl},
        response_body = ${outcome.responseBody}
      WHERE app_id = ${delivery.appId} AND id = ${delivery.id} AND lease_id = ${delivery.leaseId}
      RETURNING endpoint_id
    )${recordHealth}
    SELECT count(*)::int AS count FROM done`;
  return row?.count === 1;
}

const omit = { requestUrl: true, responseBody: true } as const;

/** `uid` is the user of its event. */
export type DeliveryRow = Prisma.WebhookDeliveryGetPayload<{ omit: typeof omit }> & { uid: string | null };

/** Newest first. */
export async function listDeliveryRows(
  prisma: PrismaClient,
  filter: { appId: string; endpointId: string; status: string | undefined; before: string | undefined },
  limit: number,
): Promise<DeliveryRow[]> {
  const { appId, endpointId, status, before } = filter;
  const where = { appId, endpointId, ...(status && { status }), ...(before && { id: { lt: before } }) };
  const rows = await prisma.webhookDelivery.findMany({ where, omit, orderBy: { id: 'desc' }, take: limit });
  return withUids(prisma, appId, rows);
}

type DeliveryIds = { appId: string; endpointId: string; id: string };

export async function findDeliveryRow(db: Db, ids: DeliveryIds): Promise<DeliveryRow | null> {
  const row = await db.webhookDelivery.findFirst({ where: ids, omit });
  if (!row) return null;
  const [found] = await withUids(db, ids.appId, [row]);
  return found ?? null;
}

/** Adds the user of the event or audit entry of each delivery; null if it is no longer stored. */
async function withUids<Row extends { eventId: string; eventType: string }>(
  db: Db,
  appId: string,
  rows: Row[],
): Promise<(Row & { uid: string | null })[]> {
  const isEntry = ({ eventType }: Row) => isAuditType(eventType);
  const ids = (some: Row[]) => [...new Set(some.map(({ eventId }) => eventId))];
  const uids = await db.$queryRaw<{ id: string; uid: string }[]>`SELECT id, user_id AS uid FROM events
      WHERE app_id = ${appId} AND id = ANY(${ids(rows.filter((row) => !isEntry(row)))}::text[])
    UNION ALL
    SELECT id, user_id FROM audit_log
      WHERE app_id = ${appId} AND id = ANY(${ids(rows.filter(isEntry))}::text[]) AND user_id IS NOT NULL`;
  const uidOf = new Map(uids.map(({ id, uid }) => [id, uid]));
  return rows.map((row) => ({ ...row, uid: uidOf.get(row.eventId) ?? null }));
}

export type DeliveryDetails = {
  delivery: WebhookDelivery & { uid: string | null };
  event: DeliveredEvent;
  /** False if the user of the event or audit entry was deleted, or it is no longer stored. */
  hasUser: boolean;
};

/** A delivery with its event as it is stored now. */
export async function findDeliveryDetails(
  prisma: PrismaClient,
  ids: DeliveryIds,
): Promise<DeliveryDetails | null> {
  const row = await prisma.webhookDelivery.findFirst({ where: ids });
  if (!row) return null;
  const [delivery = { ...row, uid: null }] = await withUids(prisma, ids.appId, [row]);
  const { eventId, eventType } = delivery;
  const ofUser = Prisma.sql`EXISTS (SELECT FROM users AS u WHERE u.app_id = ${ids.appId} AND u.id = v.user_id)`;
  if (isAuditType(eventType)) {
    const [entry] = await prisma.$queryRaw<
      { hasUser: boolean }[]
    >`SELECT v.user_id IS NULL OR ${ofUser} AS "hasUser"
      FROM audit_log AS v WHERE v.app_id = ${ids.appId} AND v.id = ${eventId}`;
    return { delivery, event: { ...delivery, ...notStored }, hasUser: entry?.hasUser ?? false };
  }
  const [stored] = await prisma.$queryRaw<
    (StoredEvent & { hasUser: boolean })[]
  >`SELECT ${eventColumns}, ${ofUser} AS "hasUser"
    FROM events AS v WHERE v.app_id = ${ids.appId} AND v.id = ${eventId}`;
  const { hasUser = false, ...event } = stored ?? notStored;
  return { delivery, event: { ...delivery, ...event }, hasUser };
}

type StoredEvent = Pick<DeliveredEvent, 'eventData' | 'eventCreatedAt'>;
const notStored: StoredEvent & { hasUser?: undefined } = { eventData: null, eventCreatedAt: null };

/** Makes the delivery due now, at the start of the schedule, unless an attempt is running. */
export async function rescheduleNow(tx: Tx, ids: DeliveryIds, now: Date): Promise<boolean> {
  const change = { status: 'pending', step: 0, nextAttemptAt: now, leaseId: null };
  const where = { ...ids, OR: [{ leaseId: null }, { nextAttemptAt: { lte: now } }] };
  return (await tx.webhookDelivery.updateMany({ where, data: change })).count === 1;
}

/**
 * Deletes deliveries of an app that are older than the batch's time or whose webhook was deleted. Finds the webhooks by a
 * recursive skip scan over the index of deliveries, since deleted ones are in no other table.
 */
export function deleteOldDeliveries(
  prisma: PrismaClient,
  { appId, time, maxRows }: RetentionBatch,
): Promise<number> {
  // A literal, so that the planner knows how few rows are read.
  const limit = Prisma.raw(String(maxRows));
  // Every id sorts before Z.
  return prisma.$executeRaw`WITH RECURSIVE receivers AS (
      (SELECT endpoint_id FROM webhook_deliveries WHERE app_id = ${appId} ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT next.endpoint_id FROM receivers AS r CROSS JOIN LATERAL (
        SELECT d.endpoint_id FROM webhook_deliveries AS d
        WHERE d.app_id = ${appId} AND d.endpoint_id > r.endpoint_id ORDER BY d.endpoint_id LIMIT 1
      ) AS next
    ), old AS MATERIALIZED (
      SELECT old.id FROM receivers AS r
      LEFT JOIN webhook_endpoints AS e ON e.app_id = ${appId} AND e.id = r.endpoint_id
      CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries AS d
        WHERE d.app_id = ${appId} AND d.endpoint_id = r.endpoint_id
          AND d.id < CASE WHEN e.id IS NULL THEN 'Z' ELSE ${firstUlidOf(time)} END
        ORDER BY d.id LIMIT ${limit}
      ) AS old LIMIT ${limit}
    ), locked AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries AS d JOIN old ON old.id = d.id WHERE d.app_id = ${appId}
      ORDER BY d.id FOR UPDATE OF d
    )
    DELETE FROM webhook_deliveries AS d USING locked WHERE d.app_id = ${appId} AND d.id = locked.id`;
}
