// Queries on collections, each scoped to an app. A deleted collection has no name and is not found.
import { columnList, Prisma, type PrismaClient, type Query, type Tx } from '@foyer/prisma';
import { lockAppOf } from '../../model/app.js';
import { type Collection, collectionNames } from './collection.js';

const columns = columnList(collectionNames);

type Which = { name: string } | { id: string };

function isThe(which: Which): Prisma.Sql {
  return 'name' in which
    ? Prisma.sql`name = ${which.name}`
    : Prisma.sql`id = ${which.id} AND name IS NOT NULL`;
}

export async function findCollection(query: Query, appId: string, which: Which): Promise<Collection | null> {
  const [row] = await query<Collection>(Prisma.sql`SELECT ${columns} FROM collections
    WHERE app_id = ${appId} AND ${isThe(which)}`);
  return row ?? null;
}

export function listCollectionRows(
  query: Query,
  appId: string,
  after: string,
  limit: number,
): Promise<Collection[]> {
  return query<Collection>(Prisma.sql`SELECT ${columns} FROM collections
    WHERE app_id = ${appId} AND name > ${after} ORDER BY name LIMIT ${limit}::int`);
}

/** Takes for a write to its records a shared lock on the declaration until the transaction ends. */
export async function shareCollection(tx: Tx, appId: string, name: string): Promise<Collection | null> {
  const [row] = await tx.$queryRaw<Collection[]>`SELECT ${columns} FROM collections
    WHERE app_id = ${appId} AND name = ${name} FOR KEY SHARE`;
  return row ?? null;
}

export type LockedCollection = Collection & { lastIndexNumber: number };

/** Locks for a change of the declaration: waits for the writes under the current one. */
export async function lockCollection(tx: Tx, appId: string, which: Which): Promise<LockedCollection | null> {
  const [row] = await tx.$queryRaw<LockedCollection[]>`
    SELECT ${columns}, last_index_number AS "lastIndexNumber" FROM collections
    WHERE app_id = ${appId} AND ${isThe(which)} FOR UPDATE`;
  return row ?? null;
}

/** Locks every declaration of the app: waits for the writes under the current ones. */
export function lockAllCollections(tx: Tx, appId: string): Promise<LockedCollection[]> {
  return tx.$queryRaw<LockedCollection[]>`
    SELECT ${columns}, last_index_number AS "lastIndexNumber" FROM collections
    WHERE app_id = ${appId} AND name IS NOT NULL ORDER BY id FOR UPDATE`;
}

/** Every declaration of the app. */
export function listAllCollections(query: Query, appId: string): Promise<Collection[]> {
  return query<Collection>(Prisma.sql`SELECT ${columns} FROM collections
    WHERE app_id = ${appId} AND name IS NOT NULL`);
}

/** Serializes the creation of an app's collections; does not block the insertion of users and records. */
export async function lockCollectionsOf(tx: Tx, appId: string): Promise<void> {
  await tx.$executeRaw(lockAppOf(appId));
}

/** Counts the collections of an app except `name` and deleted ones. */
export async function countCollections(tx: Tx, appId: string, name: string): Promise<number> {
  const [row] = await tx.$queryRaw<[{ count: number }]>`SELECT count(*)::int AS count FROM collections
    WHERE app_id = ${appId} AND name <> ${name}`;
  return row.count;
}

/** Returns null if the name is taken. */
export async function insertCollection(
  tx: Tx,
  appId: string,
  collection: Omit<Collection, 'createdAt' | 'updatedAt'>,
  now: Date,
): Promise<Collection | null> {
  const { id, name, accessMode, onUserDelete, indexes } = collection;
  const [row] = await tx.$queryRaw<Collection[]>`INSERT INTO collections
      (app_id, id, name, access_mode, on_user_delete, indexes, last_index_number, created_at, updated_at)
    VALUES (${appId}, ${id}, ${name}, ${accessMode}, ${onUserDelete}, ${JSON.stringify(indexes)}::jsonb,
      ${indexes.length}::int, ${now}::timestamptz, ${now}::timestamptz)
    ON CONFLICT (app_id, name) DO NOTHING RETURNING ${columns}`;
  return row ?? null;
}

export async function updateCollectionRow(
  tx: Tx,
  appId: string,
  collection: LockedCollection,
): Promise<void> {
  const { id, accessMode, onUserDelete, indexes, lastIndexNumber, updatedAt } = collection;
  await tx.$executeRaw`UPDATE collections SET access_mode = ${accessMode}, on_user_delete = ${onUserDelete},
      indexes = ${JSON.stringify(indexes)}::jsonb, last_index_number = ${lastIndexNumber}::int,
      updated_at = ${updatedAt}::timestamptz
    WHERE app_id = ${appId} AND id = ${id}`;
}

export async function hasRecords(tx: Tx, appId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 AS one FROM records
    WHERE app_id = ${appId} AND collection_id = ${id} LIMIT 1`;
  return rows.length > 0;
}

/** Marks the collection deleted; its row remains until its records are deleted. */
export async function releaseName(tx: Tx, appId: string, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE collections SET name = NULL WHERE app_id = ${appId} AND id = ${id}`;
}

/** Deletes a collection that is marked deleted; the foreign key deletes its remaining records. */
export async function deleteCollectionRow(prisma: PrismaClient, appId: string, id: string): Promise<void> {
  await prisma.$executeRaw`DELETE FROM collections WHERE app_id = ${appId} AND id = ${id} AND name IS NULL`;
}
