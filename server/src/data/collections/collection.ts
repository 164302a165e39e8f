// A declared collection, its columns and its serialization.
import type { accessModes, Collection as CollectionResponse } from '@foyer/contract';
import type { FieldIndex } from '../../../engines/document-query/index.js';
import { namesIn, shownIn, toWire } from '../../model/wire.js';

export type AccessMode = (typeof accessModes)[number];

export type Collection = {
  id: string;
  name: string;
  accessMode: AccessMode;
  onUserDelete: 'delete' | 'keep';
  indexes: FieldIndex[];
  createdAt: Date;
  updatedAt: Date;
};

const table = {
  id: 'internal',
  name: 'shown',
  accessMode: 'shown',
  onUserDelete: 'shown',
  indexes: 'internal',
  createdAt: 'shown',
  updatedAt: 'shown',
} as const satisfies Record<keyof Collection, 'shown' | 'internal'>;

export const collectionNames = namesIn(table);
const shown = shownIn(table);

export function serializeCollection(collection: Collection): CollectionResponse {
  const { indexes } = collection;
  return {
    ...toWire(collection, shown),
    indexed_fields: indexes.map(({ field }) => field),
    building_fields: indexes.filter(({ ready }) => !ready).map(({ field }) => field),
  };
}
