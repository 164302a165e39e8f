// POST /data/{collection}/query: goes through the collection in batches, keeps the best places, and reads the records at
// the end. Between batches others have their turn, and the time is looked at.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { collectionNamed } from '../collections/find-collection.js';
import { type DataCaller, requireAccess } from '../records/caller.js';
import type { Fields } from '../records/merge-rules.js';
import { fieldAt, parsed, type RecordPage, type RecordRow, valueAt } from '../records/record.js';
import {
  type BatchRow,
  countMet,
  findRecords,
  type InCollection,
  readBatch,
  readIn,
} from '../records/store.js';
import { type BestPlaces, bestPlaces, type Met } from './best-places.js';
import { isJudgedLater } from './condition-sql.js';
import { matches } from './matches.js';
import { isAfterStart, type Query } from './query.js';
import { batchStatement, countStatement } from './query-statement.js';
import type { QueryTurns } from './query-turns.js';
import { type AskedQuery, cursorAfter, readQuery } from './read-query.js';
import type { Reading } from './reading.js';
import { indexKeyOf } from './sort-key.js';
import { type Walk, type Way, waysOf } from './walk.js';

type QueryDeps = Pick<Deps, 'query' | 'elapsed'>;

/** So few that reading them all costs less than finding out whether another way is shorter. */
const narrowRecords = 2_000;
const batchRecords = { first: 100, max: 2_000 };
/** A record that is larger than the first is a batch alone. */
const batchBytes = { first: 64 * 1_024, max: 4 * 1_024 * 1_024 };
/** On the embedded database all else waits while a batch is read. */
const batchMilliseconds = { short: 8, long: 20 };
/** What takes longer needs one of its app's long turns. */
const quickMilliseconds = 100;

type Run = {
  deps: QueryDeps;
  where: InCollection;
  query: Query;
  onlyOf: string | null;
  best: BestPlaces;
  /** Before each statement: gives others their turn, and throws when the time is over. */
  goOn(): Promise<void>;
};

export async function runQuery(
  deps: QueryDeps,
  { turns, reserve }: Reading,
  caller: DataCaller,
  name: string,
  asked: AskedQuery,
  text: string,
): Promise<RecordPage> {
  const collection = await collectionNamed(deps, caller.appId, name);
  const onlyOf = requireAccess(collection, 'read', caller);
  const query = readQuery(asked, text);
  const where = readIn(caller.appId, collection);
  const best = bestPlaces(query);
  const { begin, goOn, requireTime, end } = timeLimit(deps, turns, caller.appId);
  try {
    await begin();
    const run: Run = { deps, where, query, onlyOf, best, goOn };
    const way = await shortestOf(run, waysOf(query, collection.indexes, onlyOf));
    for (const walk of way.walks) await goAlong(run, walk);
    requireTime();
    const { places, more } = best.page();
    const last = places.at(-1);
    reserve(places.reduce((sum, { bytes }) => sum + bytes, 0));
    const rows = await rowsAt(deps, where, query, onlyOf, places);
    return { rows, nextCursor: last && more ? cursorAfter(last) : null };
  } finally {
    end();
  }
}

/** A query begins in one of its app's quick turns, and gives it up for a long one when it has taken its time. */
function timeLimit({ elapsed }: QueryDeps, turns: QueryTurns, appId: string) {
  const until = elapsed() + limits.querySeconds * 1_000;
  let quickUntil = until;
  let turn: { end(): void; isLong: boolean } | null = null;

  function requireTime(): void {
    if (elapsed() > until) throw new ApiError('data/query-timeout', { retryAfterSeconds: 1 });
  }

  function end(): void {
    turn?.end();
    turn = null;
  }

  return {
    async begin() {
      turn = { end: await turns.takeQuick(appId, until - elapsed()), isLong: false };
      quickUntil = elapsed() + quickMilliseconds;
    },
    async goOn() {
      if (!turn?.isLong && elapsed() > quickUntil) {
        end();
        turn = { end: await turns.takeLong(appId, until - elapsed()), isLong: true };
      }
      // Answers of the embedded database come without the event loop, where all other calls wait.
      await new Promise((resolve) => setImmediate(resolve));
      requireTime();
    },
    requireTime,
    end,
  };
}

async function shortestOf(run: Run, ways: ReturnType<typeof waysOf>): Promise<Way> {
  for (const way of ways.narrow) {
    let met = 0;
    for (const walk of way.walks) {
      await run.goOn();
      met += await countMet(run.deps.query, countStatement(run.where, walk, narrowRecords + 1 - met));
      if (met > narrowRecords) break;
    }
    if (met <= narrowRecords) return way;
  }
  return ways.otherwise;
}

async function goAlong(run: Run, walk: Walk): Promise<void> {
  const { deps, where, query, onlyOf, best } = run;
  const { elapsed } = deps;
  let { position } = walk;
  let limit = Math.min(Math.max(batchRecords.first, query.limit + 1), batchRecords.max);
  let maxBytes = batchBytes.first;
  for (;;) {
    await run.goOn();
    const began = elapsed();
    const batch = { position, limit, maxBytes };
    const rows = await readBatch(run.deps.query, batchStatement(where, query, onlyOf, walk, batch));
    const [end] = rows;
    if (!end) return;
    addTo(best, query, rows);
    position = { key: Buffer.from(end.lastKey), id: end.lastId };
    const wasLast = end.met < limit && end.looked === end.met;
    if (wasLast || isBeyond(run, walk, position)) return;
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

function addTo(best: BestPlaces, query: Query, rows: BatchRow[]): void {
  const judged = query.conditions.filter(isJudgedLater);
  for (const row of rows) {
    const { id, bytes, seen } = row;
    if (id === null) continue;
    const fields: Fields = JSON.parse(row.fields ?? '{}');
    if (!judged.every((condition) => matches(fieldAt(fields, condition.field), condition))) continue;
    const keys = query.orders.map(({ field }, i) => {
      const value = row[`v${i}`];
      return indexKeyOf(typeof value === 'string' ? JSON.parse(value) : fieldAt(fields, field));
    });
    const met = { keys, id, bytes, seen };
    if (isAfterStart(query, met)) best.add(met);
  }
}

/** Nothing that the walk will still meet can come before what is kept. */
function isBeyond({ query, best }: Run, walk: Walk, position: Walk['position']): boolean {
  const worst = best.worst();
  if (!worst || walk.inOrder === null) return false;
  const [first] = query.orders;
  const [key, worstKey] =
    'number' in walk.along && first ? [position.key, worst.keys[0] as Buffer] : [keyless, keyless];
  const byKey = key.compare(worstKey) * (first?.descending ? -1 : 1);
  if (byKey !== 0) return byKey > 0;
  if (walk.inOrder === 'first') return false;
  return position.id === worst.id || position.id < worst.id === query.descendingIds;
}

const keyless = Buffer.alloc(0);

/** In their order. A record that was written since it was met is judged again, and may be left out. */
async function rowsAt(
  deps: QueryDeps,
  where: InCollection,
  query: Query,
  onlyOf: string | null,
  places: Met[],
): Promise<RecordRow[]> {
  if (places.length === 0) return [];
  const ids = places.map(({ id }) => id);
  const rows = new Map((await findRecords(deps.query, where, ids)).map((row) => [row.id, row]));
  return places.flatMap(({ id, seen }) => {
    const row = rows.get(id);
    if (!row) return [];
    if (row.seen === seen) return [row];
    const read = parsed(row);
    const belongs =
      (onlyOf === null || row.ownerUid === onlyOf) &&
      query.orders.every(({ field }) => valueAt(read, field) !== undefined) &&
      query.conditions.every((condition) => matches(valueAt(read, condition.field), condition));
    return belongs ? [row] : [];
  });
}
