// Queries on the notes of the team.
import type { PrismaClient, Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';

export type NoteRow = { id: string; text: string; actor: string; createdAt: Date };

/** Inserts a note and deletes the oldest beyond `maxNotes`. The row of the user is locked, so notes are added one at a time. */
export async function insertNote(
  tx: Tx,
  { appId, uid }: UserIds,
  note: NoteRow,
  maxNotes: number,
): Promise<void> {
  await tx.userNote.create({ data: { appId, uid, ...note } });
  await tx.$executeRaw`DELETE FROM user_notes WHERE app_id = ${appId} AND user_id = ${uid} AND id IN (
    SELECT id FROM user_notes WHERE app_id = ${appId} AND user_id = ${uid}
    ORDER BY id DESC OFFSET ${maxNotes}::int)`;
}

/** Newest first; those before the id, if one is given. */
export function listNoteRows(
  prisma: PrismaClient,
  { appId, uid }: UserIds,
  before: string | undefined,
  maxRows: number,
): Promise<NoteRow[]> {
  return prisma.userNote.findMany({
    where: { appId, uid, ...(before !== undefined && { id: { lt: before } }) },
    orderBy: { id: 'desc' },
    take: maxRows,
    select: { id: true, text: true, actor: true, createdAt: true },
  });
}
