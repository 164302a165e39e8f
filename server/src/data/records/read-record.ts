// Reads one record, or a page of records.
import { limits, RecordId } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor, encodeCursor } from '../../lib/cursor.js';
import type { PageInput } from '../../lib/page.js';
import { requireCollection } from '../collections/find-collection.js';
import type { ReadResources } from '../query/concurrency-limit.js';
import { type DataCaller, requireAccess, requireOwner } from './caller.js';
import { bytesOf, type RecordPage, type RecordRow } from './record.js';
import { findRecord, listRecordRows, scopeOf } from './store.js';

type ReadDeps = Pick<Deps, 'query'>;

export async function readRecord(
  deps: ReadDeps,
  { reserve }: Pick<ReadResources, 'reserve'>,
  caller: DataCaller,
  target: { collection: string; id: string },
): Promise<RecordRow> {
  const { collection, ownerUid, where } = await openForRead(deps, caller, target.collection);
  const row = await findRecord(deps.query, where, target.id);
  if (!row) throw new ApiError('data/not-found');
  requireOwner(collection, row, ownerUid);
  reserve(row.bytes);
  return row;
}

export async function listRecords(
  deps: ReadDeps,
  { concurrency, network, reserve }: ReadResources,
  caller: DataCaller,
  name: string,
  page: PageInput,
): Promise<RecordPage> {
  const { ownerUid, where } = await openForRead(deps, caller, name);
  const [after] = page.cursor === undefined ? [''] : decodeCursor(page.cursor, RecordId);
  const release = await concurrency.acquireList(caller.appId, limits.querySeconds * 1_000, network);
  try {
    const bounds = { after, limit: page.limit, maxBytes: limits.recordPageBytes, ownerUid };
    const rows = await listRecordRows(deps.query, where, bounds);
    reserve(bytesOf(rows));
    const last = rows.at(-1);
    return { rows, nextCursor: last?.hasNext ? encodeCursor([last.id]) : null };
  } finally {
    release();
  }
}

/** The collection, the scope of the read in it, and the uid to whose records the caller is restricted. */
export async function openForRead(deps: ReadDeps, caller: DataCaller, name: string) {
  const collection = await requireCollection(deps, caller.appId, name);
  const ownerUid = requireAccess(collection, 'read', caller);
  return { collection, ownerUid, where: scopeOf(caller.appId, collection) };
}
