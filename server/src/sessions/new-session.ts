// A new session and the SQL that inserts it. Outside the store, because sign-up/store.ts inserts an account and its first
// session in one statement.
import type { AuditAction } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { insertEntriesOf } from '../audit/store.js';
import { hashOfFlow } from '../codes/code-hash.js';
import type { Deps } from '../deps.js';
import { insertEvents } from '../events/outbox.js';
import { preferredLanguages } from '../mail/language.js';
import type { Call } from '../model/call.js';
import type { SessionMethod } from '../model/session.js';
import { hashOfSecret, type RefreshToken } from './refresh-token.js';
import { newSessionId } from './session-id.js';

/** Authentication method references of each sign-in method (RFC 8176). */
export const amrOf: Record<SessionMethod, string[]> = {
  password: ['pwd'],
  email_code: ['otp'],
  provider_a: ['fed'],
  provider_b: ['fed'],
  provider: ['fed'],
  v1_exchange: ['pwd'],
  passkey: ['swk', 'user'],
};

/** The factor of the second step of a sign-in. A passkey that verified its user needs none. */
export type FactorKind = 'totp' | 'recovery_code';

export const amrOfFactor: Record<FactorKind, string[]> = {
  totp: ['otp', 'mfa'],
  recovery_code: ['mfa'],
};

/** The `amr` of a session after a second step, if there is one. */
export function withSecondFactor(amr: string[], factor: FactorKind | undefined): string[] {
  return factor === undefined ? amr : [...new Set([...amr, ...amrOfFactor[factor]])];
}

/** What is stored with a session and its user, and the device token that the new one continues. */
export type SessionClient = Pick<Call, 'app' | 'actor' | 'readDevice' | 'ip' | 'deviceToken' | 'language'>;

export type SignIn = {
  method: SessionMethod;
  /** Where it depends on the proof; default: that of the method. */
  amr?: string[] | undefined;
  /** Default: now. */
  authTime?: Date;
  /** The flow of the emailed code that the client signs in with. */
  codeFlow?: string | null;
  /** The factor that was verified in a second step. */
  secondFactor?: FactorKind | undefined;
};

export type NewSession = ReturnType<typeof buildSession>;

/** A session that is not inserted yet, with its first refresh token. */
export function buildSession(
  deps: Pick<Deps, 'clock' | 'random' | 'keyRing'>,
  { app, readDevice, ip, deviceToken, language }: SessionClient,
  { uid, method, amr = amrOf[method], authTime, codeFlow, secondFactor }: SignIn & { uid: string },
) {
  const now = deps.clock.now();
  const token: RefreshToken = {
    keyId: deps.keyRing.currentKeyId,
    sessionId: newSessionId(deps.random, uid, now),
    generation: 0,
    secret: deps.random.bytes(32),
  };
  return {
    device: readDevice(),
    ip,
    deviceToken,
    /** The user's, if the client names any. */
    language: preferredLanguages(language),
    appId: app.id,
    token,
    secretHash: hashOfSecret(token),
    method,
    amr: withSecondFactor(amr, secondFactor),
    secondFactor: secondFactor ?? null,
    flowHash: codeFlow ? hashOfFlow(codeFlow) : null,
    authTime: authTime ?? now,
    now,
    eventId: deps.random.ulid(now),
    auditId: deps.random.ulid(now),
  };
}

/**
 * Inserts a session, its event and its audit entry for the row of a CTE named `u`, if it meets `when`, as three further CTEs:
 * `s`, `created` and `audited`.
 */
export function insertSessionOf(
  session: NewSession,
  { action = 'user.signed_in', when }: { action?: AuditAction; when?: Prisma.Sql } = {},
): Prisma.Sql {
  const { appId, device, token, secondFactor } = session;
  const where = when ? Prisma.sql`WHERE ${when}` : Prisma.empty;
  const details = secondFactor
    ? Prisma.sql`jsonb_build_object('method', s.method, 'session', s.id, 'second_factor', ${secondFactor}::text)`
    : Prisma.sql`jsonb_build_object('method', s.method, 'session', s.id)`;
  return Prisma.sql`s AS (
      INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, flow_hash, auth_time, device_name,
        device_type, os, browser, app_version, ip_address, created_at, last_used_at)
      SELECT ${appId}::text, ${token.sessionId}::text, u.id, ${token.keyId}::smallint, ${session.secretHash}::bytea,
        ${session.method}::text, ${session.amr}::text[], ${session.flowHash}::bytea,
        ${session.authTime}::timestamptz, ${device.name}::text, ${device.type}::text, ${device.os}::text, ${device.browser}::text, ${device.appVersion}::text,
        ${session.ip}::text, ${session.now}::timestamptz, ${session.now}::timestamptz
      FROM u ${where} RETURNING *
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
      ip: session.ip,
      details,
      from: Prisma.sql`u CROSS JOIN s`,
      now: session.now,
    })})`;
}
