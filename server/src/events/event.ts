// An event as the API lists it and webhooks carry it: the same to the letter.
import type { Event } from '@foyer/contract';
import { timestamp } from '../lib/timestamp.js';

export type EventRow = { appId: string; id: string; type: string; data: unknown; createdAt: Date };

export function serializeEvent(row: EventRow): Event {
  // The data is what `insertEvents` wrote: the service's tests hold it against the contract.
  return {
    id: eventName(row.id),
    type: row.type,
    timestamp: timestamp(row.createdAt),
    app_id: row.appId,
    data: row.data,
  } as Event;
}

/** How an event is called outside. */
export function eventName(id: string): string {
  return `evt_${id}`;
}
