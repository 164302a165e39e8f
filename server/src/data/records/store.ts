// Queries on records and their index entries, each scoped to an app and a collection.
import { type Db, Prisma, type PrismaClient, type Query, type Tx } from '@foyer/prisma';
import type { Collection } from '../collections/collection.js';
import type { RecordRow } from '../query/record-row.js';
import { type CollectionScope, columns, inScope, readable, type VersionedRecord } from '../query/store.js';
import { addToUsage, countedColumns, subtractFromUsage } from './usage-fragments.js';
import type { CountedRecord, Usage } from './usage-rules.js';

export type IndexEntry = { number: number; key: Buffer };

export async function findRecord(
  query: Query,
  where: CollectionScope,
  id: string,
): Promise<RecordRow | null> {
  const [row] = await query<RecordRow>(Prisma.sql`SELECT ${columns} FROM records AS r
    WHERE ${inScope(where)} AND r.id = ${id} AND ${readable(where, 'r')}`);
  return row ?? null;
}

/** `isHidden`: reads skip it. */
export type LockedRecord = RecordRow & CountedRecord & { isHidden: boolean };

/** Each write locks the record first, in a statement of its own, so that the next statement sees what was committed meanwhile. */
export async function lockRecord(tx: Tx, where: CollectionScope, id: string): Promise<LockedRecord | null> {
  const [row] = await tx.$queryRaw<LockedRecord[]>`SELECT ${columns},
      r.counted_uid AS "countedUid", NOT ${readable(where, 'r')} AS "isHidden" FROM records AS r
    WHERE ${inScope(where)} AND r.id = ${id} FOR UPDATE`;
  return row ?? null;
}

/** The scope of a call: a collection that deletes records with their owners hides those of deleted accounts. */
export function scopeOf(appId: string, { id, onUserDelete }: Collection): CollectionScope {
  return { appId, collectionId: id, hidesDeleted: onUserDelete === 'delete' };
}

/** Returns records by id, up to `limit`; the page ends earlier with the record that reaches `maxBytes`. */
export function listRecordRows(
  query: Query,
  where: CollectionScope,
  page: { after: string; limit: number; maxBytes: number; ownerUid: string | null },
): Promise<(VersionedRecord & { hasNext: boolean })[]> {
  const owned = page.ownerUid === null ? Prisma.empty : Prisma.sql`AND r.owner_uid = ${page.ownerUid}`;
  return query(Prisma.sql`SELECT ${columns}, r."rowVersion", r."hasNext" FROM (
      SELECT l.*, sum(l.bytes) OVER (ORDER BY l.id) AS total, row_number() OVER (ORDER BY l.id) AS place,
        lead(l.id) OVER (ORDER BY l.id) IS NOT NULL AS "hasNext" FROM (
        SELECT r.*, r.xmin::text AS "rowVersion" FROM records AS r WHERE ${inScope(where)} ${owned} AND r.id > ${page.after}
          AND ${readable(where, 'r')}
        ORDER BY r.id LIMIT ${page.limit + 1}::int
      ) AS l
    ) AS r WHERE r.place <= ${page.limit}::int AND r.total - r.bytes < ${page.maxBytes}::bigint ORDER BY r.id`);
}

export type NewContent = { json: string; bytes: number; now: Date };

/** `usedBytes` is the total of the user whose quota limits the write; null without one. */
export type WrittenRecord = RecordRow & { usedBytes: number | null };

/** Returns null if the id is taken. */
export async function insertRecord(
  tx: Tx,
  where: CollectionScope,
  record: NewContent & { id: string; ownerUid: string | null; version: number },
  usage: Usage,
): Promise<WrittenRecord | null> {
  const { appId, collectionId } = where;
  return written(
    tx,
    where,
    usage,
    Prisma.sql`INSERT INTO records AS r
      (app_id, collection_id, id, fields, bytes, owner_uid, counted_uid, version, created_at, updated_at)
    VALUES (${appId}, ${collectionId}, ${record.id}, ${record.json}::json, ${record.bytes}::int,
      ${record.ownerUid}, ${usage.countedUid}, ${record.version}::int, ${record.now}::timestamptz, ${record.now}::timestamptz)
    ON CONFLICT DO NOTHING`,
  );
}

/** The caller holds the lock of the record; null if there is none. */
export function updateRecordRow(
  tx: Tx,
  where: CollectionScope,
  { id, ...content }: NewContent & { id: string },
  usage: Usage,
): Promise<WrittenRecord | null> {
  return written(
    tx,
    where,
    usage,
    Prisma.sql`UPDATE records AS r SET fields = ${content.json}::json, bytes = ${content.bytes}::int,
      counted_uid = ${usage.countedUid}, version = r.version + 1, updated_at = ${content.now}::timestamptz
    WHERE ${inScope(where)} AND r.id = ${id}`,
  );
}

/** Runs the write of a record and of the totals as one statement. */
async function written(
  tx: Tx,
  { appId }: CollectionScope,
  { deltas, limitedUid }: Usage,
  write: Prisma.Sql,
): Promise<WrittenRecord | null> {
  const [row] = await tx.$queryRaw<WrittenRecord[]>`WITH r AS (${write} RETURNING r.*),
      used AS (${addToUsage(appId, deltas, Prisma.sql`r`)})
    SELECT ${columns}, (SELECT u.bytes::float8 FROM used AS u WHERE u.user_id = ${limitedUid}) AS "usedBytes" FROM r`;
  return row ?? null;
}

/** The caller holds the lock of the record. The foreign key deletes its index entries. */
export async function deleteRecordRow(
  tx: Tx,
  where: CollectionScope,
  id: string,
  { deltas }: Usage,
): Promise<void> {
  await tx.$executeRaw`WITH gone AS (DELETE FROM records AS r WHERE ${inScope(where)} AND r.id = ${id} RETURNING r.id)
    ${addToUsage(where.appId, deltas, Prisma.sql`gone`)}`;
}

/** The caller holds the lock of the record. */
export async function replaceEntries(
  tx: Tx,
  where: CollectionScope,
  recordId: string,
  entries: IndexEntry[],
): Promise<void> {
  await tx.$executeRaw`DELETE FROM record_index WHERE app_id = ${where.appId}
    AND collection_id = ${where.collectionId} AND record_id = ${recordId}`;
  await insertEntries(tx, where, recordId, entries);
}

export async function insertEntries(
  tx: Tx,
  where: CollectionScope,
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
 * Inserts the entries of rows that have not changed since they were read. A writer that changed one has written its entry
 * too; a concurrent writer waits for this statement's row lock and then replaces the entry.
 */
export async function insertEntriesIfUnchanged(
  prisma: PrismaClient,
  where: CollectionScope,
  number: number,
  entries: { id: string; rowVersion: string; key: Buffer }[],
): Promise<void> {
  const rows = JSON.stringify(entries.map((entry) => ({ ...entry, key: entry.key.toString('hex') })));
  await prisma.$executeRaw`INSERT INTO record_index (app_id, collection_id, number, sort_key, record_id)
    SELECT ${where.appId}, r.collection_id, ${number}::int, decode(e.key, 'hex'), r.id
    FROM json_to_recordset(${rows}::json) AS e(id text, "rowVersion" text, key text)
    JOIN records AS r ON ${inScope(where)} AND r.id = e.id AND r.xmin::text = e."rowVersion"
    FOR SHARE OF r ON CONFLICT DO NOTHING RETURNING record_id`;
}

/** Deletes up to `limit` entries of an index and returns how many. */
export function deleteEntries(
  prisma: PrismaClient,
  where: CollectionScope,
  number: number,
  limit: number,
): Promise<number> {
  // With more conditions than the app id beside ctid, a planner without statistics reads the whole index for each batch.
  return prisma.$executeRaw`DELETE FROM record_index WHERE app_id = ${where.appId}
    AND ctid = ANY (ARRAY(SELECT ctid FROM record_index WHERE app_id = ${where.appId}
      AND collection_id = ${where.collectionId} AND number = ${number}::int LIMIT ${limit}::int))`;
}

/** Deletes up to `limit` records with their entries; returns 0 when none is left. */
export function deleteRecordRows(
  prisma: PrismaClient,
  where: CollectionScope,
  limit: number,
): Promise<number> {
  return deleteRecords(
    prisma,
    where.appId,
    limit,
    Prisma.sql`SELECT r.collection_id, r.id, r.bytes FROM records AS r WHERE ${inScope(where)}
      ORDER BY r.id LIMIT ${limit}::int FOR UPDATE`,
  );
}

/** Deletes up to `limit` records with their entries; returns less than `limit` when none is left. One index scan per collection. */
export function deleteRecordsOf(
  tx: Tx,
  owner: { appId: string; uid: string },
  limit: number,
): Promise<number> {
  const rows = Prisma.raw(String(limit));
  return deleteRecords(
    tx,
    owner.appId,
    limit,
    Prisma.sql`SELECT owned.* FROM collections AS c CROSS JOIN LATERAL (
        SELECT r.collection_id, r.id, r.bytes FROM records AS r
        WHERE r.app_id = ${owner.appId} AND r.collection_id = c.id AND r.owner_uid = ${owner.uid} LIMIT ${rows} FOR UPDATE
      ) AS owned
      WHERE c.app_id = ${owner.appId} AND c.on_user_delete = 'delete' AND c.name IS NOT NULL LIMIT ${rows}`,
  );
}

/** With more bytes a statement could exceed the time limit of the database, and with it each further attempt. */
const maxDeletedBytes = 32 * 1_024 * 1_024;

/**
 * Deletes the locked rows, and changes the totals in the same statement; returns how many, or `limit` where their size ends the
 * deletion earlier.
 */
async function deleteRecords(db: Db, appId: string, limit: number, locked: Prisma.Sql): Promise<number> {
  // Deletes by key, not by ctid: a record that was changed while this statement waited for it has another ctid. The rows are
  // selected once; a joined subquery could be rescanned, and LIMIT would apply to each scan.
  const [row] = await db.$queryRaw<[{ count: number }]>`WITH found AS MATERIALIZED (
      SELECT l.collection_id, l.id, sum(l.bytes) OVER (ORDER BY l.collection_id, l.id) - l.bytes AS before
      FROM (${locked}) AS l),
    gone AS (DELETE FROM records AS r USING found WHERE r.app_id = ${appId}
      AND r.collection_id = found.collection_id AND r.id = found.id AND found.before < ${maxDeletedBytes}::bigint
      RETURNING ${countedColumns}),
    used AS (${subtractFromUsage(appId, Prisma.sql`gone`)})
    SELECT CASE WHEN count(*) < (SELECT count(*) FROM found) THEN ${limit}::int ELSE count(*)::int END AS count
    FROM gone`;
  return row.count;
}

/** Deletes the total of a user for whom no record counts. */
export async function deleteEmptyUsage(
  tx: Tx,
  { appId, uid }: { appId: string; uid: string },
): Promise<void> {
  await tx.$executeRaw`DELETE FROM data_usage WHERE app_id = ${appId} AND user_id = ${uid} AND bytes <= 0`;
}
