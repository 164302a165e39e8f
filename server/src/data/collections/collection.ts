// A declared collection and its serialization.
import type { accessModes, Collection as CollectionResponse } from '@foyer/contract';
import { timestamp } from '../../lib/timestamp.js';

export type AccessMode = (typeof accessModes)[number];

/** `ready`: complete, so that queries may use it. Writers maintain it from its declaration on. */
export type FieldIndex = { number: number; field: string; ready: boolean };

export type Collection = {
  id: string;
  name: string;
  accessMode: AccessMode;
  onUserDelete: 'delete' | 'keep';
  indexes: FieldIndex[];
  createdAt: Date;
  updatedAt: Date;
};

export function serializeCollection(collection: Collection): CollectionResponse {
  const { indexes } = collection;
  return {
    name: collection.name,
    access_mode: collection.accessMode,
    on_user_delete: collection.onUserDelete,
    indexed_fields: indexes.map(({ field }) => field),
    building_fields: indexes.filter(({ ready }) => !ready).map(({ field }) => field),
    created_at: timestamp(collection.createdAt),
    updated_at: timestamp(collection.updatedAt),
  };
}
