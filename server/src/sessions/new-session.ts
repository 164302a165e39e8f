// A new session and the SQL that inserts it. Outside the store, because the users module creates an account and its first
// session in one statement.
import type { AuditAction } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { insertEntriesOf } from '../audit/entry.js';
import { insertEvents } from '../events/outbox.js';
import type { Device, SessionMethod } from '../model/session.js';
export type NewSession = {
  appId: string;
  id: string;
  keyId: number;
  secretHash: Buffer;
  method: SessionMethod;
  amr: string[];
  authTime: Date;
  device: Device;
  ipAddress: string | null;
  now: Date;
  eventId: string;
  auditId: string;
};

/**
 * Inserts a session, its event and its audit entry for the row of a CTE named `u`, as three further CTEs: `s`, `created`
 * and `audited`.
 */
export function insertSessionOf(session: NewSession, action: AuditAction = 'user.signed_in'): Prisma.Sql {
  const { device } = session;
  return Prisma.sql`s AS (
      INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time, device_name, device_type,
        os, browser, app_version, ip_address, created_at, last_used_at)
      SELECT u.app_id, ${session.id}::text, u.id, ${session.keyId}::smallint, ${session.secretHash}::bytea,
        ${session.method}::text, ${session.amr}::text[], ${session.authTime}::timestamptz, ${device.name}::text,
        ${device.type}::text, ${device.os}::text, ${device.browser}::text, ${device.appVersion}::text,
        ${session.ipAddress}::text, ${session.now}::timestamptz, ${session.now}::timestamptz
      FROM u RETURNING *
    ), created AS (${insertEvents({
      id: session.eventId,
      type: 'session.created',
      from: Prisma.sql`u CROSS JOIN s`,
      now: session.now,
      more: Prisma.sql`jsonb_build_object('session', jsonb_build_object('id', s.id, 'method', s.method))`,
    })}), audited AS (${insertEntriesOf({
      id: session.auditId,
      action,
      appId: Prisma.sql`u.app_id`,
      actor: Prisma.sql`'user:' || u.id`,
      target: Prisma.sql`'user:' || u.id`,
      uid: Prisma.sql`u.id`,
      ipAddress: session.ipAddress,
      details: Prisma.sql`jsonb_build_object('method', s.method, 'session', s.id)`,
      from: Prisma.sql`u CROSS JOIN s`,
      now: session.now,
    })})`;
}
