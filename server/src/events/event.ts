// An event, identical in the API and in webhooks.
import type { Event } from '@foyer/contract';
import { timestamp } from '../lib/timestamp.js';

export type EventRow = { appId: string; id: string; type: string; data: unknown; createdAt: Date };

export function serializeEvent(row: EventRow): Event {
  // The data as `insertEvents` wrote it; tests validate it against the contract.
  return {
    id: eventName(row.id),
    type: row.type,
    timestamp: timestamp(row.createdAt),
    app_id: row.appId,
    data: row.data,
  } as Event;
}

/** The public name of an event. */
export function eventName(id: string): string {
  return `evt_${id}`;
}
