// Queries on invitations. Accepting is a conditional delete whose count is checked.
import type { Role } from '@foyer/contract';
import { columnList, Prisma, type PrismaClient, type Query, type Tx } from '@foyer/prisma';

export type InvitationRow = {
  appId: string;
  id: string;
  email: string | null;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
};

export const shownOfInvitation = ['id', 'email', 'role', 'createdAt', 'expiresAt'] as const;
const columns = columnList(['appId', ...shownOfInvitation], { of: 'i' });

export type NewInvitationRow = InvitationRow & {
  tokenHash: Uint8Array<ArrayBuffer>;
  mailTokenHash: Uint8Array<ArrayBuffer> | null;
  invitedBy: string | null;
};

export async function insertInvitation(tx: Tx, row: NewInvitationRow): Promise<void> {
  await tx.invitation.create({ data: row });
}

export type FoundInvitation = InvitationRow & {
  appName: string;
  /** The token is the mailed one. */
  mailed: boolean;
};

export async function findInvitationByToken(
  query: Query,
  tokenHash: Buffer,
): Promise<FoundInvitation | null> {
  const [row] = await query<FoundInvitation>(Prisma.sql`SELECT ${columns}, a.name AS "appName",
      i.mail_token_hash IS NOT DISTINCT FROM ${tokenHash}::bytea AS mailed
    FROM invitations AS i JOIN apps AS a ON a.id = i.app_id
    WHERE i.token_hash = ${tokenHash}::bytea OR i.mail_token_hash = ${tokenHash}::bytea`);
  return row ?? null;
}

/** Returns false if the invitation is gone: accepted, replaced or revoked. */
export async function deleteInvitation(tx: Tx, ids: { appId: string; id: string }): Promise<boolean> {
  return (await tx.invitation.deleteMany({ where: ids })).count === 1;
}

/** Null: the links that name no email. */
export async function deleteInvitationsOf(tx: Tx, appId: string, email: string | null): Promise<void> {
  await tx.invitation.deleteMany({ where: { appId, email } });
}

/** Deletes the invitations that a member sent, for one app or for all. */
export async function deleteInvitationsBy(
  tx: Tx,
  { appId, uid }: { appId: string | null; uid: string },
): Promise<void> {
  await tx.invitation.deleteMany({ where: { invitedBy: uid, ...(appId !== null && { appId }) } });
}

export function countPendingInvitations(tx: Tx, appId: string, now: Date): Promise<number> {
  return tx.invitation.count({ where: { appId, expiresAt: { gt: now } } });
}

export function listPendingInvitations(
  query: Query,
  {
    appId,
    now,
    afterId,
    maxRows,
  }: { appId: string; now: Date; afterId: string | undefined; maxRows: number },
): Promise<InvitationRow[]> {
  return query<InvitationRow>(Prisma.sql`SELECT ${columns} FROM invitations AS i
    WHERE i.app_id = ${appId} AND i.expires_at > ${now}::timestamptz AND i.id > ${afterId ?? ''}
    ORDER BY i.id LIMIT ${maxRows}::int`);
}

/** Deletes for retention. */
export function deleteExpiredInvitations(prisma: PrismaClient, now: Date, maxRows: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM invitations WHERE (app_id, id) IN (
    SELECT app_id, id FROM invitations WHERE expires_at <= ${now}::timestamptz LIMIT ${maxRows}::int)`;
}
