// Queries on sessions. Each names the app; a change that may happen once is a conditional update.
import { type AuditAction, limits } from '@foyer/contract';
import { type Db, numbered, Prisma, type PrismaClient, type Query, type Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { needsSecondStep, type SecondStepOf } from '../accounts/second-step.js';
import {
  updateLastActivity,
  updateSignedInUser,
  type VerifiedCredential,
} from '../accounts/update-fragments.js';
import { insertEntriesOf } from '../audit/store.js';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';
import type { Actor } from '../model/actor.js';
import type { BatchEnd, RetentionBatch } from '../model/retention-batch.js';
import type { LiveSession, SessionIds, SessionMethod, TokenSession } from '../model/session.js';
import { type UserRow, userColumns } from '../model/user.js';
import { type ListedSession, listedColumns, liveSessionColumns } from './columns.js';
import { type EndReason, endStatement, insertEndedEvent, sessionWithUser } from './end-statement.js';
import { idleSince } from './live.js';
import { type FactorKind, insertSessionOf, type NewSession } from './new-session.js';
import { type RefreshValues, refreshStatement, spentBefore } from './refresh-statement.js';

type StartedSession = UserRow & {
  /** The session was not inserted, because the user needs a second step. */
  needsSecondStep: boolean;
  isEnrolled: boolean;
  otherSessions: number;
  /** The user has too many rows, so the oldest ended ones can be deleted. */
  manyRows: boolean;
};

/** Twice the limit, so that rows are deleted by the hundred and not with each sign-in. */
const rowsPerUser = limits.liveSessionsPerUser + 2 * limits.endedSessionsPerUser;
/** The maximum number of rows that one sign-in deletes. */
const maxTrimmedRows = 500;

/**
 * CTEs that use up the proof of a sign-in together with it. One is named `spent`; no session starts unless it has a row. They
 * read the user from the given relation.
 */
export type SpendProof = (signedInUser: Prisma.Sql) => Prisma.Sql;

/**
 * Starts a session for a verified credential, unless a second step is needed; null when the credential changed since it was
 * verified.
 */
export async function insertVerifiedSession(
  query: Query,
  session: NewSession,
  start: { credential: VerifiedCredential; spend: SpendProof | undefined; secondStepOf: SecondStepOf },
): Promise<StartedSession | null> {
  const { appId, now, language } = session;
  const { credential, spend, secondStepOf } = start;
  const waits = needsSecondStep[secondStepOf];
  const updated = updateSignedInUser(appId, credential, { now, language, secondStepOf });
  const signedInUser = spend
    ? Prisma.sql`updated AS (${updated}), ${spend(Prisma.sql`updated`)}, u AS (SELECT updated.* FROM updated, spent)`
    : Prisma.sql`u AS (${updated})`;
  const inserted = insertSessionOf(session, { when: Prisma.sql`NOT ${waits}` });
  const [row] = await query<StartedSession>(Prisma.sql`WITH ${signedInUser}, ${inserted}
    SELECT ${userColumns}, ${waits} AS "needsSecondStep", u.second_factor AS "isEnrolled", (SELECT count(*)::int FROM sessions AS o
      WHERE o.app_id = ${appId} AND o.user_id = u.id AND o.ended_at IS NULL) AS "otherSessions",
      EXISTS (SELECT FROM sessions AS o WHERE o.app_id = ${appId} AND o.user_id = u.id
        ORDER BY o.id OFFSET ${Prisma.raw(String(rowsPerUser))} LIMIT 1) AS "manyRows"
    FROM u`);
  return row ?? null;
}

/** Whether the account had a session before this one, also one whose row is gone. */
export async function hasEarlierSession(db: Db, ids: SessionIds): Promise<boolean> {
  const [row] = await db.$queryRaw<{ earlier: boolean }[]>`SELECT EXISTS (SELECT FROM sessions
      WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} AND id <> ${ids.sessionId})
    OR EXISTS (SELECT FROM users WHERE app_id = ${ids.appId} AND id = ${ids.uid} AND last_active_at IS NOT NULL) AS earlier`;
  return row?.earlier === true;
}

/**
 * Deletes the oldest ended sessions of a user; their tokens are still answered as revoked. The time of their last use need not
 * be stored: the session that was just started is more recent.
 */
export async function deleteOldestEndedSessions(db: Db, ids: UserIds): Promise<void> {
  await db.$executeRaw`DELETE FROM sessions WHERE app_id = ${ids.appId} AND ctid = ANY (ARRAY(
    SELECT ctid FROM sessions WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} AND ended_at IS NOT NULL
    ORDER BY id DESC OFFSET ${Prisma.raw(String(limits.endedSessionsPerUser))}
    LIMIT ${Prisma.raw(String(maxTrimmedRows))} FOR UPDATE SKIP LOCKED))`;
}

/**
 * Ends the oldest live sessions beyond the limit. A separate statement, because it must see sessions that were just
 * committed. The session of `ids` counts as the newest: others have greater ids where the clock was ahead.
 */
export async function endOldestSessionRows(tx: Tx, ids: SessionIds, now: Date): Promise<string[]> {
  const reason: EndReason = 'session_limit';
  const idle = idleSince(now);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE sessions SET ended_at = ${now}::timestamptz, end_reason = ${reason}
    WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} AND ended_at IS NULL
      AND last_used_at > ${idle}::timestamptz AND id <> ${ids.sessionId} AND id <= (
        SELECT o.id FROM sessions AS o
        WHERE o.app_id = ${ids.appId} AND o.user_id = ${ids.uid} AND o.ended_at IS NULL
          AND o.last_used_at > ${idle}::timestamptz
          AND o.id <> ${ids.sessionId}
        ORDER BY o.id DESC OFFSET ${limits.liveSessionsPerUser - 1}::int LIMIT 1)
    RETURNING id`;
  return rows.map((row) => row.id);
}

type RefreshedSession = UserRow & {
  generation: number;
  secretHash: Uint8Array;
  /** The token was spent before the reuse window. */
  reused: boolean;
  authTime: Date;
  amr: string[];
};

/** Returns null if no live session has this id. */
export async function spendRefreshToken(
  query: Query,
  values: RefreshValues,
): Promise<RefreshedSession | null> {
  const [row] = await query<RefreshedSession>(refreshStatement(values));
  return row ?? null;
}

/**
 * Ends the session of a token that was spent before the reuse window, which is treated as theft. The statement of the refresh
 * found the reuse and changed nothing. This one locks the row and judges it again; it changes nothing if another call has ended
 * the session meanwhile. The refresh is refused only after it is committed.
 *
 * If the process or the database fails between the two statements, nothing was written and no response was sent, as if the
 * call had failed before the first. The reuse follows from `generation` and `spends` of the row, which only move forward. So
 * no spent token works again, and the next call with one finds the reuse and ends the session, whatever was spent meanwhile.
 * Until then the current token works: a call that was never answered is no evidence against its holder.
 */
export async function endReusedSession(
  query: Query,
  token: Pick<RefreshValues, 'appId' | 'sessionId' | 'generation' | 'reuseWindowStart' | 'now'>,
  ids: { event: string; audit: string },
  ip: string | null,
): Promise<void> {
  const generation = Prisma.sql`${token.generation}::int`;
  const reuseWindowStart = Prisma.sql`${token.reuseWindowStart}::timestamptz`;
  await query(
    endStatement({
      ...token,
      reason: 'refresh_reuse',
      when: spentBefore({ generation, reuseWindowStart }),
      eventId: ids.event,
      audit: { id: ids.audit, action: 'session.refresh_reuse', ip },
    }),
  );
}

const liveSessionStatement = numbered<SessionIds>(
  { appId: 'text', sessionId: 'text', uid: 'text' },
  (ids) => Prisma.sql`
    SELECT ${liveSessionColumns}, u.second_factor AS "secondFactor", ${userColumns}
    FROM sessions AS s JOIN users AS u ON u.app_id = ${ids.appId} AND u.id = s.user_id
    WHERE s.app_id = ${ids.appId} AND s.id = ${ids.sessionId} AND s.user_id = ${ids.uid}
      AND s.ended_at IS NULL AND NOT u.disabled`,
  { isQuick: true },
);

/** The live session of an access token with its user: the only query of an authenticated request. */
export async function findLiveSession(query: Query, ids: SessionIds): Promise<LiveSession | null> {
  const [row] = await query<LiveSession>(liveSessionStatement(ids));
  return row ?? null;
}

/** Returns the user of a token, and whether its session is live, or null if the account was deleted. */
export async function findSessionState(query: Query, ids: SessionIds) {
  const [row] = await query<UserRow & { disabled: boolean; live: boolean }>(Prisma.sql`
    SELECT ${userColumns}, u.disabled, EXISTS (SELECT FROM sessions AS s
      WHERE s.app_id = ${ids.appId} AND s.id = ${ids.sessionId} AND s.user_id = u.id AND s.ended_at IS NULL) AS live
    FROM users AS u WHERE u.app_id = ${ids.appId} AND u.id = ${ids.uid}`);
  return row ?? null;
}

/** Whether the session is live in the committed data. */
export async function isSessionLive(tx: Tx, { appId, uid, sessionId: id }: SessionIds): Promise<boolean> {
  return (await tx.session.count({ where: { appId, uid, id, endedAt: null } })) > 0;
}

/** Renews the sign-in time of a live session and writes an audit entry. Returns null if it has ended. */
export async function renewAuthTime(
  query: Query,
  ids: SessionIds,
  renewal: {
    method: SessionMethod;
    secondFactor: FactorKind | undefined;
    amr: string[];
    auditId: string;
    ip: string | null;
    now: Date;
  },
): Promise<TokenSession | null> {
  const { method, secondFactor = null, amr, now } = renewal;
  const [row] = await query<TokenSession>(Prisma.sql`WITH s AS (
      UPDATE sessions SET auth_time = ${now}::timestamptz, amr = ${amr}::text[]
      WHERE app_id = ${ids.appId} AND id = ${ids.sessionId} AND user_id = ${ids.uid} AND ended_at IS NULL
      RETURNING *
    ), audited AS (${insertEntriesOf({
      id: renewal.auditId,
      action: 'user.reauthenticated',
      appId: Prisma.sql`${ids.appId}::text`,
      uid: Prisma.sql`s.user_id`,
      ip: renewal.ip,
      details: Prisma.sql`jsonb_strip_nulls(jsonb_build_object('method', ${method}::text, 'session', s.id,
        'second_factor', ${secondFactor}::text))`,
      from: Prisma.sql`s`,
      now,
    })})
    SELECT ${liveSessionColumns}, ${userColumns}
    FROM ${sessionWithUser(ids.appId)}`);
  return row ?? null;
}

/** Adds authentication methods to a live session: its user has enrolled a factor in it, and so proved it. */
export async function addAmr(tx: Tx, ids: SessionIds, amr: string[]): Promise<void> {
  await tx.$executeRaw`UPDATE sessions SET amr = ARRAY(SELECT DISTINCT unnest(amr || ${amr}::text[]))
    WHERE app_id = ${ids.appId} AND id = ${ids.sessionId} AND user_id = ${ids.uid} AND ended_at IS NULL`;
}

const endedActions: Partial<Record<EndReason, AuditAction>> = {
  sign_out: 'user.signed_out',
  revoked: 'session.revoked',
};

/** Ends one live session of a user; false if there is none with this id. */
export async function endSessionRow(
  prisma: PrismaClient,
  end: SessionIds & { reason: EndReason; eventId: string; auditId: string; actor: Actor; now: Date },
): Promise<boolean> {
  const { actor, now } = end;
  const action = endedActions[end.reason] ?? 'session.ended';
  const ended = await prisma.$queryRaw<unknown[]>(
    endStatement({
      ...end,
      when: Prisma.sql`user_id = ${end.uid} AND last_used_at > ${idleSince(now)}::timestamptz`,
      audit: {
        id: end.auditId,
        action,
        actor: Prisma.sql`${actor.name}::text`,
        ip: actor.ip,
      },
    }),
  );
  return ended.length > 0;
}

/** Ends every live session of the user except `exceptSessionId`; returns their ids. */
export async function endAllSessionRows(
  tx: Tx,
  ids: UserIds,
  end: { reason: EndReason; exceptSessionId?: string; now: Date },
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE sessions SET ended_at = ${end.now}::timestamptz, end_reason = ${end.reason}
    WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} AND ended_at IS NULL
      AND id IS DISTINCT FROM ${end.exceptSessionId ?? null}::text
    RETURNING id`;
  return rows.map((row) => row.id);
}

/** Inserts one event per session, with the ids in the same order. */
export async function insertEndedEvents(
  tx: Tx,
  ids: { appId: string; uid: string; sessionIds: string[]; eventIds: string[] },
  now: Date,
): Promise<void> {
  await tx.$executeRaw(
    insertEndedEvent({
      appId: ids.appId,
      id: Prisma.sql`n.event_id`,
      from: Prisma.sql`unnest(${ids.sessionIds}::text[], ${ids.eventIds}::text[]) AS n (session_id, event_id)
        JOIN sessions AS s ON s.app_id = ${ids.appId} AND s.id = n.session_id
        JOIN users AS u ON u.app_id = ${ids.appId} AND u.id = ${ids.uid}`,
      now,
    }),
  );
}

/**
 * Tells whether the user signed in with the emailed code of the flow, in a session that is live or that the device itself
 * ended. A session that was ended for another reason no longer makes its device known.
 */
export async function hasSignedInWithFlow(query: Query, ids: UserIds, flowHash: Buffer): Promise<boolean> {
  const rows =
    await query(Prisma.sql`SELECT FROM sessions WHERE app_id = ${ids.appId} AND user_id = ${ids.uid}
    AND flow_hash = ${flowHash}::bytea AND (ended_at IS NULL OR end_reason IN ('sign_out', 'session_limit')) LIMIT 1`);
  return rows.length > 0;
}

/** Every live session of a user, the most recently used first. */
export function listLiveSessions(prisma: PrismaClient, ids: UserIds, now: Date): Promise<ListedSession[]> {
  return prisma.session.findMany({
    where: { ...ids, endedAt: null, lastUsedAt: { gt: idleSince(now) } },
    select: listedColumns,
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
  }) as Promise<ListedSession[]>;
}

/** Deletes at most `maxRows` sessions of a deleted user; returns how many. */
export function deleteSessionsOf(tx: Tx, ids: UserIds, maxRows: number): Promise<number> {
  return tx.$executeRaw`DELETE FROM sessions WHERE app_id = ${ids.appId} AND ctid = ANY (ARRAY(
    SELECT ctid FROM sessions WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} LIMIT ${maxRows}::int
    FOR UPDATE))`;
}

/**
 * Deletes the sessions of a batch that ended or expired before its time. Walks the sessions that started before, by the
 * primary key: the time of the last use is in no index, so that refreshes stay cheap. Stores the last use with the users,
 * which are locked first, in the order of every other statement, to avoid deadlocks.
 */
export async function deleteSessionsEndedBefore(
  prisma: PrismaClient,
  { appId, after, time, maxRows }: RetentionBatch,
): Promise<BatchEnd> {
  // A literal limit, so that the planner knows it.
  const [end] = await prisma.$queryRaw<[BatchEnd]>`WITH batch AS MATERIALIZED (
      SELECT id, user_id, last_used_at, ended_at FROM sessions
      WHERE app_id = ${appId} AND id > ${after} AND id < ${firstUlidOf(time)}
      ORDER BY id LIMIT ${Prisma.raw(String(maxRows))}
    ), old AS MATERIALIZED (
      SELECT id, user_id, last_used_at FROM batch
      WHERE ended_at < ${time}::timestamptz OR last_used_at < ${idleSince(time)}::timestamptz
    ), kept AS (${updateLastActivity(
      appId,
      Prisma.sql`SELECT user_id, max(last_used_at) AS used_at FROM old GROUP BY user_id`,
    )}), gone AS (
      DELETE FROM sessions AS s USING old LEFT JOIN kept ON kept.id = old.user_id
      WHERE s.app_id = ${appId} AND s.id = old.id AND (kept.id IS NOT NULL
        OR NOT EXISTS (SELECT FROM users AS u WHERE u.app_id = ${appId} AND u.id = old.user_id))
    )
    SELECT count(*)::int AS rows, max(id) AS last FROM batch`;
  return end;
}
