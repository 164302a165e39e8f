// `admin.collections`: the collections of JSON records that the app declares.
import type { AdminCall, OnceOptions } from './admin-call.js';
import type { CallOptions, PageList, RepeatableCallOptions } from './api.js';
import type { Page, PageQuery } from './models.js';
import { createPageList } from './page-list.js';

/** Who may do what without a secret key, which may do everything. */
export type AccessMode =
  /** Nobody. */
  | 'admin'
  /** Any client reads. */
  | 'public_read'
  /** Signed-in users read. */
  | 'signed_in_read'
  /** A user reads, creates and changes the own records. */
  | 'owner'
  /** The same, and any client reads. */
  | 'owner_public_read'
  /** The same, and signed-in users read. */
  | 'owner_signed_in_read'
  /** Signed-in users read, create and change all records. */
  | 'shared';

export interface CollectionPatch {
  access_mode?: AccessMode | undefined;
  /** What becomes of a user's records when the account is deleted. */
  on_user_delete?: 'delete' | 'keep' | undefined;
  /** Fields that queries find and sort by without reading the whole collection; at most 10. */
  indexed_fields?: string[] | undefined;
}

/** A collection to declare; what is left out is `admin`, `delete` and no field. */
export interface NewCollection extends CollectionPatch {
  name: string;
}

/** The declaration of a collection. */
export interface CollectionInfo {
  /** Never changes. */
  name: string;
  access_mode: AccessMode;
  on_user_delete: 'delete' | 'keep';
  indexed_fields: string[];
  /** Those of `indexed_fields` whose index is not complete yet. */
  building_fields: string[];
  created_at: string;
  updated_at: string;
}

export interface AdminCollections {
  /** By name. */
  list(query?: PageQuery, options?: RepeatableCallOptions): PageList<CollectionInfo>;
  create(collection: NewCollection, options?: OnceOptions): Promise<CollectionInfo>;
  get(name: string, options?: RepeatableCallOptions): Promise<CollectionInfo>;
  update(name: string, patch: CollectionPatch, options?: CallOptions): Promise<CollectionInfo>;
  /** Rejects with `data/collection-not-empty` where there are records, unless `withRecords` says that they go with it. */
  delete(
    name: string,
    options?: RepeatableCallOptions & { withRecords?: boolean | undefined },
  ): Promise<void>;
}

/** @internal */
export function createAdminCollections(call: AdminCall): AdminCollections {
  return {
    list: (query, options) =>
      createPageList(
        (page) => call<Page<CollectionInfo>>('GET /admin/collections', { query: page }, options),
        query,
      ),
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
