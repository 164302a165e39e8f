// Parses the body of a query: normalizes operands, completes the order, decodes the start position.
import { RecordId, takesList } from '@foyer/contract';
import * as z from 'zod';
import { ApiError } from '../../src/lib/api-error.js';
import { encodeCursor } from '../../src/lib/cursor.js';
import { inexactNumber } from './inexact-number.js';
import { type Condition, type Op, type Order, type Query, rangeOps, type SortPosition } from './query.js';
import { indexKeyBytes, indexKeyOf } from './sort-key.js';

export type QueryInput = {
  where: { field: string; op: Op; value?: unknown }[];
  orderBy: { field: string; direction: 'asc' | 'desc' }[];
  limit: number;
  startAfter?: string | unknown[] | undefined;
};

/** `text` is the raw request body, in which numbers are checked before JSON.parse rounds them. */
export function parseQuery(input: QueryInput, text: string): Query {
  const inexact = inexactNumber(text);
  if (inexact !== null)
    throw refusal(inexact, 'must be a finite number and, if an integer, exactly representable');
  const conditions = input.where.map((condition, i) => conditionOf(condition, `where.${i}.value`));
  const orders = ordersOf(input, conditions);
  const descendingIds = orders.at(-1)?.descending ?? false;
  return { conditions, orders, descendingIds, limit: input.limit, start: startOf(input, orders) };
}

/** The cursor of the page that starts after this position. */
export function cursorAfter({ keys, id }: SortPosition): string {
  return encodeCursor([...keys.map((key) => key.toString('base64url')), id]);
}

function conditionOf({ field, op, value }: QueryInput['where'][number], path: string): Condition {
  const operand = takesList(op)
    ? (value as unknown[]).map((each) => operandOf(field, each, path))
    : operandOf(field, value, path);
  return { field, op, value: operand };
}

const times = ['$created_at', '$updated_at'];
const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/;

/** Times are compared as strings, so an operand is normalized to the stored format. */
function operandOf(field: string, value: unknown, path: string): unknown {
  if (!times.includes(field) || typeof value !== 'string') return value;
  const [, seconds, fraction = ''] = instant.exec(value) ?? [];
  if (seconds === undefined || Number.isNaN(Date.parse(`${seconds}Z`))) {
    throw refusal(path, 'must be a time such as 2026-01-02T03:04:05.678000Z');
  }
  return `${seconds}.${fraction.padEnd(6, '0')}Z`;
}

/** As in Firestore, a range condition implies an order by its field unless `orderBy` is present. */
function ordersOf({ orderBy }: QueryInput, conditions: Condition[]): Order[] {
  const range = conditions.find(({ op }) => rangeOps.includes(op));
  if (orderBy.length === 0) return range ? [{ field: range.field, descending: false }] : [];
  const fields = orderBy.map(({ field }) => field);
  const twice = fields.findIndex((field, i) => fields.indexOf(field) < i);
  if (twice >= 0) throw refusal(`orderBy.${twice}.field`, 'is already in orderBy');
  return orderBy.map(({ field, direction }) => ({ field, descending: direction === 'desc' }));
}

function startOf({ orderBy, startAfter }: QueryInput, orders: Order[]): Query['start'] {
  if (startAfter === undefined) return null;
  if (typeof startAfter === 'string') return decodeStart(startAfter, orders);
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

function decodeStart(cursor: string, orders: Order[]): SortPosition {
  try {
    const parts = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    const id = RecordId.parse(parts.at(-1));
    const keys = parts.slice(0, -1).map((part) => Buffer.from(part, 'base64url'));
    if (keys.length === orders.length && keys.every((key, i) => isValidKey(key, orders[i]?.field, id)))
      return { keys, id };
  } catch {
    // A cursor that is not of this service is refused below.
  }
  throw refusal('startAfter', 'must be the next_cursor of an earlier page of this query');
}

/** A key of `$id` is decoded to text later, so it must be exactly the key of this id. */
function isValidKey(key: Buffer, field: string | undefined, id: string): boolean {
  return field === '$id' ? key.equals(indexKeyOf(id)) : key.length <= indexKeyBytes;
}

function refusal(path: string, sentence: string): ApiError {
  return new ApiError('data/invalid-query', { fields: { [path]: [sentence] } });
}
