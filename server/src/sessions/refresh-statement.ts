// The refresh as one statement. PostgreSQL evaluates every condition again on the locked row, so concurrent requests agree: the
// first spends the token, the others find it spent and change nothing. The statement only reports that a token was spent before
// the reuse window; a second one ends the session, so that no refresh pays for the INSERTs of a rare theft.
import { limits } from '@foyer/contract';
import { numbered, Prisma } from '@foyer/prisma';
import { userColumns } from '../model/user.js';
import { sessionWithUser } from './end-statement.js';

export type RefreshValues = {
  appId: string;
  sessionId: string;
  generation: number;
  secretHash: Buffer;
  nextHash: Buffer;
  now: Date;
  reuseWindowStart: Date;
  idleSince: Date;
};

const maxSpends = Prisma.raw(String(limits.refreshesPerReuseWindow));

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
  },
  (value) => {
    const spendable = Prisma.sql`(generation = ${value.generation} AND secret_hash = ${value.secretHash}
      AND (cardinality(spends) < ${maxSpends}
        OR spends[cardinality(spends) - ${maxSpends} + 1] < ${value.reuseWindowStart}))`;
    return Prisma.sql`WITH s AS (
        UPDATE sessions SET
          generation = CASE WHEN ${spendable} THEN generation + 1 ELSE generation END,
          secret_hash = CASE WHEN ${spendable} THEN ${value.nextHash} ELSE secret_hash END,
          spends = CASE WHEN ${spendable} THEN ARRAY(
              SELECT spent FROM unnest(spends) WITH ORDINALITY AS kept (spent, place)
              WHERE spent >= ${value.reuseWindowStart} ORDER BY place
            ) || GREATEST(${value.now}, spends[cardinality(spends)]) ELSE spends END,
          last_used_at = CASE WHEN ${spendable} THEN ${value.now} ELSE last_used_at END
        WHERE app_id = ${value.appId} AND id = ${value.sessionId} AND ended_at IS NULL
          AND last_used_at > ${value.idleSince}
        RETURNING user_id, generation, secret_hash, auth_time, amr, ${spentBefore(value)} AS reused
      )
      SELECT s.generation, s.secret_hash AS "secretHash", s.reused, s.auth_time AS "authTime", s.amr, ${userColumns}
      FROM ${sessionWithUser(value.appId)}`;
  },
  { isQuick: true },
);

/**
 * Tells whether the session spent a generation before the reuse window. `spends` holds the times of the latest spends, the
 * newest last, which is that of `generation - 1`; times that it no longer holds are older. Once true for a row, it remains
 * true.
 */
export function spentBefore(value: { generation: Prisma.Sql; reuseWindowStart: Prisma.Sql }): Prisma.Sql {
  return Prisma.sql`(generation > ${value.generation}
    AND COALESCE(spends[cardinality(spends) - (generation - 1 - ${value.generation})]
      < ${value.reuseWindowStart}, true))`;
}
