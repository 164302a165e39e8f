// Serialization of a delivery.
import type { WebhookDelivery } from '@foyer/contract';
import { eventName } from '../../events/event.js';
import { toWire } from '../../model/wire.js';
import type { DeliveryRow } from './store.js';

const shown = [
  'id',
  'uid',
  'attempts',
  'nextAttemptAt',
  'lastAttemptAt',
  'responseStatus',
  'durationMs',
  'error',
  'createdAt',
] as const;

export function serializeDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    ...toWire(row, shown),
    event_id: eventName(row.eventId),
    event_type: row.eventType as WebhookDelivery['event_type'],
    trigger: row.trigger as WebhookDelivery['trigger'],
    status: row.status as WebhookDelivery['status'],
  };
}
