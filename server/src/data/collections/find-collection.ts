// Lookups of collections for the records and queries; `data/collection-not-found` if there is none.
import type { PrismaClient, Tx } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { Collection, FieldIndex } from './collection.js';
import {
  deleteCollectionRow,
  findCollection,
  findCollectionById,
  lockCollection,
  shareCollection,
  writeIndexes,
} from './store.js';

export async function requireCollection(
  deps: Pick<Deps, 'query'>,
  appId: string,
  name: string,
): Promise<Collection> {
  return found(await findCollection(deps.query, appId, name));
}

/** For a write: the declaration, with its list of indexes, cannot change until the transaction ends. */
export async function requireCollectionForWrite(tx: Tx, appId: string, name: string): Promise<Collection> {
  return found(await shareCollection(tx, appId, name));
}

/** Lets queries use a complete index; does nothing if the index was removed meanwhile. */
export async function markIndexReady(
  tx: Tx,
  job: { appId: string; collectionId: string; number: number },
): Promise<void> {
  const collection = await lockCollection(tx, job.appId, { id: job.collectionId });
  if (!collection) return;
  const indexes = collection.indexes.map((index) =>
    index.number === job.number ? { ...index, ready: true } : index,
  );
  await writeIndexes(tx, job.appId, collection.id, indexes);
}

export async function declaredIndex(
  deps: Pick<Deps, 'query'>,
  job: { appId: string; collectionId: string; number: number },
): Promise<FieldIndex | undefined> {
  const collection = await findCollectionById(deps.query, job.appId, job.collectionId);
  return collection?.indexes.find(({ number }) => number === job.number);
}

/** Deletes the row of a deleted collection after its records. */
export function dropCollection(prisma: PrismaClient, appId: string, id: string): Promise<void> {
  return deleteCollectionRow(prisma, appId, id);
}

function found(collection: Collection | null): Collection {
  if (!collection) throw new ApiError('data/collection-not-found');
  return collection;
}
