// A user as returned to the app's own backend: the columns, and the shape of the contract.
import type { AdminUser } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { timestamp } from '../lib/timestamp.js';
import {
  type BackendName,
  serializeUser,
  shownToBackend,
  type UserColumns,
  type UserRow,
  userColumnList,
  userColumns,
} from '../model/user.js';
import { toWire } from '../model/wire.js';

export type AdminUserRow = UserRow &
  Pick<UserColumns, BackendName | 'lastActiveAt'> & {
    hasPassword: boolean;
    providers: AdminUser['providers'];
  };

const backendColumns = userColumnList(
  shownToBackend.filter((name) => name !== 'claims'),
  'u',
);

/** The columns of an `AdminUserRow`, of the app's users in a relation named `u`; two short look-ups by index for each row. */
export const adminUserColumns = (
  appId: string | Prisma.Sql,
) => Prisma.sql`${userColumns}, ${backendColumns}, u.password_hash IS NOT NULL AS "hasPassword",
  ARRAY(SELECT i.provider FROM identities AS i WHERE i.app_id = ${appId} AND i.user_id = u.id
    ORDER BY i.provider) AS providers,
  GREATEST(u.last_sign_in_at, u.last_active_at, u.v1_last_used_at, (SELECT max(s.last_used_at) FROM sessions AS s
    WHERE s.app_id = ${appId} AND s.user_id = u.id)) AS "lastActiveAt"`;

export function serializeAdminUser(row: AdminUserRow): AdminUser {
  return {
    ...serializeUser(row),
    ...toWire(row, shownToBackend),
    has_password: row.hasPassword,
    providers: row.providers,
    last_active_at: row.lastActiveAt && timestamp(row.lastActiveAt),
  };
}
