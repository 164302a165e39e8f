// A new session and the SQL that inserts it. Outside the store, because the users module creates an account and its first
// session in one statement.
import type { AuditAction } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { insertEntriesOf } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { insertEvents } from '../events/outbox.js';
import type { App } from '../model/app.js';
import type { Client, SessionMethod } from '../model/session.js';
import { hashOfSecret, type RefreshToken } from './refresh-token.js';
import { newSessionId } from './session-id.js';

/** Authentication method references of each sign-in method (RFC 8176). */
export const amrOf: Record<SessionMethod, string[]> = {
  password: ['pwd'],
  email_code: ['otp'],
  provider_a: ['fed'],
  provider_b: ['fed'],
  v1_exchange: ['pwd'],
};

export type NewSession = ReturnType<typeof buildSession>;

/** A session that is not inserted yet, with its first refresh token. */
export function buildSession(
  deps: Pick<Deps, 'clock' | 'random' | 'keyRing'>,
  app: App,
  client: Client,
  uid: string,
  method: SessionMethod,
  authTime?: Date,
) {
  const now = deps.clock.now();
  const token: RefreshToken = {
    keyId: deps.keyRing.currentKeyId,
    sessionId: newSessionId(deps.random, uid, now),
    generation: 0,
    secret: deps.random.bytes(32),
  };
  return {
    ...client,
    appId: app.id,
    token,
    secretHash: hashOfSecret(token),
    method,
    amr: amrOf[method],
    authTime: authTime ?? now,
    now,
    eventId: deps.random.ulid(now),
    auditId: deps.random.ulid(now),
  };
}

/**
 * Inserts a session, its event and its audit entry for the row of a CTE named `u`, as three further CTEs: `s`, `created`
 * and `audited`.
 */
export function insertSessionOf(session: NewSession, action: AuditAction = 'user.signed_in'): Prisma.Sql {
  const { appId, device, token } = session;
  return Prisma.sql`s AS (
      INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time, device_name, device_type,
        os, browser, app_version, ip_address, created_at, last_used_at)
      SELECT ${appId}::text, ${token.sessionId}::text, u.id, ${token.keyId}::smallint, ${session.secretHash}::bytea,
        ${session.method}::text, ${session.amr}::text[], ${session.authTime}::timestamptz, ${device.name}::text,
        ${device.type}::text, ${device.os}::text, ${device.browser}::text, ${device.appVersion}::text,
        ${session.ipAddress}::text, ${session.now}::timestamptz, ${session.now}::timestamptz
      FROM u RETURNING *
    ), created AS (${insertEvents({
      appId,
      id: session.eventId,
      type: 'session.created',
      from: Prisma.sql`u CROSS JOIN s`,
      now: session.now,
      more: Prisma.sql`jsonb_build_object('session', jsonb_build_object('id', s.id, 'method', s.method))`,
    })}), audited AS (${insertEntriesOf({
      id: session.auditId,
      action,
      appId: Prisma.sql`${appId}::text`,
      uid: Prisma.sql`u.id`,
      ipAddress: session.ipAddress,
      details: Prisma.sql`jsonb_build_object('method', s.method, 'session', s.id)`,
      from: Prisma.sql`u CROSS JOIN s`,
      now: session.now,
    })})`;
}
