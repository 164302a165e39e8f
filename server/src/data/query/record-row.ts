// A stored record, and the lookup of a field path.
import { type Fields, isObject } from '../../lib/json-rules.js';
import { timestamp } from '../../lib/timestamp.js';

/** `fieldsText` is the stored JSON, which responses include without parsing. */
export type RecordRow = {
  id: string;
  fieldsText: string;
  bytes: number;
  ownerUid: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

export type ParsedRecord = RecordRow & { fields: Fields };

export function parsed(row: RecordRow): ParsedRecord {
  return { ...row, fields: JSON.parse(row.fieldsText) };
}

export type RecordPage = { rows: RecordRow[]; nextCursor: string | null };

export function bytesOf(rows: readonly Pick<RecordRow, 'bytes'>[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns undefined for an absent field. A path descends into objects only, never into arrays. */
export function valueAt(row: ParsedRecord, path: string): unknown {
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
