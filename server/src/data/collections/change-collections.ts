// Creates, updates and deletes collections.
import type { Collection as CollectionResponse } from '@foyer/contract';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import type { App } from '../../model/app.js';
import type { Collection } from './collection.js';
import { changedIndexes } from './indexed-fields-rules.js';
import { queueIndexBuild, queueIndexRemoval, queueRecordRemoval } from './jobs.js';
import {
  countCollections,
  hasRecords,
  insertCollection,
  lockCollection,
  lockCollectionsOf,
  releaseName,
  updateCollectionRow,
} from './store.js';

type Declaration = Pick<CollectionResponse, 'access_mode' | 'on_user_delete' | 'indexed_fields'>;
type DeclareDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'queue'>;

/** A new collection has no records, so its indexes are ready. */
export async function createCollection(
  deps: DeclareDeps,
  app: App,
  declaration: Declaration & { name: string },
  actor: Actor,
  store: StoreResponse<Collection>,
): Promise<Collection> {
  const now = deps.clock.now();
  const appId = app.id;
  const { name, access_mode: accessMode, on_user_delete: onUserDelete } = declaration;
  const { indexes } = changedIndexes([], 0, declaration.indexed_fields, true);
  return deps.prisma.$transaction(async (tx) => {
    // Without the lock, two concurrent calls would each miss the other in the count.
    await lockCollectionsOf(tx, appId);
    const others = await countCollections(tx, appId, name);
    const row = { id: deps.random.ulid(now), name, accessMode, onUserDelete, indexes };
    const collection = await insertCollection(tx, appId, row, now);
    if (!collection) throw new ApiError('data/collection-exists');
    if (others >= app.settings.data.max_collections) throw new ApiError('data/too-many-collections');
    await writeAuditEntry(tx, deps, { appId, actor, action: 'collection.created', target: targetOf(name) });
    await store(tx, collection);
    return collection;
  });
}

export async function updateCollection(
  deps: DeclareDeps,
  appId: string,
  name: string,
  change: { [Name in keyof Declaration]?: Declaration[Name] | undefined },
  actor: Actor,
): Promise<Collection> {
  const now = deps.clock.now();
  const updated = await deps.prisma.$transaction(async (tx) => {
    const collection = await lockCollection(tx, appId, { name });
    if (!collection) throw new ApiError('data/collection-not-found');
    const { id, indexes, lastIndexNumber } = collection;
    const fields = change.indexed_fields ?? indexes.map(({ field }) => field);
    const empty = !(await hasRecords(tx, appId, id));
    const next = changedIndexes(indexes, lastIndexNumber, fields, empty);
    const row = {
      ...collection,
      accessMode: change.access_mode ?? collection.accessMode,
      onUserDelete: change.on_user_delete ?? collection.onUserDelete,
      indexes: next.indexes,
      lastIndexNumber: next.lastNumber,
      updatedAt: now,
    };
    await updateCollectionRow(tx, appId, row);
    for (const { number, ready } of next.added) {
      if (!ready) await queueIndexBuild(tx, deps, { appId, collectionId: id, number, after: '' });
    }
    for (const { number } of next.removed)
      await queueIndexRemoval(tx, deps, { appId, collectionId: id, number });
    const entry = { action: 'collection.updated', target: targetOf(name) } as const;
    await writeAuditEntry(tx, deps, { appId, actor, ...entry, details: { changed: Object.keys(change) } });
    return row;
  });
  deps.queue.wake();
  return updated;
}

/** The collection disappears at once; a job deletes its records. */
export async function deleteCollection(
  deps: DeclareDeps,
  appId: string,
  name: string,
  records: 'refuse' | 'delete',
  actor: Actor,
): Promise<void> {
  await deps.prisma.$transaction(async (tx) => {
    const collection = await lockCollection(tx, appId, { name });
    if (!collection) throw new ApiError('data/collection-not-found');
    const { id } = collection;
    if (records === 'refuse' && (await hasRecords(tx, appId, id))) {
      throw new ApiError('data/collection-not-empty');
    }
    await releaseName(tx, appId, id);
    await queueRecordRemoval(tx, deps, { appId, collectionId: id });
    await writeAuditEntry(tx, deps, { appId, actor, action: 'collection.deleted', target: targetOf(name) });
  });
  deps.queue.wake();
}

function targetOf(name: string): string {
  return `collection:${name}`;
}
