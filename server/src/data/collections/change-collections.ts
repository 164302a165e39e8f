// Creates, updates and deletes collections.
import { change } from '../../change.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import type { Call } from '../../model/call.js';
import type { Collection } from './collection.js';
import {
  type Declaration,
  type DeclarationPatch,
  deleteLocked,
  insertDeclared,
  updateLocked,
} from './declared-collection.js';
import { countCollections, lockCollection, lockCollectionsOf } from './store.js';

export async function createCollection(
  deps: Deps,
  call: Call,
  declaration: Declaration & { name: string },
  store: StoreResponse<Collection>,
): Promise<Collection> {
  const { app } = call;
  const appId = app.id;
  return change(deps, call, async (tx, record) => {
    // Without the lock, two concurrent calls would each miss the other in the count.
    await lockCollectionsOf(tx, appId);
    const others = await countCollections(tx, appId, declaration.name);
    const collection = await insertDeclared({ tx, deps, record, appId }, declaration);
    if (others >= app.settings.data.max_collections) throw new ApiError('data/too-many-collections');
    await store(tx, collection);
    return collection;
  });
}

export async function updateCollection(
  deps: Deps,
  call: Call,
  name: string,
  patch: DeclarationPatch,
): Promise<Collection> {
  const { id: appId } = call.app;
  return change(deps, call, async (tx, record) => {
    const collection = await lockCollection(tx, appId, { name });
    if (!collection) throw new ApiError('data/collection-not-found');
    return updateLocked({ tx, deps, record, appId }, collection, patch);
  });
}

/** The collection disappears at once; a job deletes its records. */
export async function deleteCollection(
  deps: Deps,
  call: Call,
  name: string,
  records: 'refuse' | 'delete',
): Promise<void> {
  const { id: appId } = call.app;
  await change(deps, call, async (tx, record) => {
    const collection = await lockCollection(tx, appId, { name });
    if (!collection) throw new ApiError('data/collection-not-found');
    await deleteLocked({ tx, deps, record, appId }, collection, records);
  });
}
