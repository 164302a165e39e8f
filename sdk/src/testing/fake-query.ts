// Queries of the fake service: conditions, order and paging, with the comparison rules of the real one.
import type { DataRecord } from '../collection.js';
import type { Page } from '../models.js';
import { Refusal } from './fake-answer.js';

export type StoredRecord = DataRecord<Record<string, unknown>>;

interface Condition {
  field: string;
  op: string;
  value: unknown;
}

interface Order {
  field: string;
  direction?: 'asc' | 'desc';
}

const listOps = ['in', 'not-in', 'array-contains-any'];
const rangeOps = ['<', '<=', '>', '>='];
const ops = ['==', '!=', ...rangeOps, ...listOps, 'array-contains'];

/** `records` are sorted by id. */
export function runQuery(records: StoredRecord[], body: Record<string, unknown>): Page<StoredRecord> {
  const { where, orderBy, limit, startAfter } = parse(body);
  const range = where.find(({ op }) => rangeOps.includes(op));
  const orders: Order[] = orderBy.length > 0 || !range ? orderBy : [{ field: range.field }];
  const matching = records
    .filter((record) => where.every((condition) => matches(valueAt(record, condition.field), condition)))
    .map((record) => ({ record, keys: orders.map(({ field }) => valueAt(record, field)) }))
    .filter(({ keys }) => keys.every((key) => key !== undefined))
    .sort((a, b) => inOrder(orders, [...a.keys, a.record.id], [...b.keys, b.record.id]));
  const start = startOf(startAfter, orderBy);
  const rest = start
    ? matching.filter(
        ({ record, keys }) => inOrder(orders, [...keys, record.id].slice(0, start.length), start) > 0,
      )
    : matching;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const cursor = rest.length > limit && last ? JSON.stringify([...last.keys, last.record.id]) : null;
  return { items: page.map(({ record }) => record), next_cursor: cursor };
}

function parse(body: Record<string, unknown>) {
  const { where = [], orderBy = [], limit = 25, startAfter, ...unknown } = body;
  const [key] = Object.keys(unknown);
  if (key !== undefined) throw invalid('body', `${key} is not a key of a query`);
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > 500) {
    throw invalid('limit', 'must be a whole number from 1 to 500');
  }
  for (const [index, { op, value }] of (where as Condition[]).entries()) {
    if (!ops.includes(op)) throw invalid(`where.${index}.op`, `must be one of ${ops.join(', ')}`);
    const isList = Array.isArray(value) && value.length > 0 && value.length <= 30;
    if (value === undefined || (listOps.includes(op) && !isList)) {
      throw invalid(`where.${index}.value`, 'must be an array of 1 to 30 values');
    }
  }
  return { where: where as Condition[], orderBy: orderBy as Order[], limit, startAfter };
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('data/invalid-query', { [field]: [message] });
}

/** The values after which a page starts: those of a cursor include the id. */
function startOf(startAfter: unknown, orderBy: Order[]): unknown[] | undefined {
  if (startAfter === undefined) return undefined;
  if (Array.isArray(startAfter) && startAfter.length === orderBy.length) return startAfter;
  try {
    const values = JSON.parse(String(startAfter));
    if (typeof startAfter === 'string' && Array.isArray(values)) return values;
  } catch {
    // Not a cursor of this fake: refused below.
  }
  throw invalid('startAfter', 'must be the next_cursor of an earlier page, or one value for each of orderBy');
}

const ownFields: Record<string, (record: StoredRecord) => unknown> = {
  $id: ({ id }) => id,
  $owner_uid: ({ owner_uid }) => owner_uid,
  $created_at: ({ created_at }) => created_at,
  $updated_at: ({ updated_at }) => updated_at,
};

/** Undefined for a field that does not exist. */
function valueAt(record: StoredRecord, path: string): unknown {
  const own = ownFields[path];
  if (own) return own(record);
  return path.split('.').reduce<unknown>((value, key) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }, record.fields);
}

function matches(value: unknown, { op, value: operand }: Condition): boolean {
  if (value === undefined) return false;
  const equals = (other: unknown) => compare(value, other) === 0;
  const contains = (wanted: unknown) =>
    Array.isArray(value) && value.some((element) => compare(element, wanted) === 0);
  const list = operand as unknown[];
  switch (op) {
    case '==':
      return equals(operand);
    case '!=':
      return value !== null && !equals(operand);
    case 'in':
      return list.some(equals);
    case 'not-in':
      return value !== null && !list.includes(null) && !list.some(equals);
    case 'array-contains':
      return contains(operand);
    case 'array-contains-any':
      return list.some(contains);
    default: {
      if (rankOf(value) !== rankOf(operand)) return false;
      const order = compare(value, operand);
      return order === 0 ? op.endsWith('=') : op.startsWith('<') === order < 0;
    }
  }
}

/** The id, after the keys, is in the direction of the last order. */
function inOrder(orders: Order[], a: unknown[], b: unknown[]): number {
  for (const [index, value] of a.entries()) {
    const sign = (orders[index] ?? orders.at(-1))?.direction === 'desc' ? -1 : 1;
    const order = compare(value, b[index]);
    if (order !== 0) return sign * order;
  }
  return 0;
}

/** null < boolean < number < string < array < object. */
function rankOf(value: unknown): number {
  if (value === null) return 0;
  return ['boolean', 'number', 'string'].indexOf(typeof value) + 1 || (Array.isArray(value) ? 4 : 5);
}

function compare(a: unknown, b: unknown): number {
  const rank = rankOf(a);
  if (rank !== rankOf(b)) return rank - rankOf(b);
  if (rank === 0) return 0;
  if (rank === 3) return compareLists([...(a as string)].map(codeOf), [...(b as string)].map(codeOf));
  if (rank === 4) return compareLists(a as unknown[], b as unknown[]);
  if (rank === 5) return compareLists(entriesOf(a as object), entriesOf(b as object));
  return Number(a) - Number(b);
}

function compareLists(a: unknown[], b: unknown[]): number {
  for (const [index, value] of a.slice(0, b.length).entries()) {
    const order = compare(value, b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The order of code points is the order of their UTF-8 bytes. */
const codeOf = (character: string) => character.codePointAt(0);

/** By key; keys before values. */
function entriesOf(value: object): unknown[] {
  return Object.entries(value)
    .sort(([a], [b]) => compare(a, b))
    .flat();
}
