// Queries that turn events into deliveries: what is pending, for whom, and the deliveries themselves.
import { isAuditType } from '@foyer/contract';
import { Prisma, type PrismaClient, type Tx } from '@foyer/prisma';
import {
  listEntryEvents,
  lockPendingEntries,
  lockPendingEntriesOf,
  markEntriesDispatched,
} from '../../audit/store.js';
import { compareTexts } from '../../lib/compare-texts.js';

export type DeliveryWork = {
  /** The apps of the oldest pending events and audit entries, at most 500 of them. */
  events: string[];
  /** The last of these. */
  lastEvent: string | null;
  /** Whether later ones may be pending. */
  moreEvents: boolean;
  /** The apps that have replays. */
  replays: string[];
  /** When the first delivery of an enabled webhook is or was due; null without any. */
  dueAt: Date | null;
};

/** Polled every few seconds; small indexes answer it. Apps with events are in the order of their oldest one. */
export async function findWork(prisma: PrismaClient): Promise<DeliveryWork> {
  const [row] = await prisma.$queryRaw<[DeliveryWork]>`WITH found AS MATERIALIZED (
      SELECT app_id, id FROM (
        (SELECT app_id, id FROM events WHERE pending ORDER BY id LIMIT ${foundEvents})
        UNION ALL
        (SELECT app_id, id FROM audit_log WHERE pending ORDER BY id LIMIT ${foundEvents})
      ) AS oldest ORDER BY id LIMIT ${foundEvents}
    )
    SELECT ARRAY(SELECT app_id FROM found GROUP BY app_id ORDER BY min(id)) AS events,
      (SELECT max(id) FROM found) AS "lastEvent", (SELECT count(*) = ${foundEvents} FROM found) AS "moreEvents",
      ARRAY(SELECT DISTINCT app_id FROM webhook_replays) AS replays,
      (SELECT min(first_at) FROM (SELECT ${firstDueAt} AS first_at FROM webhook_endpoints AS e WHERE e.enabled) AS firsts)
        AS "dueAt"`;
  return row;
}

const foundEvents = Prisma.raw('500');

/** When the first delivery of a webhook `e` is due: one index look-up; a join would read every due delivery. */
export const firstDueAt = Prisma.sql`(SELECT min(d.next_attempt_at) FROM webhook_deliveries AS d
  WHERE d.app_id = e.app_id AND d.endpoint_id = e.id)`;

export type PendingEvent = { appId: string; id: string; type: string };

/** The pending events and audit entries of an app up to `lastEvent` of `findWork`, in the order of their ids. */
export async function lockPending(tx: Tx, appId: string, lastEvent: string): Promise<PendingEvent[]> {
  // Entries before events, as the deletion of an account locks them.
  const entries = await lockPendingEntries(tx, appId, lastEvent, foundEvents);
  return inOrder(entries, await lockPendingEvents(tx, appId, lastEvent));
}

/** The same, waiting for other instances that dispatch them. */
export async function lockPendingOf(tx: Tx, appId: string, limit: number): Promise<PendingEvent[]> {
  const entries = await lockPendingEntriesOf(tx, appId, limit);
  return inOrder(entries, await lockPendingEventsOf(tx, appId, limit));
}

function inOrder(...kinds: PendingEvent[][]): PendingEvent[] {
  return kinds.flat().sort((one, other) => compareTexts(one.id, other.id));
}

/**
 * The pending events of an app up to `lastEvent` of `findWork`, skipping those that another instance has locked. Without this
 * end PostgreSQL may read the events of all other apps, by the index that orders the pending events of all.
 */
function lockPendingEvents(tx: Tx, appId: string, lastEvent: string): Promise<PendingEvent[]> {
  return tx.$queryRaw`SELECT app_id AS "appId", id, type FROM events
    WHERE pending AND app_id = ${appId} AND id <= ${lastEvent}
    ORDER BY id LIMIT ${foundEvents} FOR UPDATE SKIP LOCKED`;
}

/** The pending events of an app, waiting for other instances that dispatch them. */
function lockPendingEventsOf(tx: Tx, appId: string, limit: number): Promise<PendingEvent[]> {
  return tx.$queryRaw`SELECT app_id AS "appId", id, type FROM events WHERE pending AND app_id = ${appId}
    ORDER BY id LIMIT ${limit}::int FOR UPDATE`;
}

export async function markDispatched(tx: Tx, appId: string, dispatched: PendingEvent[]): Promise<void> {
  const [entries, events] = [true, false].map((isEntry) =>
    dispatched.filter(({ type }) => isAuditType(type) === isEntry).map(({ id }) => id),
  ) as [string[], string[]];
  if (entries.length > 0) await markEntriesDispatched(tx, appId, entries);
  if (events.length > 0) await markEventsDispatched(tx, appId, events);
}

async function markEventsDispatched(tx: Tx, appId: string, ids: string[]): Promise<void> {
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
  { trigger, now }: { trigger: 'event' | 'replay'; now: Date },
): Promise<void> {
  const column = (name: keyof NewDelivery) => deliveries.map((delivery) => delivery[name]);
  await tx.$executeRaw`INSERT INTO webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, trigger,
      next_attempt_at, created_at)
    SELECT ${appId}, n.id, n.endpoint_id, n.event_id, n.event_type, ${trigger}, ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(${column('id')}::text[], ${column('endpointId')}::text[], ${column('eventId')}::text[],
      ${column('eventType')}::text[]) AS n (id, endpoint_id, event_id, event_type)`;
}

export type Replay = { appId: string; id: string; endpointId: string; afterId: string; beforeId: string };

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

/** The events after the last replayed one and, for a webhook that receives any, the audit entries. */
export async function listReplayEvents(
  tx: Tx,
  replay: Replay & { types: string[] },
  limit: number,
): Promise<PendingEvent[]> {
  const events = await listEventsOf(tx, replay, limit);
  if (!replay.types.some(isAuditType)) return events;
  return inOrder(events, await listEntryEvents(tx, replay, limit)).slice(0, limit);
}

function listEventsOf(tx: Tx, replay: Replay, limit: number): Promise<PendingEvent[]> {
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
