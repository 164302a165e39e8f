// A record as it is stored, as the contract shows it, and what a field path finds in it.
import type { DataRecord } from '@foyer/contract';
import { timestamp } from '../lib/timestamp.js';
import { type Fields, isObject } from './merge-rules.js';

export type RecordRow = {
  id: string;
  fields: Fields;
  bytes: number;
  ownerUid: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

export function presentRecord(collection: string, row: RecordRow): DataRecord {
  return {
    id: row.id,
    collection,
    fields: row.fields,
    owner_uid: row.ownerUid,
    version: row.version,
    created_at: timestamp(row.createdAt),
    updated_at: timestamp(row.updatedAt),
  };
}

/** Undefined where there is nothing at this path; objects alone are entered, never arrays. */
export function valueAt(row: Omit<RecordRow, 'bytes' | 'version'>, path: string): unknown {
  if (path === '$id') return row.id;
  if (path === '$owner_uid') return row.ownerUid;
  if (path === '$created_at') return timestamp(row.createdAt);
  if (path === '$updated_at') return timestamp(row.updatedAt);
  return fieldAt(row.fields, path);
}

export function fieldAt(fields: Fields, path: string): unknown {
  let value: unknown = fields;
  for (const key of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
