// `admin.collections`: the app's collections of JSON records.

import type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
import type { CollectionInfo, CollectionPatch, NewCollection } from '../generated/admin-models.js';
import type { PageQuery } from '../generated/models.js';
import { type AdminCall, listPages, type OnceOptions } from './call.js';

export interface AdminCollections {
  /** All collections, ordered by name. */
  list(query?: PageQuery, options?: RepeatableCallOptions): PageList<CollectionInfo>;
  /** Creates a collection. Rejects with `data/collection-exists` when the name is taken. */
  create(collection: NewCollection, options?: OnceOptions): Promise<CollectionInfo>;
  /** Rejects with `data/collection-not-found` when the collection does not exist. */
  get(name: string, options?: RepeatableCallOptions): Promise<CollectionInfo>;
  /** Changes the given fields; the records remain. */
  update(name: string, patch: CollectionPatch, options?: CallOptions): Promise<CollectionInfo>;
  /** Rejects with `data/collection-not-empty` when it contains records, unless `withRecords` deletes them too. */
  delete(
    name: string,
    options?: RepeatableCallOptions & { withRecords?: boolean | undefined },
  ): Promise<void>;
}

/** @internal */
export function createAdminCollections(call: AdminCall): AdminCollections {
  return {
    list: (query, options) => listPages<CollectionInfo>(call, 'GET /admin/collections', { query }, options),
    create: (collection, options) =>
      call<CollectionInfo>('POST /admin/collections', { body: collection }, options),
    get: (name, options) =>
      call<CollectionInfo>('GET /admin/collections/:name', { params: { name } }, options),
    update: (name, patch, options) =>
      call<CollectionInfo>('PATCH /admin/collections/:name', { params: { name }, body: patch }, options),
    delete: (name, { withRecords, ...options } = {}) =>
      call<void>(
        'DELETE /admin/collections/:name',
        { params: { name }, query: { records: withRecords ? 'delete' : undefined } },
        options,
      ),
  };
}
