// GET of one record and of a page of them.
import { type DataRecord, limits, RecordId } from '@foyer/contract';
import { collectionNamed } from '../collections/find-collection.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { decodeCursor, encodeCursor } from '../lib/cursor.js';
import { type DataCaller, demandAccess, demandOwn } from './caller.js';
import { presentRecord, type RecordRow } from './record.js';
import { findRecord, listRecordRows } from './store.js';

type ReadDeps = Pick<Deps, 'query'>;

export async function readRecord(
  deps: ReadDeps,
  caller: DataCaller,
  target: { collection: string; id: string },
): Promise<RecordRow> {
  const collection = await collectionNamed(deps, caller.appId, target.collection);
  const onlyOf = demandAccess(collection, 'read', caller);
  const where = { appId: caller.appId, collectionId: collection.id };
  const row = await findRecord(deps.query, where, target.id);
  if (!row) throw new ApiError('data/not-found');
  demandOwn(collection, row, onlyOf);
  return row;
}

export async function listRecords(
  deps: ReadDeps,
  caller: DataCaller,
  name: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ items: DataRecord[]; next_cursor: string | null }> {
  const collection = await collectionNamed(deps, caller.appId, name);
  const ownerUid = demandAccess(collection, 'read', caller);
  const [after] = page.cursor === undefined ? [''] : decodeCursor(page.cursor, RecordId);
  const where = { appId: caller.appId, collectionId: collection.id };
  // One more than asked for says whether there are more; so does a page that was cut short.
  const rows = await listRecordRows(deps.query, where, {
    after,
    limit: page.limit + 1,
    maxBytes: limits.recordPageBytes,
    ownerUid,
  });
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  const bytes = items.reduce((sum, row) => sum + row.bytes, 0);
  const more = rows.length > page.limit || bytes >= limits.recordPageBytes;
  return {
    items: items.map((row) => presentRecord(name, row)),
    next_cursor: last && more ? encodeCursor([last.id]) : null,
  };
}
