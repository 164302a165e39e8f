// GET /admin/events. Event ids begin with the time, so a time range is an id range.
import { type Event, type EventType, Ulid } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';
import { decodeCursor, encodeCursor } from '../lib/cursor.js';
import { serializeEvent } from './event.js';
import { listEventRows } from './store.js';

export { deleteEventsBefore } from './store.js';
export type EventQuery = {
  limit: number;
  cursor?: string | undefined;
  type?: EventType | undefined;
  uid?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
};

export async function listEvents(
  deps: Deps,
  appId: string,
  query: EventQuery,
): Promise<{ items: Event[]; next_cursor: string | null }> {
  const [cursor] = query.cursor === undefined ? [undefined] : decodeCursor(query.cursor, Ulid);
  const { created_after: after, created_before } = query;
  const before = [cursor, created_before && firstUlidOf(new Date(created_before))].flatMap((id) => id ?? []);
  const rows = await listEventRows(deps.prisma, {
    appId,
    type: query.type,
    uid: query.uid,
    from: after && firstUlidOf(new Date(after)),
    before,
    most: query.limit + 1,
  });
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(serializeEvent),
    next_cursor: last && rows.length > shown.length ? encodeCursor([last.id]) : null,
  };
}
