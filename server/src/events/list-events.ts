// GET /admin/events. Event ids begin with the time, so a time range is an id range.
import { type Event, type EventType, Ulid } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { firstUlidAt } from '../lib/crypto/ulid-bytes.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { serializeEvent } from './event.js';
import { listEventRows } from './store.js';

type EventQuery = PageInput & {
  type?: EventType | undefined;
  uid?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
};

export async function listEvents(deps: Deps, appId: string, query: EventQuery): Promise<Page<Event>> {
  const [cursor] = query.cursor === undefined ? [undefined] : decodeCursor(query.cursor, Ulid);
  const { type, uid, limit, created_after: after, created_before } = query;
  const from = after && firstUlidAt(after);
  const before = [cursor, created_before && firstUlidAt(created_before)].flatMap((id) => id ?? []);
  const rows = await listEventRows(deps.prisma, { appId, type, uid, from, before, maxRows: limit + 1 });
  return pageOf(rows, limit, ({ id }) => [id], serializeEvent);
}
