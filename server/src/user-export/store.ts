// Queries on the exports of users: one row for each user, of the latest request.
import { columnList, type Db, type Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';

export type ExportRow = {
  id: string;
  requestedAt: Date;
  /** Null while the file is being written. */
  fileId: string | null;
  size: number | null;
  expiresAt: Date | null;
};

/** Names one request of a user. */
export type ExportKey = UserIds & { id: string };

const columns = columnList(['id', 'requestedAt', 'fileId', 'size', 'expiresAt']);

/** Null also for an export whose file the user has deleted. */
export async function findExport(db: Db, { appId, uid }: UserIds): Promise<ExportRow | null> {
  const [row] = await db.$queryRaw<ExportRow[]>`SELECT ${columns} FROM user_exports AS e
    WHERE app_id = ${appId} AND user_id = ${uid} AND (file_id IS NULL
      OR EXISTS (SELECT FROM files AS f WHERE f.app_id = ${appId} AND f.id = e.file_id))`;
  return row ?? null;
}

/** The time of the latest request; the user's row is locked. */
export async function findRequestTime(tx: Tx, { appId, uid }: UserIds): Promise<Date | null> {
  const row = await tx.userExport.findUnique({
    where: { appId_uid: { appId, uid } },
    select: { requestedAt: true },
  });
  return row?.requestedAt ?? null;
}

/** Replaces the earlier request. */
export async function insertExport(tx: Tx, { appId, uid, id }: ExportKey, requestedAt: Date): Promise<void> {
  const pending = { id, requestedAt, fileId: null, size: null, expiresAt: null };
  await tx.userExport.upsert({
    where: { appId_uid: { appId, uid } },
    create: { appId, uid, ...pending },
    update: pending,
  });
}

/** Returns false if the request was replaced or completed. */
export async function completeExport(
  tx: Tx,
  { appId, uid, id }: ExportKey,
  file: { fileId: string; size: number; expiresAt: Date },
): Promise<boolean> {
  const { count } = await tx.userExport.updateMany({ where: { appId, uid, id, fileId: null }, data: file });
  return count === 1;
}

export async function deleteExport(db: Db, { appId, uid, id }: ExportKey): Promise<void> {
  await db.userExport.deleteMany({ where: { appId, uid, id } });
}
