// The refresh as one statement (refresh-token design). PostgreSQL evaluates every condition again on the locked row, so
// concurrent requests agree: the first spends the token, the others find it spent and change nothing. A token that was
// spent before the reuse window ends the session.
import { limits } from '@foyer/contract';
import { numbered, Prisma } from '@foyer/prisma';
import { userColumns } from '../model/user.js';
import { insertEndedEvent } from './ended-event.js';

export type RefreshValues = {
  appId: string;
  sessionId: string;
  generation: number;
  secretHash: Buffer;
  nextHash: Buffer;
  now: Date;
  reuseWindowStart: Date;
  idleSince: Date;
  eventId: string;
  auditId: string;
  ipAddress: string | null;
};

const most = Prisma.raw(String(limits.refreshesPerReuseWindow));

export const refreshStatement = numbered<RefreshValues>(
  {
    appId: 'text',
    sessionId: 'text',
    generation: 'int',
    secretHash: 'bytea',
    nextHash: 'bytea',
    now: 'timestamptz',
    reuseWindowStart: 'timestamptz',
    idleSince: 'timestamptz',
    eventId: 'text',
    auditId: 'text',
    ipAddress: 'text',
  },
  (value) => {
    const spendable = Prisma.sql`(generation = ${value.generation} AND secret_hash = ${value.secretHash}
      AND (cardinality(spends) < ${most}
        OR spends[cardinality(spends) - ${most} + 1] < ${value.reuseWindowStart}))`;
    // `spends` holds the latest spend times; generation g is as far from its end as g is behind the newest spent one.
    const spentTooLongAgo = Prisma.sql`(generation > ${value.generation}
      AND COALESCE(spends[cardinality(spends) - (generation - 1 - ${value.generation})]
        < ${value.reuseWindowStart}, true))`;
    return Prisma.sql`WITH s AS (
        UPDATE sessions SET
          generation = CASE WHEN ${spendable} THEN generation + 1 ELSE generation END,
          secret_hash = CASE WHEN ${spendable} THEN ${value.nextHash} ELSE secret_hash END,
          spends = CASE WHEN ${spendable} THEN ARRAY(
              SELECT spent FROM unnest(spends) WITH ORDINALITY AS kept (spent, place)
              WHERE spent >= ${value.reuseWindowStart} ORDER BY place
            ) || GREATEST(${value.now}, spends[cardinality(spends)]) ELSE spends END,
          last_used_at = CASE WHEN ${spendable} THEN ${value.now} ELSE last_used_at END,
          ended_at = CASE WHEN ${spentTooLongAgo} THEN ${value.now} END,
          end_reason = CASE WHEN ${spentTooLongAgo} THEN 'refresh_reuse' END
        WHERE app_id = ${value.appId} AND id = ${value.sessionId} AND ended_at IS NULL
          AND last_used_at > ${value.idleSince}
        RETURNING app_id, id, user_id, method, generation, secret_hash, auth_time, amr, ended_at, end_reason
      ), reuse_event AS (${insertEndedEvent({
        id: value.eventId,
        from: Prisma.sql`s JOIN users AS u ON u.app_id = s.app_id AND u.id = s.user_id WHERE s.ended_at IS NOT NULL`,
        now: value.now,
      })}), reuse_audit AS (
        INSERT INTO audit_log (app_id, id, actor, action, target, user_id, ip_address, created_at)
        SELECT s.app_id, ${value.auditId}, 'user:' || s.user_id, 'session.refresh_reuse', 'session:' || s.id,
          s.user_id, ${value.ipAddress}, ${value.now}
        FROM s WHERE s.ended_at IS NOT NULL
      )
      SELECT s.generation, s.secret_hash AS "secretHash", s.ended_at AS "endedAt", s.auth_time AS "authTime", s.amr,
        ${userColumns}
      FROM s JOIN users AS u ON u.app_id = s.app_id AND u.id = s.user_id`;
  },
);
