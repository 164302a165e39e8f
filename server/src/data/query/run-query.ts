// POST /data/{collection}/query: scans the collection in batches, collects the top N matches, and reads their records at the
// end. Between batches it yields to other requests and checks the time limit. README.md explains the planner.
import { limits } from '@foyer/contract';
import {
  type AccessPath,
  type AccessPaths,
  accessPaths,
  cursorAfter,
  indexKeyOf,
  isAfterStart,
  type Match,
  matches,
  needsRecheck,
  parseQuery,
  type Query,
  type QueryInput,
  type Scan,
  type TopN,
  topN,
} from '../../../engines/document-query/index.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { Fields } from '../../lib/json-rules.js';
import type { Collection } from '../collections/collection.js';
import type { ReadResources } from './read-resources.js';
import { bytesOf, fieldAt, parsed, type RecordPage, type RecordRow, valueAt } from './record-row.js';
import { batchStatement, countStatement } from './scan-sql.js';
import { type BatchRow, type CollectionScope, findRecords, queryOnce } from './store.js';

type QueryDeps = Pick<Deps, 'query' | 'elapsed'>;

/** Reading this many rows costs less than counting the rows of another path. */
const selectiveRows = 2_000;
const batchRecords = { first: 100, max: 2_000 };
/** A record larger than `first` is a batch of its own. */
const batchBytes = { first: 64 * 1_024, max: 4 * 1_024 * 1_024 };
/** The embedded database blocks all other requests while it reads a batch. */
const batchMilliseconds = { short: 8, long: 20 };
/** A query that runs longer needs one of its app's slots for long queries. */
const shortMilliseconds = 100;

/** A collection that the caller may read, and the uid to whose records the caller is restricted. */
export type OpenCollection = { collection: Collection; ownerUid: string | null; where: CollectionScope };

/** A query, with the raw body of its request. */
export type SentQuery = { input: QueryInput; text: string };

type Run = {
  deps: QueryDeps;
  where: CollectionScope;
  query: Query;
  ownerUid: string | null;
  top: TopN;
  /** Is called before each statement: yields to other requests, and throws after the time limit. */
  checkpoint(): Promise<void>;
};

export async function runQuery(
  deps: QueryDeps,
  resources: ReadResources,
  { collection, ownerUid, where }: OpenCollection,
  { input, text }: SentQuery,
): Promise<RecordPage> {
  const query = parseQuery(input, text);
  const top = topN(query);
  const { begin, checkpoint, requireTime, end } = timeLimit(deps, resources);
  try {
    await begin();
    const run: Run = { deps, where, query, ownerUid, top, checkpoint };
    const path = await choosePath(run, accessPaths(query, collection.indexes, ownerUid));
    for (const scan of path.scans) await runScan(run, scan);
    requireTime();
    const page = top.page();
    resources.reserve(bytesOf(page.matches));
    const { rows, last } = await readMatches(run, page.matches);
    const more = page.more || last !== page.matches.at(-1);
    return { rows, nextCursor: last && more ? cursorAfter(last) : null };
  } finally {
    end();
  }
}

/** A query starts in a slot for short queries, and exchanges it for a long one after `shortMilliseconds`. */
function timeLimit({ elapsed }: QueryDeps, { takeTurn }: ReadResources) {
  const deadline = elapsed() + limits.querySeconds * 1_000;
  let shortUntil = deadline;
  let slot: { release(): void; isLong: boolean } | null = null;

  function requireTime(): void {
    if (elapsed() > deadline) throw new ApiError('data/query-timeout', { retryAfterSeconds: 1 });
  }

  /** A slot that was released before is not released again. */
  function end(): void {
    slot?.release();
  }

  return {
    async begin() {
      slot = { release: await takeTurn('short-query', deadline - elapsed()), isLong: false };
      shortUntil = elapsed() + shortMilliseconds;
    },
    async checkpoint() {
      if (!slot?.isLong && elapsed() > shortUntil) {
        end();
        slot = { release: await takeTurn('long-query', deadline - elapsed()), isLong: true };
      }
      // The embedded database answers without returning to the event loop, where all other requests wait.
      await new Promise((resolve) => setImmediate(resolve));
      requireTime();
    },
    requireTime,
    end,
  };
}

async function choosePath(run: Run, { selective, fallback }: AccessPaths): Promise<AccessPath> {
  for (const path of selective) {
    let rows = 0;
    for (const scan of path.scans) {
      await run.checkpoint();
      const statement = countStatement(run.where, scan, selectiveRows + 1 - rows);
      const [counted] = await queryOnce<{ count: number }>(run.deps.query, statement);
      rows += counted?.count ?? 0;
      if (rows > selectiveRows) break;
    }
    if (rows <= selectiveRows) return path;
  }
  return fallback;
}

async function runScan(run: Run, scan: Scan): Promise<void> {
  const { deps, where, query, ownerUid, top } = run;
  const { elapsed } = deps;
  let { position } = scan;
  let limit = Math.min(Math.max(batchRecords.first, query.limit + 1), batchRecords.max);
  let maxBytes = batchBytes.first;
  for (;;) {
    await run.checkpoint();
    const began = elapsed();
    const batch = { position, limit, maxBytes };
    const statement = batchStatement(where, query, ownerUid, scan, batch);
    const rows = await queryOnce<BatchRow>(deps.query, statement);
    const [end] = rows;
    if (!end) return;
    addMatches(top, query, rows);
    position = { key: Buffer.from(end.lastKey), id: end.lastId };
    const wasLast = end.candidates < limit && end.loaded === end.candidates;
    if (wasLast || isPastTop(run, scan, position)) return;
    const took = elapsed() - began;
    if (took < batchMilliseconds.short) {
      limit = Math.min(limit * 2, batchRecords.max);
      maxBytes = Math.min(maxBytes * 2, batchBytes.max);
    } else if (took > batchMilliseconds.long) {
      limit = Math.max(limit >> 1, batchRecords.first);
      maxBytes = Math.max(maxBytes >> 1, batchBytes.first);
    }
  }
}

function addMatches(top: TopN, query: Query, rows: BatchRow[]): void {
  const rechecked = query.conditions.filter(needsRecheck);
  for (const row of rows) {
    const { id, bytes, rowVersion } = row;
    if (id === null) continue;
    const fields: Fields = JSON.parse(row.fields ?? '{}');
    if (!rechecked.every((condition) => matches(fieldAt(fields, condition.field), condition))) continue;
    const keys = query.orders.map(({ field }, i) => {
      const value = row[`v${i}`];
      return indexKeyOf(typeof value === 'string' ? JSON.parse(value) : fieldAt(fields, field));
    });
    const match = { keys, id, bytes, rowVersion };
    if (isAfterStart(query, match)) top.add(match);
  }
}

/** Whether no later row of an ordered scan can sort before the last collected match. */
function isPastTop({ query, top }: Run, scan: Scan, position: Scan['position']): boolean {
  const worst = top.worst();
  if (!worst || scan.inOrder === null) return false;
  const isByKey = 'number' in scan.source && query.orders.length > 0;
  const byKey = isByKey ? position.key.compare(worst.keys[0] as Buffer) : 0;
  if (byKey !== 0) return byKey > 0 !== scan.descending;
  if (scan.inOrder === 'first') return false;
  return position.id === worst.id || position.id < worst.id === scan.descending;
}

/**
 * In order, with the last match that was read: the page ends earlier where records have grown. A record that was written since
 * the scan is checked again, so that a change of owner or fields takes effect.
 */
async function readMatches(
  { deps, where, query, ownerUid }: Run,
  found: readonly Match[],
): Promise<{ rows: RecordRow[]; last: Match | undefined }> {
  if (found.length === 0) return { rows: [], last: undefined };
  const ids = found.map(({ id }) => id);
  const read = await findRecords(deps.query, where, ids, limits.recordPageBytes);
  const isFull = bytesOf(read) >= limits.recordPageBytes;
  const matchOf = new Map(found.map((match) => [match.id, match]));
  const lastRead = matchOf.get(read.at(-1)?.id ?? '');
  const rows = read.filter((row) => {
    if (row.rowVersion === matchOf.get(row.id)?.rowVersion) return true;
    const record = parsed(row);
    return (
      (ownerUid === null || row.ownerUid === ownerUid) &&
      query.orders.every(({ field }) => valueAt(record, field) !== undefined) &&
      query.conditions.every((condition) => matches(valueAt(record, condition.field), condition))
    );
  });
  return { rows, last: isFull ? lastRead : found.at(-1) };
}
