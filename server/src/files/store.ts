// Queries on files, each scoped to an app.
import { limits } from '@foyer/contract';
import { columnList, Prisma, type Query, type Tx } from '@foyer/prisma';
import { consoleSlug } from '../model/app.js';
import { type FileRow, fileNames, type Visibility } from './columns.js';

/** The secret key or the team member that asked for a URL. */
export type Signer = { secretKeyId: string } | { memberUid: string };

const columns = columnList(fileNames);

/**
 * Hides the files of a deleted account, which are purged in batches. With EXISTS, PostgreSQL would read all users of the app to
 * look up the owners of one page.
 */
function ownerExists(appId: string): Prisma.Sql {
  return Prisma.sql`(owner_id IS NULL OR (
    SELECT true FROM users AS u WHERE u.app_id = ${appId} AND u.id = files.owner_id))`;
}

/** Exports of the user's data are the service's own: they are larger than the user's files may be. */
function isExport(appId: string): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM user_exports AS e
    WHERE e.app_id = ${appId} AND e.user_id = files.owner_id AND e.file_id = files.id)`;
}

/** Whether the file is the export of all that is stored about its owner. */
export async function isUserExport(
  query: Query,
  { appId, id }: Pick<FileRow, 'appId' | 'id'>,
): Promise<boolean> {
  const [row] = await query(
    Prisma.sql`SELECT FROM files WHERE app_id = ${appId} AND id = ${id} AND ${isExport(appId)}`,
  );
  return row !== undefined;
}

const overhead = Prisma.raw(String(limits.fileOverheadBytes));

/** What the files count against the quota of the user, except for an export. */
export async function findBytesOfUser(query: Query, ids: { appId: string; uid: string }): Promise<number> {
  const [row] = await query<{ bytes: number }>(Prisma.sql`SELECT
      COALESCE(sum(size + ${overhead}), 0)::float8 AS bytes
    FROM files WHERE app_id = ${ids.appId} AND owner_id = ${ids.uid} AND NOT ${isExport(ids.appId)}`);
  return row?.bytes ?? 0;
}

export async function insertFile(tx: Tx, file: FileRow): Promise<void> {
  await tx.$executeRaw`INSERT INTO files
      (app_id, id, owner_id, name, content_type, size, sha256, visibility, created_at)
    VALUES (${file.appId}, ${file.id}, ${file.ownerId}, ${file.name}, ${file.contentType}, ${file.size},
      ${Buffer.from(file.sha256)}, ${file.visibility}, ${file.createdAt}::timestamptz)`;
}

export async function findFile(query: Query, appId: string, id: string): Promise<FileRow | null> {
  const [row] = await query<FileRow>(Prisma.sql`SELECT ${columns} FROM files
    WHERE app_id = ${appId} AND id = ${id} AND ${ownerExists(appId)}`);
  return row ?? null;
}

/** Whether the secret key works, or the member has a role in the app. */
export async function isSignerActive(
  query: Query,
  signer: Signer,
  { appId, now }: { appId: string; now: Date },
): Promise<boolean> {
  const found =
    'secretKeyId' in signer
      ? Prisma.sql`SELECT FROM secret_keys WHERE app_id = ${appId} AND id = ${signer.secretKeyId}
          AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)`
      : Prisma.sql`SELECT FROM apps AS c JOIN users AS u ON u.app_id = c.id AND u.id = ${signer.memberUid}
          JOIN team_members AS m ON m.app_id IN (${appId}, c.id) AND m.user_id = u.id
          WHERE c.slug = ${consoleSlug} AND NOT u.disabled`;
  const [row] = await query<{ active: boolean }>(Prisma.sql`SELECT EXISTS (${found}) AS active`);
  return row?.active === true;
}

/**
 * Finds a file for calls without an app key: a disabled app serves no files. A private one that its owner gave a URL of is not
 * found while the owner is disabled.
 */
export async function findFileOfEnabledApp(
  query: Query,
  { appId, fileId }: { appId: string; fileId: string },
  signedBy: 'nobody' | 'owner' | 'app',
): Promise<FileRow | null> {
  const ownerEnabled = Prisma.sql`AND (visibility = 'public' OR NOT EXISTS (SELECT FROM users AS u
    WHERE u.app_id = ${appId} AND u.id = files.owner_id AND u.disabled))`;
  const [row] = await query<FileRow>(Prisma.sql`SELECT ${columns} FROM files
    WHERE app_id = ${appId} AND id = ${fileId} AND ${ownerExists(appId)}
      ${signedBy === 'owner' ? ownerEnabled : Prisma.empty}
      AND EXISTS (SELECT FROM apps WHERE apps.id = ${appId} AND apps.enabled)`);
  return row ?? null;
}

export type FileFilters = { ownerId: string | undefined; visibility: Visibility | undefined };

/** At most `maxRows` files, newest first, from before a given one. */
export function listFileRows(
  query: Query,
  appId: string,
  { ownerId, visibility, beforeId, maxRows }: FileFilters & { beforeId: string | undefined; maxRows: number },
): Promise<FileRow[]> {
  const conditions = [Prisma.sql`app_id = ${appId}`, ownerExists(appId)];
  if (beforeId !== undefined) conditions.push(Prisma.sql`id < ${beforeId}`);
  if (ownerId !== undefined) conditions.push(Prisma.sql`owner_id = ${ownerId}`);
  if (visibility !== undefined) conditions.push(Prisma.sql`visibility = ${visibility}`);
  return query<FileRow>(Prisma.sql`SELECT ${columns} FROM files WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY id DESC LIMIT ${maxRows}::int`);
}

/** Returns false when there was nothing to delete: gone already, or of another owner than the one given. */
export async function deleteFileRow(
  tx: Tx,
  ids: { appId: string; fileId: string; ownerId: string | null },
): Promise<boolean> {
  const owned = ids.ownerId === null ? Prisma.empty : Prisma.sql`AND owner_id = ${ids.ownerId}`;
  const deleted = await tx.$executeRaw`DELETE FROM files
    WHERE app_id = ${ids.appId} AND id = ${ids.fileId} ${owned}`;
  return deleted === 1;
}

/**
 * Deletes at most `maxRows` files of a user; their ids. Locked rows that are gone by then do not count: fewer than `maxRows`
 * means that none is left.
 */
export async function deleteFileRowsOfUser(
  tx: Tx,
  ids: { appId: string; uid: string },
  maxRows: number,
): Promise<string[]> {
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`DELETE FROM files WHERE app_id = ${ids.appId} AND ctid = ANY (ARRAY(
      SELECT ctid FROM files WHERE app_id = ${ids.appId} AND owner_id = ${ids.uid} LIMIT ${maxRows}::int FOR UPDATE))
    RETURNING id`;
  return rows.map(({ id }) => id);
}

/** Returns those of the ids that have a row. */
export async function findFileIds(query: Query, appId: string, ids: string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(Prisma.sql`SELECT id FROM files
    WHERE app_id = ${appId} AND id = ANY (${ids}::text[])`);
  return rows.map(({ id }) => id);
}

/** Some files of an app after an id, in their order. */
export async function listFileIdsOfApp(query: Query, appId: string, after: string): Promise<string[]> {
  const rows = await query<{ id: string }>({
    text: 'SELECT id FROM files WHERE app_id = $1 AND id > $2 ORDER BY id LIMIT 500',
    values: [appId, after],
  });
  return rows.map(({ id }) => id);
}
