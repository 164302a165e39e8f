// Queries on the exports of users: one row for each user, of the latest request.
import { columnList, type Db, Prisma, type Query, type Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { exportedNames, type UserColumns, userColumnList } from '../model/user.js';
import type { Section } from './sections.js';

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

type Profile = Pick<UserColumns, (typeof exportedNames)[number]> & { hasPassword: boolean };

export async function findProfile(query: Query, { appId, uid }: UserIds): Promise<Profile | null> {
  const [row] = await query<Profile>(Prisma.sql`SELECT ${userColumnList(exportedNames, 'u')},
    u.password_hash IS NOT NULL AS "hasPassword" FROM users AS u WHERE u.app_id = ${appId} AND u.id = ${uid}`);
  return row ?? null;
}

export function listCollections(query: Query, appId: string): Promise<{ id: string; name: string }[]> {
  return query<{ id: string; name: string }>(Prisma.sql`SELECT id, name FROM collections
    WHERE app_id = ${appId} AND name IS NOT NULL ORDER BY name`);
}

const usualRows = 500;

/** The rows of a section as JSON, a page at a time. */
export async function* rowsOf(
  query: Query,
  section: Section,
  ids: UserIds,
  now: Date,
): AsyncGenerator<string> {
  const { from, columns, where, order, key, maxRows = usualRows } = section;
  const json = Prisma.raw(`(SELECT to_json(r)::text FROM (SELECT ${columns.join(', ')}) AS r)`);
  const keyText = Prisma.raw(key ? `t.${key.column}::text` : "''");
  for (let after: string | null = key?.type === 'int' ? '0' : ''; after !== null; ) {
    const page: Prisma.Sql = key
      ? Prisma.sql`AND ${Prisma.raw(`t.${key.column}`)} > ${after}::${Prisma.raw(key.type)}
          ORDER BY ${Prisma.raw(order)} LIMIT ${maxRows}::int`
      : Prisma.sql`ORDER BY ${Prisma.raw(order)}`;
    const rows: { json: string; key: string }[] = await query(
      Prisma.sql`SELECT ${json} AS json, ${keyText} AS key FROM ${Prisma.raw(from)} AS t
        WHERE ${where(ids, now)} ${page}`,
    );
    for (const row of rows) yield row.json;
    after = key && rows.length === maxRows ? (rows.at(-1)?.key ?? null) : null;
  }
}
