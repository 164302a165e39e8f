// What is sent with a delivery, without the signature, and what is stored of the response.
import { isAuditType, limits, testEventType } from '@foyer/contract';
import { serializeEntries } from '../../audit/list-entries.js';
import { findEntry } from '../../audit/store.js';
import type { Deps } from '../../deps.js';
import { eventName, serializeEvent } from '../../events/event.js';
import { secondsOf, timestamp } from '../../lib/timestamp.js';

export type DeliveredEvent = {
  appId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  trigger: string;
  createdAt: Date;
  /** Null for a test and an audit entry, and if the event was deleted by retention; the time as well. */
  eventData: unknown;
  eventCreatedAt: Date | null;
};

/** Returns null if the event or audit entry was deleted by retention. */
export async function bodyOf(
  deps: Pick<Deps, 'prisma' | 'apps'>,
  delivery: DeliveredEvent,
): Promise<string | null> {
  const { appId, eventId, eventType, eventData, eventCreatedAt } = delivery;
  if (delivery.trigger === 'test') {
    return JSON.stringify({
      id: eventName(eventId),
      type: testEventType,
      timestamp: timestamp(delivery.createdAt),
      app_id: appId,
      data: { webhook_id: delivery.endpointId },
    });
  }
  if (isAuditType(eventType)) return bodyOfEntry(deps, delivery);
  if (eventCreatedAt === null) return null;
  const event = { appId, id: eventId, type: eventType, data: eventData, createdAt: eventCreatedAt };
  return JSON.stringify(serializeEvent(event));
}

/** The entry as the API returns it now, without the personal data of a user who was deleted since. */
async function bodyOfEntry(
  deps: Pick<Deps, 'prisma' | 'apps'>,
  { appId, eventId, eventType }: DeliveredEvent,
): Promise<string | null> {
  const row = await findEntry(deps.prisma, { appId, id: eventId });
  const app = row && (await deps.apps.byId(appId));
  if (!app) return null;
  const [entry] = await serializeEntries(deps, app, [row], { users: true });
  return JSON.stringify({
    id: eventName(eventId),
    type: eventType,
    timestamp: timestamp(row.createdAt),
    app_id: appId,
    data: { entry },
  });
}

export function headersOf(eventId: string, sentAt: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Foyer-Webhooks/1',
    'webhook-id': eventName(eventId),
    'webhook-timestamp': String(secondsOf(sentAt)),
  };
}

/** The beginning of a response, as PostgreSQL can store it; null for an empty one. */
export function responseText(body: Buffer): string | null {
  const characters = [...body.toString('utf8').replaceAll('\u0000', '\ufffd')];
  return characters.slice(0, limits.webhookResponseCharacters).join('') || null;
}
