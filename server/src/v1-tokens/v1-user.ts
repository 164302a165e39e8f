// A user with what only v1 shows or notes.
import { Prisma } from '@foyer/prisma';
import { type UserRow, userColumns } from '../users/user.js';

export type V1UserRow = UserRow & {
  /** Null until v1 first shows the user. */
  v1Id: number | null;
  memberId: string;
  points: number;
};

/** The columns of a `V1UserRow`, of a relation named `u`. */
export const v1UserColumns = Prisma.sql`${userColumns}, u.v1_id AS "v1Id", u.member_id AS "memberId", u.points`;
