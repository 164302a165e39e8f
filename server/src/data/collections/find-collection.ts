// Lists and finds collections, for the routes, the records and the queries; `data/collection-not-found` if there is none.
import { CollectionName, type Collection as CollectionResponse } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import type { FieldIndex } from '../../../engines/document-query/index.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { type Collection, serializeCollection } from './collection.js';
import type { RemoveIndexJob } from './jobs.js';
import {
  findCollection,
  listCollectionRows,
  lockCollection,
  shareCollection,
  updateCollectionRow,
} from './store.js';

/** Lists the collections by name. */
export async function listCollections(
  deps: Pick<Deps, 'query'>,
  appId: string,
  page: PageInput,
): Promise<Page<CollectionResponse>> {
  const [after] = page.cursor === undefined ? [''] : decodeCursor(page.cursor, CollectionName);
  const rows = await listCollectionRows(deps.query, appId, after, page.limit + 1);
  return pageOf(rows, page.limit, ({ name }) => [name], serializeCollection);
}

export async function requireCollection(
  deps: Pick<Deps, 'query'>,
  appId: string,
  name: string,
): Promise<Collection> {
  return found(await findCollection(deps.query, appId, { name }));
}

/** Finds the collection of a write: the declaration, with its list of indexes, cannot change until the transaction ends. */
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
