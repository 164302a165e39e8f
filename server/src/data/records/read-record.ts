// Reads one record, a page of records, or the result of a query.
import { limits, RecordId } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor, encodeCursor } from '../../lib/cursor.js';
import type { PageInput } from '../../lib/page.js';
import { requireCollection } from '../collections/find-collection.js';
import type { ReadResources } from '../query/read-resources.js';
import { bytesOf, type RecordPage, type RecordRow } from '../query/record-row.js';
import { type OpenCollection, runQuery, type SentQuery } from '../query/run-query.js';
import { type DataCaller, requireAccess, requireOwner } from './caller.js';
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
  { takeTurn, reserve }: ReadResources,
  caller: DataCaller,
  page: PageInput & { collection: string },
): Promise<RecordPage> {
  const { ownerUid, where } = await openForRead(deps, caller, page.collection);
  const [after] = page.cursor === undefined ? [''] : decodeCursor(page.cursor, RecordId);
  const release = await takeTurn('list', limits.querySeconds * 1_000);
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

export async function queryRecords(
  deps: Pick<Deps, 'query' | 'elapsed'>,
  resources: ReadResources,
  caller: DataCaller,
  { collection, ...sent }: SentQuery & { collection: string },
): Promise<RecordPage> {
  return runQuery(deps, resources, await openForRead(deps, caller, collection), sent);
}

async function openForRead(deps: ReadDeps, caller: DataCaller, name: string): Promise<OpenCollection> {
  const collection = await requireCollection(deps, caller.app.id, name);
  const ownerUid = requireAccess(collection, 'read', caller);
  return { collection, ownerUid, where: scopeOf(caller.app.id, collection) };
}
