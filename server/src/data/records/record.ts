// The serialization of records.
import type { DataRecord } from '@foyer/contract';
import { timestamp } from '../../lib/timestamp.js';
import type { RecordPage, RecordRow } from '../query/record-row.js';

/** Serializes a `DataRecord`. */
export function recordText(collection: string, row: RecordRow): string {
  const before: Pick<DataRecord, 'id' | 'collection'> = { id: row.id, collection };
  const after: Omit<DataRecord, 'id' | 'collection' | 'fields'> = {
    owner_uid: row.ownerUid,
    version: row.version,
    created_at: timestamp(row.createdAt),
    updated_at: timestamp(row.updatedAt),
  };
  return `${JSON.stringify(before).slice(0, -1)},"fields":${row.fieldsText},${JSON.stringify(after).slice(1)}`;
}

export function pageText(collection: string, { rows, nextCursor }: RecordPage): string {
  const items = rows.map((row) => recordText(collection, row));
  return `{"items":[${items.join(',')}],"next_cursor":${JSON.stringify(nextCursor)}}`;
}
