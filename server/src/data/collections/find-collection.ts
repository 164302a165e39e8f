// Lookups of collections for the records and queries; `data/collection-not-found` if there is none.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { Collection, FieldIndex } from './collection.js';
import type { RemoveIndexJob } from './jobs.js';
import { findCollection, lockCollection, shareCollection, updateCollectionRow } from './store.js';

export { deleteCollectionRow } from './store.js';

export async function requireCollection(
  deps: Pick<Deps, 'query'>,
  appId: string,
  name: string,
): Promise<Collection> {
  return found(await findCollection(deps.query, appId, { name }));
}

/** For a write: the declaration, with its list of indexes, cannot change until the transaction ends. */
export async function requireCollectionForWrite(tx: Tx, appId: string, name: string): Promise<Collection> {
  return found(await shareCollection(tx, appId, name));
}

/** Lets queries use a complete index; does nothing if the index was removed meanwhile. */
export async function markIndexReady(tx: Tx, job: RemoveIndexJob): Promise<void> {
  const collection = await lockCollection(tx, job.appId, { id: job.collectionId });
  if (!collection) return;
  const indexes = collection.indexes.map((index) =>
    index.number === job.number ? { ...index, ready: true } : index,
  );
  await updateCollectionRow(tx, job.appId, { ...collection, indexes });
}

export async function declaredIndex(
  deps: Pick<Deps, 'query'>,
  job: RemoveIndexJob,
): Promise<FieldIndex | undefined> {
  const collection = await findCollection(deps.query, job.appId, { id: job.collectionId });
  return collection?.indexes.find(({ number }) => number === job.number);
}

function found(collection: Collection | null): Collection {
  if (!collection) throw new ApiError('data/collection-not-found');
  return collection;
}
