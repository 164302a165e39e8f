// GET of one record and of a page of them.
import { limits, RecordId } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor, encodeCursor } from '../../lib/cursor.js';
import { collectionNamed } from '../collections/find-collection.js';
import type { Reading } from '../query/reading.js';
import { type DataCaller, requireAccess, requireOwn } from './caller.js';
import type { RecordPage, RecordRow } from './record.js';
import { findRecord, listRecordRows, readIn } from './store.js';

type ReadDeps = Pick<Deps, 'query'>;

export async function readRecord(
  deps: ReadDeps,
  { reserve }: Reading,
  caller: DataCaller,
  target: { collection: string; id: string },
): Promise<RecordRow> {
  const collection = await collectionNamed(deps, caller.appId, target.collection);
  const onlyOf = requireAccess(collection, 'read', caller);
  const where = readIn(caller.appId, collection);
  reserve(limits.recordBytes);
  const row = await findRecord(deps.query, where, target.id);
  if (!row) throw new ApiError('data/not-found');
  requireOwn(collection, row, onlyOf);
  return row;
}

export async function listRecords(
  deps: ReadDeps,
  { turns, reserve }: Reading,
  caller: DataCaller,
  name: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<RecordPage> {
  const collection = await collectionNamed(deps, caller.appId, name);
  const ownerUid = requireAccess(collection, 'read', caller);
  const [after] = page.cursor === undefined ? [''] : decodeCursor(page.cursor, RecordId);
  const where = readIn(caller.appId, collection);
  const endTurn = await turns.takeList(caller.appId, limits.querySeconds * 1_000);
  try {
    // The last record of a page may be as large as a record can be.
    reserve(limits.recordPageBytes + limits.recordBytes);
    const { limit } = page;
    const rows = await listRecordRows(deps.query, where, {
      after,
      limit,
      maxBytes: limits.recordPageBytes,
      ownerUid,
    });
    const last = rows.at(-1);
    return { rows, nextCursor: last?.hasNext ? encodeCursor([last.id]) : null };
  } finally {
    endTurn();
  }
}
