// All collections of an app at once: those of a list are created or changed, others are deleted.
import { change } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { compareTexts } from '../../lib/compare-texts.js';
import { versionTag } from '../../lib/version-tag.js';
import type { Call } from '../../model/call.js';
import type { Collection } from './collection.js';
import {
  type Declaration,
  declarationOf,
  deleteLocked,
  insertDeclared,
  updateLocked,
  type Writing,
} from './declared-collection.js';
import {
  hasRecords,
  type LockedCollection,
  listAllCollections,
  lockAllCollections,
  lockCollectionsOf,
} from './store.js';

export type NamedDeclaration = Declaration & { name: string };

type Replacement = {
  collections: NamedDeclaration[];
  /** The version that the caller has seen. */
  version: string;
  deleteRecords: boolean;
};

/** Sorted by name, with the version of the whole. */
export async function readDeclarations(
  deps: Pick<Deps, 'query'>,
  appId: string,
): Promise<{ collections: NamedDeclaration[]; version: string }> {
  const collections = declarationsOf(await listAllCollections(deps.query, appId));
  return { collections, version: versionTag(collections) };
}

export async function replaceCollections(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'queue'>,
  call: Pick<Call, 'app' | 'actor'>,
  { collections: wanted, version, deleteRecords }: Replacement,
): Promise<void> {
  const { id: appId } = call.app;
  await change(deps, call, async (tx, record) => {
    const writing = { tx, deps, record, appId };
    // Without the lock, a collection that is created meanwhile would not be in the version.
    await lockCollectionsOf(tx, appId);
    const existing = await lockAllCollections(tx, appId);
    if (versionTag(declarationsOf(existing)) !== version) throw new ApiError('admin/version-conflict');
    const known = new Map(existing.map((collection) => [collection.name, collection]));
    const names = new Set(wanted.map(({ name }) => name));
    for (const collection of existing) {
      if (!names.has(collection.name)) await deleteOne(writing, collection, deleteRecords);
    }
    const added = wanted.filter(({ name }) => !known.has(name));
    if (added.length > 0 && wanted.length > call.app.settings.data.max_collections) {
      throw new ApiError('data/too-many-collections');
    }
    for (const { name, ...declaration } of wanted) {
      const collection = known.get(name);
      if (!collection) await insertDeclared(writing, { name, ...declaration });
      else if (!isSame(declaration, declarationOf(collection))) {
        await updateLocked(writing, collection, declaration);
      }
    }
  });
}

async function deleteOne(
  writing: Writing,
  collection: LockedCollection,
  deleteRecords: boolean,
): Promise<void> {
  const { tx, appId } = writing;
  if (!deleteRecords && (await hasRecords(tx, appId, collection.id))) {
    throw new ApiError('data/collection-not-empty', { fields: { [collection.name]: ['has records'] } });
  }
  await deleteLocked(writing, collection, 'delete');
}

function declarationsOf(collections: Collection[]): NamedDeclaration[] {
  return collections
    .map((collection) => ({ name: collection.name, ...declarationOf(collection) }))
    .sort((one, other) => compareTexts(one.name, other.name));
}

function isSame(one: Declaration, other: Declaration): boolean {
  const partsOf = ({ access_mode, on_user_delete, indexed_fields }: Declaration) =>
    JSON.stringify([access_mode, on_user_delete, indexed_fields]);
  return partsOf(one) === partsOf(other);
}
