// The SQL that ends one session with its event and its audit entry, and the event for statements that end several.
import type { AuditAction } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { insertEntriesOf } from '../audit/store.js';
import { insertEvents } from '../events/outbox.js';

export type EndReason =
  | 'sign_out'
  | 'sign_out_all'
  | 'ended_by_user'
  | 'session_limit'
  | 'refresh_reuse'
  | 'password_reset'
  | 'password_change'
  | 'unproven'
  | 'user_deleted'
  | 'user_disabled'
  | 'second_factor_removed'
  | 'revoked';

/** The session of a CTE named `s`, of this app, with its user. */
export function sessionWithUser(appId: string | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`s JOIN users AS u ON u.app_id = ${appId} AND u.id = s.user_id`;
}

/** One `session.ended` event per row of `from`, a FROM list in which `s` is the session and `u` its user. */
export function insertEndedEvent(event: {
  appId: string;
  id: string | Prisma.Sql;
  from: Prisma.Sql;
  now: Date;
}): Prisma.Sql {
  return insertEvents({
    ...event,
    type: 'session.ended',
    more: Prisma.sql`jsonb_build_object('session', jsonb_build_object('id', s.id, 'method', s.method,
      'reason', s.end_reason))`,
  });
}

/** Ends a session that has not ended and meets `when`, and returns its id. */
export function endStatement(end: {
  appId: string;
  sessionId: string;
  reason: EndReason;
  when: Prisma.Sql;
  eventId: string;
  /** The actor is the user if none is given. */
  audit: { id: string; action: AuditAction; actor?: Prisma.Sql; ip: string | null };
  now: Date;
}): Prisma.Sql {
  const { appId, now } = end;
  return Prisma.sql`WITH s AS (
      UPDATE sessions SET ended_at = ${now}::timestamptz, end_reason = ${end.reason}
      WHERE app_id = ${appId} AND id = ${end.sessionId} AND ended_at IS NULL AND ${end.when}
      RETURNING *
    ), event AS (${insertEndedEvent({ appId, id: end.eventId, from: sessionWithUser(appId), now })}),
    audited AS (${insertEntriesOf({
      ...end.audit,
      appId: Prisma.sql`${appId}::text`,
      target: Prisma.sql`'session:' || s.id`,
      uid: Prisma.sql`s.user_id`,
      details: Prisma.sql`'{}'::jsonb`,
      from: Prisma.sql`s`,
      now,
    })})
    SELECT s.id FROM s`;
}
