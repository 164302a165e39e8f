// A user with the fields that only v1 returns or records.
import { Prisma } from '@foyer/prisma';
import { userColumns } from '../../model/user.js';
/** The columns of a `V1UserRow`, of a relation named `u`. */
export const v1UserColumns = Prisma.sql`${userColumns}, u.v1_id AS "v1Id", u.member_id AS "memberId", u.points`;
