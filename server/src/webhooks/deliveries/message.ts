// What is sent with a delivery, without the signature, and what is stored of the response.
import { limits, testEventType } from '@foyer/contract';
import { eventName, serializeEvent } from '../../events/event.js';
import { secondsOf, timestamp } from '../../lib/timestamp.js';

export type DeliveredEvent = {
  appId: string;
  endpointId: string;
  eventId: string;
  trigger: string;
  createdAt: Date;
  /** Null for a test, and if the event was deleted by retention. */
  eventType: string | null;
  eventData: unknown;
  eventCreatedAt: Date | null;
};

/** Null if the event was deleted by retention. */
export function bodyOf(delivery: DeliveredEvent): string | null {
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
  if (eventType === null || eventCreatedAt === null) return null;
  const event = { appId, id: eventId, type: eventType, data: eventData, createdAt: eventCreatedAt };
  return JSON.stringify(serializeEvent(event));
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
