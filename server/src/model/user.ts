// The user object of token responses and profiles.
import type { User } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { timestamp } from '../lib/timestamp.js';

export type UserRow = {
  uid: string;
  email: string;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  photoUrl: string | null;
  claims: Record<string, unknown>;
  userCreatedAt: Date;
};

/** The columns of a `UserRow`, of a relation named `u`. */
export const userColumns = Prisma.sql`u.id AS "uid", u.email, u.email_verified AS "emailVerified",
  u.first_name AS "firstName", u.last_name AS "lastName", u.photo_url AS "photoUrl", u.claims,
  u.created_at AS "userCreatedAt"`;

export function serializeUser(row: UserRow): User {
  return {
    uid: row.uid,
    email: row.email,
    email_verified: row.emailVerified,
    first_name: row.firstName,
    last_name: row.lastName,
    photo_url: row.photoUrl,
    created_at: timestamp(row.userCreatedAt),
  };
}
