// Ends the session of a refresh token that was spent before the reuse window, which is treated as theft (refresh-token
// design). The statement of the refresh found the reuse and changed nothing. This one locks the row, judges it again and ends
// the session with its event and its audit entry. The refresh is refused only after that is committed.
//
// If the process or the database fails between the two statements, nothing was written and no response was sent, as if the
// call had failed before the first. The reuse follows from `generation` and `spends` of the row, which only move forward. So
// no spent token works again, and the next call with one finds the reuse and ends the session, whatever was spent meanwhile.
// Until then the current token works: a call that was never answered is no evidence against its holder.
import { Prisma } from '@foyer/prisma';
import { insertEntriesOf } from '../audit/entry.js';
import { insertEndedEvent } from './ended-event.js';
import { spentBefore } from './refresh-statement.js';

export type ReuseValues = {
  appId: string;
  sessionId: string;
  generation: number;
  reuseWindowStart: Date;
  now: Date;
  eventId: string;
  auditId: string;
  ipAddress: string | null;
};

/** Changes nothing if another call has ended the session meanwhile. */
export function reuseStatement(values: ReuseValues): Prisma.Sql {
  const { appId, sessionId, now } = values;
  const generation = Prisma.sql`${values.generation}::int`;
  const reuseWindowStart = Prisma.sql`${values.reuseWindowStart}::timestamptz`;
  return Prisma.sql`WITH s AS (
      UPDATE sessions SET ended_at = ${now}::timestamptz, end_reason = 'refresh_reuse'
      WHERE app_id = ${appId} AND id = ${sessionId} AND ended_at IS NULL
        AND ${spentBefore({ generation, reuseWindowStart })}
      RETURNING *
    ), event AS (${insertEndedEvent({
      id: values.eventId,
      from: Prisma.sql`s JOIN users AS u ON u.app_id = s.app_id AND u.id = s.user_id`,
      now,
    })})
    ${insertEntriesOf({
      id: values.auditId,
      action: 'session.refresh_reuse',
      appId: Prisma.sql`s.app_id`,
      actor: Prisma.sql`'user:' || s.user_id`,
      target: Prisma.sql`'session:' || s.id`,
      uid: Prisma.sql`s.user_id`,
      ipAddress: values.ipAddress,
      details: Prisma.sql`'{}'::jsonb`,
      from: Prisma.sql`s`,
      now,
    })}`;
}
