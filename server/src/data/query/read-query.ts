// What a client asked for, as a query: values in their one form, the order made whole, the start as sort keys.
import { RecordId } from '@foyer/contract';
import { z } from 'zod';
import { ApiError } from '../../lib/api-error.js';
import { encodeCursor } from '../../lib/cursor.js';
import { inexactNumber } from '../records/number-rules.js';
import { type Condition, type Op, type Order, type Place, type Query, rangeOps } from './query.js';
import { indexKeyBytes, indexKeyOf } from './sort-key.js';

export type AskedQuery = {
  where: { field: string; op: Op; value?: unknown }[];
  orderBy: { field: string; direction: 'asc' | 'desc' }[];
  limit: number;
  startAfter?: string | unknown[] | undefined;
};

/** `text` is the body that the query came in. */
export function readQuery(asked: AskedQuery, text: string): Query {
  const inexact = inexactNumber(text);
  if (inexact !== null) throw refusal(inexact, 'must be finite and, if an integer, one that is kept exactly');
  const conditions = asked.where.map((condition, i) => conditionOf(condition, `where.${i}.value`));
  const orders = ordersOf(asked, conditions);
  const descendingIds = orders.at(-1)?.descending ?? false;
  return { conditions, orders, descendingIds, limit: asked.limit, start: startOf(asked, orders) };
}

/** The cursor of the page that begins after this place. */
export function cursorAfter({ keys, id }: Place): string {
  return encodeCursor([...keys.map((key) => key.toString('base64url')), id]);
}

function conditionOf({ field, op, value }: AskedQuery['where'][number], path: string): Condition {
  const listed = op === 'in' || op === 'not-in' || op === 'array-contains-any';
  const operand = listed
    ? (value as unknown[]).map((each) => operandOf(field, each, path))
    : operandOf(field, value, path);
  return { field, op, value: operand };
}

const times = ['$created_at', '$updated_at'];
const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/;

/** Times are compared as strings, so one is brought into the form in which they stand. */
function operandOf(field: string, value: unknown, path: string): unknown {
  if (!times.includes(field) || typeof value !== 'string') return value;
  const [, seconds, fraction = ''] = instant.exec(value) ?? [];
  if (seconds === undefined || Number.isNaN(Date.parse(`${seconds}Z`))) {
    throw refusal(path, 'must be a time such as 2026-01-02T03:04:05.678000Z');
  }
  return `${seconds}.${fraction.padEnd(6, '0')}Z`;
}

/** As in Firestore a range orders by its field where nothing else is asked for. The id comes last, and is unique. */
function ordersOf({ orderBy }: AskedQuery, conditions: Condition[]): Order[] {
  const range = conditions.find(({ op }) => rangeOps.includes(op));
  if (orderBy.length === 0) return range ? [{ field: range.field, descending: false }] : [];
  const fields = orderBy.map(({ field }) => field);
  const twice = fields.findIndex((field, i) => fields.indexOf(field) < i);
  if (twice >= 0) throw refusal(`orderBy.${twice}.field`, 'is ordered by already');
  return orderBy.map(({ field, direction }) => ({ field, descending: direction === 'desc' }));
}

function startOf({ orderBy, startAfter }: AskedQuery, orders: Order[]): Query['start'] {
  if (startAfter === undefined) return null;
  if (typeof startAfter === 'string') return placeOf(startAfter, orders);
  if (startAfter.length !== orderBy.length) {
    throw refusal(
      'startAfter',
      'must have one value for each of orderBy, or be the next_cursor of an earlier page',
    );
  }
  const values = startAfter.map((value, i) => operandOf(orders[i]?.field ?? '', value, `startAfter.${i}`));
  return { keys: values.map(indexKeyOf), id: null };
}

const Cursor = z.array(z.string()).min(1);

function placeOf(cursor: string, orders: Order[]): Place {
  try {
    const parts = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    const id = RecordId.parse(parts.at(-1));
    const keys = parts.slice(0, -1).map((part) => Buffer.from(part, 'base64url'));
    if (keys.length === orders.length && keys.every((key, i) => mayBeKey(key, orders[i]?.field, id)))
      return { keys, id };
  } catch {
    // Not one of ours: refused below.
  }
  throw refusal('startAfter', 'must be the next_cursor of an earlier page of this query');
}

/** A key of the id is taken for text later, so it must be the one that this id has. */
function mayBeKey(key: Buffer, field: string | undefined, id: string): boolean {
  return field === '$id' ? key.equals(indexKeyOf(id)) : key.length <= indexKeyBytes;
}

function refusal(path: string, sentence: string): ApiError {
  return new ApiError('data/invalid-query', { fields: { [path]: [sentence] } });
}
