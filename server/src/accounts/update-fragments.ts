// Updates of a user's row that statements of other modules compose with writes of their own tables: a sign-in, an entry of
// the ledger and an expired session cost one statement each.
import { Prisma } from '@foyer/prisma';
import type { UserIds } from './account.js';
import { needsSecondStep, type SecondStepOf } from './second-step.js';

/** A credential that was verified for a user as of this version, and the hash that replaces an outdated one. */
export type VerifiedCredential = { uid: string; credentialVersion: number; newPasswordHash: string | null };

/**
 * The UPDATE at a sign-in, of a relation named `u`: no row if the credential is no longer the verified one. It locks the row, so
 * that a call that ends all sessions commits before or after the whole statement; a condition without the lock would see an old
 * snapshot. A user who needs a second step is not signed in yet: the caller starts nothing for a row of which
 * `needsSecondStep` is true. With `v1UseDueSince` the sign-in is a use of v1, recorded unless one is recorded since then.
 */
export function updateSignedInUser(
  appId: string,
  credential: VerifiedCredential,
  {
    now,
    language,
    secondStepOf,
    v1UseDueSince,
  }: { now: Date; language: string | null; secondStepOf: SecondStepOf; v1UseDueSince?: Date },
): Prisma.Sql {
  const waits = needsSecondStep[secondStepOf];
  const v1Use = v1UseDueSince
    ? Prisma.sql`, v1_last_used_at = CASE WHEN ${waits} OR v1_last_used_at > ${v1UseDueSince}::timestamptz
        THEN v1_last_used_at ELSE ${now}::timestamptz END`
    : Prisma.empty;
  return Prisma.sql`UPDATE users AS u
    SET last_sign_in_at = CASE WHEN ${waits} THEN last_sign_in_at ELSE ${now}::timestamptz END,
      language = CASE WHEN ${waits} THEN language ELSE COALESCE(${language}::text, language) END,
      password_hash = COALESCE(${credential.newPasswordHash}::text, password_hash)${v1Use}
    WHERE app_id = ${appId} AND id = ${credential.uid} AND credential_version = ${credential.credentialVersion}
      AND NOT disabled
    RETURNING *`;
}

/** The UPDATE of the balance: no row when it would leave its bounds, or where `when` is false. */
export function updatePoints(
  ids: UserIds,
  points: number,
  { now, max, when }: { now: Date; max: number; when: Prisma.Sql },
): Prisma.Sql {
  return Prisma.sql`UPDATE users SET points = points + ${points}::int, ledger_size = ledger_size + 1,
      updated_at = ${now}::timestamptz
    WHERE app_id = ${ids.appId} AND id = ${ids.uid} AND points + ${points}::int BETWEEN 0 AND ${max}::int AND ${when}
    RETURNING *`;
}

/** Records a use of v1 unless one is recorded since then. */
export function updateV1Use(ids: UserIds, now: Date, dueSince: Date): Prisma.Sql {
  return Prisma.sql`UPDATE users SET v1_last_used_at = ${now}::timestamptz
    WHERE app_id = ${ids.appId} AND id = ${ids.uid}
      AND (v1_last_used_at IS NULL OR v1_last_used_at <= ${dueSince}::timestamptz)`;
}

/** Records activity of the app's users of `used`, rows of `user_id` and `used_at`; returns who they are. */
export function updateLastActivity(appId: string, used: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`UPDATE users AS u SET last_active_at = GREATEST(u.last_active_at, o.used_at)
    FROM (${used}) AS o WHERE u.app_id = ${appId} AND u.id = o.user_id RETURNING u.id`;
}
