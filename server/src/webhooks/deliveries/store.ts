// Queries on deliveries and replays.
import { type Db, Prisma, type PrismaClient, type Tx, type WebhookDelivery } from '@foyer/prisma';
import { firstUlidOf } from '../../lib/crypto/ulid-bytes.js';
import type { RetentionBatch } from '../../model/retention-batch.js';
import type { WebhookIds } from '../endpoints/store.js';
import type { DeliveredEvent } from './message.js';

export type DeliveryWork = {
  /** The apps of the oldest pending events, at most 500 events. */
  events: string[];
  /** The last of these events. */
  lastEvent: string | null;
  /** Whether later events may be pending. */
  moreEvents: boolean;
  /** The apps that have replays. */
  replays: string[];
  /** When the first delivery of an enabled webhook is or was due; null without any. */
  dueAt: Date | null;
};

/** Polled every few seconds; small indexes answer it. Apps with events are in the order of their oldest one. */
export async function findWork(prisma: PrismaClient): Promise<DeliveryWork> {
  const [row] = await prisma.$queryRaw<[DeliveryWork]>`WITH found AS MATERIALIZED (
      SELECT app_id, id FROM events WHERE pending ORDER BY id LIMIT ${foundEvents}
    )
    SELECT ARRAY(SELECT app_id FROM found GROUP BY app_id ORDER BY min(id)) AS events,
      (SELECT max(id) FROM found) AS "lastEvent", (SELECT count(*) = ${foundEvents} FROM found) AS "moreEvents",
      ARRAY(SELECT DISTINCT app_id FROM webhook_replays) AS replays,
      (SELECT min(first_at) FROM (SELECT ${firstDueAt} AS first_at FROM webhook_endpoints AS e WHERE e.enabled) AS firsts)
        AS "dueAt"`;
  return row;
}

const foundEvents = Prisma.raw('500');

/** Of a webhook `e`: one index look-up; a join would read every due delivery. */
const firstDueAt = Prisma.sql`(SELECT min(d.next_attempt_at) FROM webhook_deliveries AS d
  WHERE d.app_id = e.app_id AND d.endpoint_id = e.id)`;

export type PendingEvent = { appId: string; id: string; type: string };

/**
 * The pending events of an app up to `lastEvent` of `findWork`, skipping those that another instance has locked. Without this
 * end PostgreSQL may read the events of all other apps, by the index that orders the pending events of all.
 */
export function lockPendingEvents(tx: Tx, appId: string, lastEvent: string): Promise<PendingEvent[]> {
  return tx.$queryRaw`SELECT app_id AS "appId", id, type FROM events
    WHERE pending AND app_id = ${appId} AND id <= ${lastEvent}
    ORDER BY id LIMIT ${foundEvents} FOR UPDATE SKIP LOCKED`;
}

/** The pending events of an app, waiting for other instances that dispatch them. */
export function lockPendingEventsOf(tx: Tx, appId: string, limit: number): Promise<PendingEvent[]> {
  return tx.$queryRaw`SELECT app_id AS "appId", id, type FROM events WHERE pending AND app_id = ${appId}
    ORDER BY id LIMIT ${limit}::int FOR UPDATE`;
}

export async function markDispatched(tx: Tx, appId: string, ids: string[]): Promise<void> {
  await tx.$executeRaw`UPDATE events SET pending = false WHERE app_id = ${appId} AND id = ANY(${ids}::text[])`;
}

export type Receiver = { id: string; types: string[] };

export function listReceivers(tx: Tx, appId: string): Promise<Receiver[]> {
  return tx.$queryRaw`SELECT id, types FROM webhook_endpoints WHERE app_id = ${appId} AND enabled`;
}

export type NewDelivery = { id: string; endpointId: string; eventId: string; eventType: string };

export async function insertDeliveries(
  tx: Tx,
  appId: string,
  deliveries: NewDelivery[],
  trigger: 'event' | 'replay',
  now: Date,
): Promise<void> {
  const column = (name: keyof NewDelivery) => deliveries.map((delivery) => delivery[name]);
  await tx.$executeRaw`INSERT INTO webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, trigger,
      next_attempt_at, created_at)
    SELECT ${appId}, n.id, n.endpoint_id, n.event_id, n.event_type, ${trigger}, ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(${column('id')}::text[], ${column('endpointId')}::text[], ${column('eventId')}::text[],
      ${column('eventType')}::text[]) AS n (id, endpoint_id, event_id, event_type)`;
}

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

export type Replay = { appId: string; id: string; endpointId: string; afterId: string; beforeId: string };

/** Prevents the deletion of the webhook until the transaction ends. False if there is none. */
export async function lockWebhookForShare(tx: Tx, { appId, id }: WebhookIds): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT id FROM webhook_endpoints
    WHERE app_id = ${appId} AND id = ${id} FOR KEY SHARE`;
  return rows.length === 1;
}

/** False if the webhook already has a replay. */
export async function insertReplay(tx: Tx, replay: Replay, now: Date): Promise<boolean> {
  const count =
    await tx.$executeRaw`INSERT INTO webhook_replays (app_id, id, endpoint_id, after_id, before_id, created_at)
    VALUES (${replay.appId}, ${replay.id}, ${replay.endpointId}, ${replay.afterId}, ${replay.beforeId},
      ${now}::timestamptz) ON CONFLICT (app_id, endpoint_id) DO NOTHING`;
  return count === 1;
}

type OpenReplay = Replay & { types: string[]; pending: number };

/** The oldest replay of an app that is not locked and whose webhook has fewer than `maxPending` pending deliveries. */
export async function lockReplay(tx: Tx, appId: string, maxPending: number): Promise<OpenReplay | null> {
  const pending = Prisma.sql`(SELECT count(*)::int FROM (SELECT FROM webhook_deliveries AS d
    WHERE d.app_id = ${appId} AND d.endpoint_id = r.endpoint_id AND d.next_attempt_at IS NOT NULL
    LIMIT ${maxPending}::int) AS few)`;
  const [row] = await tx.$queryRaw<
    OpenReplay[]
  >`SELECT r.app_id AS "appId", r.id, r.endpoint_id AS "endpointId",
      r.after_id AS "afterId", r.before_id AS "beforeId", e.types, ${pending} AS pending
    FROM webhook_replays AS r JOIN webhook_endpoints AS e ON e.app_id = ${appId} AND e.id = r.endpoint_id
    WHERE r.app_id = ${appId} AND ${pending} < ${maxPending}::int ORDER BY r.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED`;
  return row ?? null;
}

export function listReplayEvents(tx: Tx, replay: Replay, limit: number): Promise<PendingEvent[]> {
  return tx.$queryRaw`SELECT app_id AS "appId", id, type FROM events
    WHERE app_id = ${replay.appId} AND id > ${replay.afterId} AND id < ${replay.beforeId}
    ORDER BY id LIMIT ${limit}::int`;
}

/** Null ends the replay. */
export async function advanceReplay(tx: Tx, replay: Replay, afterId: string | null): Promise<void> {
  const where = { appId: replay.appId, id: replay.id };
  if (afterId === null) await tx.webhookReplay.deleteMany({ where });
  else await tx.webhookReplay.updateMany({ where, data: { afterId } });
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
      RETURNING w.app_id, w.id, w.endpoint_id, w.event_id, w.trigger, w.step, w.created_at
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

const claimedColumns = Prisma.sql`c.app_id AS "appId", c.id, c.endpoint_id AS "endpointId", c.event_id AS "eventId",
  c.trigger, c.step, c.created_at AS "createdAt", e.url, e.secret, e.previous_secret AS "previousSecret",
  e.previous_secret_until AS "previousSecretUntil", e.failing_since AS "failingSince",
  v.type AS "eventType", v.data AS "eventData", v.created_at AS "eventCreatedAt"`;
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
  // Not a condition of the UPDATE: where tables are distributed, no table may be left out by the value of a parameter.
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

export type DeliveryRow = Prisma.WebhookDeliveryGetPayload<{ omit: typeof omit }>;

/** Newest first. */
export function listDeliveryRows(
  prisma: PrismaClient,
  filter: { appId: string; endpointId: string; status: string | undefined; before: string | undefined },
  limit: number,
): Promise<DeliveryRow[]> {
  const { appId, endpointId, status, before } = filter;
  const where = { appId, endpointId, ...(status && { status }), ...(before && { id: { lt: before } }) };
  return prisma.webhookDelivery.findMany({ where, omit, orderBy: { id: 'desc' }, take: limit });
}

type DeliveryIds = { appId: string; endpointId: string; id: string };

export function findDeliveryRow(db: Db, ids: DeliveryIds): Promise<DeliveryRow | null> {
  return db.webhookDelivery.findFirst({ where: ids, omit });
}

export type DeliveryDetails = {
  delivery: WebhookDelivery;
  event: DeliveredEvent;
  /** False if the user of the event was deleted, or the event is no longer stored. */
  hasUser: boolean;
};

/** A delivery with its event as it is stored now. */
export async function findDeliveryDetails(
  prisma: PrismaClient,
  ids: DeliveryIds,
): Promise<DeliveryDetails | null> {
  const delivery = await prisma.webhookDelivery.findFirst({ where: ids });
  if (!delivery) return null;
  const [stored] = await prisma.$queryRaw<
    (Pick<DeliveredEvent, 'eventType' | 'eventData' | 'eventCreatedAt'> & { hasUser: boolean })[]
  >`SELECT v.type AS "eventType", v.data AS "eventData", v.created_at AS "eventCreatedAt",
      EXISTS (SELECT FROM users AS u WHERE u.app_id = ${ids.appId} AND u.id = v.user_id) AS "hasUser"
    FROM events AS v WHERE v.app_id = ${ids.appId} AND v.id = ${delivery.eventId}`;
  const { hasUser = false, ...event } = stored ?? { eventType: null, eventData: null, eventCreatedAt: null };
  return { delivery, event: { ...delivery, ...event }, hasUser };
}

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
