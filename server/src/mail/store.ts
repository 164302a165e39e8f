// The recipients of notices about an app, and what is known of a reader: the language, and whether the email is verified.
import type { Db, Tx } from '@foyer/prisma';

/** The emails of the owners of an app, and of the owners of the service, who are the members of the app `console`. */
export async function listOwnerEmails(
  tx: Tx,
  { consoleAppId, appId, maxRows }: { consoleAppId: string; appId: string; maxRows: number },
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ email: string }[]>`SELECT u.email FROM team_members AS m
    JOIN users AS u ON u.app_id = ${consoleAppId} AND u.id = m.user_id
    WHERE m.app_id = ANY (${[appId, consoleAppId]}::text[]) AND m.role = 'owner' AND NOT u.disabled
    GROUP BY u.email ORDER BY min(m.created_at), u.email LIMIT ${maxRows}::int`;
  return rows.map(({ email }) => email);
}

/** The languages of the user with this email at the latest sign-in; null without such a user. */
export async function findLanguage(db: Db, appId: string, email: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ language: string | null }[]>`SELECT language FROM users
    WHERE app_id = ${appId} AND email = ${email}`;
  return row?.language ?? null;
}

/** Whether the email is that of a user who has verified it, or proved it with a code or by a provider. */
export async function isVerifiedEmail(db: Db, appId: string, email: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT FROM users
    WHERE app_id = ${appId} AND email = ${email} AND (email_verified OR email_proven)`;
  return rows.length > 0;
}
