// Writes one declaration of a collection in a transaction, with its jobs and its audit entry.
import type { Collection as CollectionResponse } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { changesBetween } from '../../audit/changes-rules.js';
import type { ChangeRecord } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { Collection } from './collection.js';
import { changedIndexes } from './indexed-fields-rules.js';
import { queueIndexBuild, queueIndexRemoval, queueRecordRemoval } from './jobs.js';
import {
  hasRecords,
  insertCollection,
  type LockedCollection,
  releaseName,
  updateCollectionRow,
} from './store.js';

export type Declaration = Pick<CollectionResponse, 'access_mode' | 'on_user_delete' | 'indexed_fields'>;
export type DeclarationPatch = { [Name in keyof Declaration]?: Declaration[Name] | undefined };

/** Where a declaration is written: in the transaction of a change. */
export type Writing = {
  tx: Tx;
  deps: Pick<Deps, 'clock' | 'random' | 'queue'>;
  record: Pick<ChangeRecord, 'audit'>;
  appId: string;
};

/** A new collection has no records, so its indexes are ready. */
export async function insertDeclared(
  { tx, deps, record, appId }: Writing,
  declaration: Declaration & { name: string },
): Promise<Collection> {
  const { name, access_mode: accessMode, on_user_delete: onUserDelete } = declaration;
  const now = deps.clock.now();
  const { indexes } = changedIndexes([], 0, declaration.indexed_fields, true);
  const row = { id: deps.random.ulid(now), name, accessMode, onUserDelete, indexes };
  const collection = await insertCollection(tx, appId, row, now);
  if (!collection) throw new ApiError('data/collection-exists');
  await record.audit({ action: 'collection.created', target: targetOf(name) });
  return collection;
}

export async function updateLocked(
  { tx, deps, record, appId }: Writing,
  collection: LockedCollection,
  patch: DeclarationPatch,
): Promise<Collection> {
  const { id, name, indexes, lastIndexNumber } = collection;
  const fields = patch.indexed_fields ?? indexes.map(({ field }) => field);
  const empty = !(await hasRecords(tx, appId, id));
  const next = changedIndexes(indexes, lastIndexNumber, fields, empty);
  const row = {
    ...collection,
    accessMode: patch.access_mode ?? collection.accessMode,
    onUserDelete: patch.on_user_delete ?? collection.onUserDelete,
    indexes: next.indexes,
    lastIndexNumber: next.lastNumber,
    updatedAt: deps.clock.now(),
  };
  await updateCollectionRow(tx, appId, row);
  for (const { number, ready } of next.added) {
    if (!ready) await queueIndexBuild(tx, deps, { appId, collectionId: id, number, after: '' });
  }
  for (const { number } of next.removed)
    await queueIndexRemoval(tx, deps, { appId, collectionId: id, number });
  const details = {
    changed: Object.keys(patch),
    changes: changesBetween(declarationOf(collection), declarationOf(row)),
  };
  await record.audit({ action: 'collection.updated', target: targetOf(name), details });
  return row;
}

export async function deleteLocked(
  { tx, deps, record, appId }: Writing,
  { id, name }: LockedCollection,
  records: 'refuse' | 'delete',
): Promise<void> {
  if (records === 'refuse' && (await hasRecords(tx, appId, id))) {
    throw new ApiError('data/collection-not-empty');
  }
  await releaseName(tx, appId, id);
  await queueRecordRemoval(tx, deps, { appId, collectionId: id });
  await record.audit({ action: 'collection.deleted', target: targetOf(name) });
}

export function declarationOf({
  accessMode,
  onUserDelete,
  indexes,
}: Pick<Collection, 'accessMode' | 'onUserDelete' | 'indexes'>): Declaration {
  return {
    access_mode: accessMode,
    on_user_delete: onUserDelete,
    indexed_fields: indexes.map(({ field }) => field),
  };
}

function targetOf(name: string): string {
  return `collection:${name}`;
}
