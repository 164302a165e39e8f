// Serialization of a delivery.
import type { WebhookDelivery } from '@foyer/contract';
import { eventName } from '../../events/event.js';
import { timestamp } from '../../lib/timestamp.js';
import type { DeliveryRow } from './store.js';

export function serializeDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    event_id: eventName(row.eventId),
    event_type: row.eventType as WebhookDelivery['event_type'],
    trigger: row.trigger as WebhookDelivery['trigger'],
    status: row.status as WebhookDelivery['status'],
    attempts: row.attempts,
    next_attempt_at: row.nextAttemptAt && timestamp(row.nextAttemptAt),
    last_attempt_at: row.lastAttemptAt && timestamp(row.lastAttemptAt),
    response_status: row.responseStatus,
    duration_ms: row.durationMs,
    error: row.error,
    created_at: timestamp(row.createdAt),
  };
}
