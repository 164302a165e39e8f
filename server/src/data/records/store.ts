// Queries on records and their index entries. Every one names the app and the collection.
import { isCutOff, Prisma, type PrismaClient, type Query } from '@foyer/prisma';
import { ApiError } from '../../lib/api-error.js';
import type { Collection } from '../collections/collection.js';
import type { IndexEntry } from './index-entries.js';
import type { RecordRow } from './record.js';

export type InCollection = {
  appId: string;
  collectionId: string;
  /** Some of the records may be those of an account that was deleted and is not cleared yet: reads leave them out. */
  hidesDeleted?: boolean;
};
type Tx = Prisma.TransactionClient;

const columns = Prisma.sql`r.id, r.fields::text AS "fieldsText", r.bytes, r.owner_uid AS "ownerUid", r.version, r.created_at AS "createdAt",
  r.updated_at AS "updatedAt"`;

function inside({ appId, collectionId }: InCollection): Prisma.Sql {
  return Prisma.sql`r.app_id = ${appId} AND r.collection_id = ${collectionId}`;
}

export async function findRecord(query: Query, where: InCollection, id: string): Promise<RecordRow | null> {
  const [row] = await query<RecordRow>(Prisma.sql`SELECT ${columns} FROM records AS r
    WHERE ${inside(where)} AND r.id = ${id} AND ${readable(where, 'r')}`);
  return row ?? null;
}

/** Whoever writes to a record locks it first, in a statement of its own: the next one sees what was committed meanwhile. */
export async function lockRecord(tx: Tx, where: InCollection, id: string): Promise<RecordRow | null> {
  const [row] = await tx.$queryRaw<RecordRow[]>`SELECT ${columns} FROM records AS r
    WHERE ${inside(where)} AND r.id = ${id} FOR UPDATE`;
  return row ?? null;
}

/** For reading: of a collection that deletes records with their owners, only those of accounts that are there. */
export function readIn(appId: string, { id, onUserDelete }: Collection): InCollection {
  return { appId, collectionId: id, hidesDeleted: onUserDelete === 'delete' };
}

/** Of records named `alias`: that nobody reads those of deleted accounts, in the collections that delete them. */
export function readable({ appId, hidesDeleted }: InCollection, alias: 'r' | 'c'): Prisma.Sql {
  if (!hidesDeleted) return Prisma.sql`true`;
  return Prisma.sql`NOT EXISTS (SELECT FROM account_purges AS p
    WHERE p.app_id = ${appId} AND p.user_id = ${Prisma.raw(alias)}.owner_uid COLLATE "default" AND p.rows_left)`;
}

export type PageOfRows = { after: string; limit: number; maxBytes: number; ownerUid: string | null };

/** With the mark of the very row that was read. */
export type SeenRecord = RecordRow & { seen: string };

/** `hasNext`: another record follows. */
export type ListedRecord = SeenRecord & { hasNext: boolean };

/** By id. Fewer than `limit` where they would have too many bytes: a page ends with the record that reaches `maxBytes`. */
export function listRecordRows(query: Query, where: InCollection, page: PageOfRows): Promise<ListedRecord[]> {
  const owned = page.ownerUid === null ? Prisma.empty : Prisma.sql`AND r.owner_uid = ${page.ownerUid}`;
  return query<ListedRecord>(Prisma.sql`SELECT ${columns}, r.seen, r."hasNext" FROM (
      SELECT l.*, sum(l.bytes) OVER (ORDER BY l.id) AS total, row_number() OVER (ORDER BY l.id) AS place,
        lead(l.id) OVER (ORDER BY l.id) IS NOT NULL AS "hasNext" FROM (
        SELECT r.*, r.xmin::text AS seen FROM records AS r WHERE ${inside(where)} ${owned} AND r.id > ${page.after}
          AND ${readable(where, 'r')}
        ORDER BY r.id LIMIT ${page.limit + 1}::int
      ) AS l
    ) AS r WHERE r.place <= ${page.limit}::int AND r.total - r.bytes < ${page.maxBytes}::bigint ORDER BY r.id`);
}

export type NewContent = { kept: string; bytes: number; now: Date };

/** Null when there is a record with this id. */
export async function insertRecord(
  tx: Tx,
  where: InCollection,
  record: NewContent & { id: string; ownerUid: string | null },
): Promise<RecordRow | null> {
  const { appId, collectionId } = where;
  const [row] = await tx.$queryRaw<RecordRow[]>`INSERT INTO records AS r
      (app_id, collection_id, id, fields, bytes, owner_uid, created_at, updated_at)
    VALUES (${appId}, ${collectionId}, ${record.id}, ${record.kept}::json, ${record.bytes}::int,
      ${record.ownerUid}, ${record.now}::timestamptz, ${record.now}::timestamptz)
    ON CONFLICT DO NOTHING RETURNING ${columns}`;
  return row ?? null;
}

/** Of a record that is locked. */
export async function updateRecordRow(
  tx: Tx,
  where: InCollection,
  id: string,
  content: NewContent,
): Promise<RecordRow> {
  const [row] = await tx.$queryRaw<[RecordRow]>`UPDATE records AS r SET fields = ${content.kept}::json,
      bytes = ${content.bytes}::int, version = r.version + 1, updated_at = ${content.now}::timestamptz
    WHERE ${inside(where)} AND r.id = ${id} RETURNING ${columns}`;
  return row;
}

/** Its index entries go with it. */
export async function deleteRecordRow(tx: Tx, where: InCollection, id: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM records AS r WHERE ${inside(where)} AND r.id = ${id}`;
}

/** Puts these entries in the place of those that a locked record has. */
export async function replaceEntries(
  tx: Tx,
  where: InCollection,
  recordId: string,
  entries: IndexEntry[],
): Promise<void> {
  await tx.$executeRaw`DELETE FROM record_index WHERE app_id = ${where.appId}
    AND collection_id = ${where.collectionId} AND record_id = ${recordId}`;
  await insertEntries(tx, where, recordId, entries);
}

export async function insertEntries(
  tx: Tx,
  where: InCollection,
  recordId: string,
  entries: IndexEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = JSON.stringify(entries.map(({ number, key }) => ({ number, key: key.toString('hex') })));
  await tx.$executeRaw`INSERT INTO record_index (app_id, collection_id, number, sort_key, record_id)
    SELECT ${where.appId}, ${where.collectionId}, e.number, decode(e.key, 'hex'), ${recordId}
    FROM json_to_recordset(${rows}::json) AS e(number int, key text)`;
}

/**
 * Entries for rows that are still the ones that were read: whoever has written one since has written its entry too, and
 * whoever is about to waits for this statement and then replaces the entry.
 */
export async function insertSeenEntries(
  prisma: PrismaClient,
  where: InCollection,
  number: number,
  entries: { id: string; seen: string; key: Buffer }[],
): Promise<void> {
  const rows = JSON.stringify(entries.map((entry) => ({ ...entry, key: entry.key.toString('hex') })));
  await prisma.$executeRaw`INSERT INTO record_index (app_id, collection_id, number, sort_key, record_id)
    SELECT r.app_id, r.collection_id, ${number}::int, decode(e.key, 'hex'), r.id
    FROM json_to_recordset(${rows}::json) AS e(id text, seen text, key text)
    JOIN records AS r ON ${inside(where)} AND r.id = e.id AND r.xmin::text = e.seen
    FOR SHARE OF r ON CONFLICT DO NOTHING`;
}

/** Removes up to `limit` entries of an index; how many it were. */
export function deleteEntries(
  prisma: PrismaClient,
  where: InCollection,
  number: number,
  limit: number,
): Promise<number> {
  const index = Prisma.sql`app_id = ${where.appId} AND collection_id = ${where.collectionId}
    AND number = ${number}::int`;
  return prisma.$executeRaw`DELETE FROM record_index WHERE ${index}
    AND ctid = ANY (ARRAY(SELECT ctid FROM record_index WHERE ${index} LIMIT ${limit}::int))`;
}

/** Removes up to `limit` records with their entries; how many it were. */
export async function deleteRecordRows(
  db: PrismaClient | Tx,
  where: InCollection,
  limit: number,
): Promise<number> {
  // An array is read once; as a relation to join with, the limit would hold for each look at it.
  return db.$executeRaw`DELETE FROM records AS r WHERE ${inside(where)} AND r.id = ANY (ARRAY(
      SELECT r.id FROM records AS r WHERE ${inside(where)} ORDER BY r.id LIMIT ${limit}::int FOR UPDATE
    ))`;
}

/**
 * Deletes at most `limit` records of an owner, in all collections of the app that delete them with the account: one
 * statement, which asks the index of owners once for each collection.
 */
export function deleteRecordsOfOwner(
  tx: Tx,
  owner: { appId: string; uid: string },
  limit: number,
): Promise<number> {
  const few = Prisma.raw(String(limit));
  return tx.$executeRaw`DELETE FROM records WHERE ctid = ANY (ARRAY(
    SELECT owned.place FROM collections AS c CROSS JOIN LATERAL (
      SELECT r.ctid AS place FROM records AS r
      WHERE r.app_id = c.app_id AND r.collection_id = c.id AND r.owner_uid = ${owner.uid} LIMIT ${few} FOR UPDATE
    ) AS owned
    WHERE c.app_id = ${owner.appId} AND c.on_user_delete = 'delete' AND c.name IS NOT NULL LIMIT ${few}))`;
}

export type BatchRow = {
  lastKey: Uint8Array;
  lastId: string;
  looked: number;
  met: number;
  id: string | null;
  bytes: number;
  seen: string;
  fields: string | null;
} & { [value: `v${number}`]: string | null };

/** Statements of queries are endlessly many, so none is kept prepared. */
export function readBatch(query: Query, statement: Prisma.Sql): Promise<BatchRow[]> {
  return queryOnce<BatchRow>(query, statement);
}

export async function countMet(query: Query, statement: Prisma.Sql): Promise<number> {
  const [row] = await queryOnce<{ count: number }>(query, statement);
  return row?.count ?? 0;
}

/** The database has its own limit on a statement, which the client is told of like ours on the query. */
async function queryOnce<Row>(query: Query, { text, values }: Prisma.Sql): Promise<Row[]> {
  try {
    return await query<Row>({ text, values, once: true });
  } catch (error) {
    if (!isCutOff(error)) throw error;
    throw new ApiError('data/query-timeout', { retryAfterSeconds: 1, cause: error });
  }
}

export function findRecords(query: Query, where: InCollection, ids: string[]): Promise<SeenRecord[]> {
  return query<SeenRecord>(Prisma.sql`SELECT ${columns}, r.xmin::text AS seen FROM records AS r
    WHERE ${inside(where)} AND r.id = ANY (ARRAY(SELECT json_array_elements_text(${JSON.stringify(ids)}::json))) AND ${readable(where, 'r')}`);
}
