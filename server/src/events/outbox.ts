// The outbox: each event is written by the statement or transaction that causes it, so that both commit or neither. It is
// pending if the app has an enabled webhook.
import type { EventType } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { eventUser } from '../model/user.js';

/**
 * Inserts one event per row of `from`, a FROM list in which `u` is the user; a statement or the body of a CTE. `id` is an
 * id or, for several rows, an SQL expression; `more` is merged into the data.
 */
export function insertEvents(event: {
  appId: string;
  id: string | Prisma.Sql;
  type: EventType;
  from: Prisma.Sql;
  now: Date | Prisma.Sql;
  more?: Prisma.Sql;
}): Prisma.Sql {
  const id = typeof event.id === 'string' ? Prisma.sql`${event.id}::text` : event.id;
  const more = event.more ? Prisma.sql` || ${event.more}` : Prisma.empty;
  return Prisma.sql`INSERT INTO events (app_id, id, type, user_id, data, pending, created_at)
    SELECT ${event.appId}::text, ${id}, ${Prisma.raw(`'${event.type}'`)}, u.id,
      jsonb_build_object('user', ${eventUser})${more},
      EXISTS (SELECT FROM webhook_endpoints AS w WHERE w.app_id = ${event.appId} AND w.enabled), ${event.now}::timestamptz
    FROM ${event.from}`;
}
