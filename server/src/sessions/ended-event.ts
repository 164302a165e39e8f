// The SQL of the `session.ended` event, shared by all statements that end sessions.
import { Prisma } from '@foyer/prisma';
import { insertEvents } from '../events/outbox.js';

/** One event per row of `from`, a FROM list in which `s` is the session and `u` its user. */
export function insertEndedEvent(event: {
  id: string | Prisma.Sql;
  from: Prisma.Sql;
  now: Date | Prisma.Sql;
}): Prisma.Sql {
  return insertEvents({
    ...event,
    type: 'session.ended',
    more: Prisma.sql`jsonb_build_object('session', jsonb_build_object('id', s.id, 'method', s.method,
      'reason', s.end_reason))`,
  });
}
