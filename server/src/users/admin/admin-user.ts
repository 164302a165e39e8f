// A user as returned to the app's own backend: the columns, and the shape of the contract.
import type { AdminUser } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { timestamp } from '../../lib/timestamp.js';
import { serializeUser, type UserRow, userColumns } from '../../model/user.js';

export type AdminUserRow = UserRow & {
  disabled: boolean;
  hasPassword: boolean;
  providers: AdminUser['providers'];
  memberId: string;
  points: number;
  updatedAt: Date;
  lastSignInAt: Date | null;
  lastActiveAt: Date | null;
  v1LastUsedAt: Date | null;
};

/** The columns of an `AdminUserRow`, of the app's users in a relation named `u`; two short look-ups by index for each row. */
export const adminUserColumns = (
  appId: string | Prisma.Sql,
) => Prisma.sql`${userColumns}, u.disabled, u.password_hash IS NOT NULL AS "hasPassword",
  ARRAY(SELECT i.provider FROM identities AS i WHERE i.app_id = ${appId} AND i.user_id = u.id
    ORDER BY i.provider) AS providers,
  u.member_id AS "memberId", u.points, u.updated_at AS "updatedAt", u.last_sign_in_at AS "lastSignInAt",
  GREATEST(u.last_sign_in_at, u.last_active_at, u.v1_last_used_at, (SELECT max(s.last_used_at) FROM sessions AS s
    WHERE s.app_id = ${appId} AND s.user_id = u.id)) AS "lastActiveAt",
  u.v1_last_used_at AS "v1LastUsedAt"`;

export function serializeAdminUser(row: AdminUserRow): AdminUser {
  return {
    ...serializeUser(row),
    disabled: row.disabled,
    has_password: row.hasPassword,
    providers: row.providers,
    claims: row.claims,
    member_id: row.memberId,
    points: row.points,
    updated_at: timestamp(row.updatedAt),
    last_sign_in_at: row.lastSignInAt && timestamp(row.lastSignInAt),
    last_active_at: row.lastActiveAt && timestamp(row.lastActiveAt),
    v1_last_used_at: row.v1LastUsedAt && timestamp(row.v1LastUsedAt),
  };
}
