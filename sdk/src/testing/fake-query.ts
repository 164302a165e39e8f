// Queries of the fake service: conditions, order and paging, with the comparison rules of the real one.
import type { DataRecord } from '../collection.js';
import type { Page } from '../models.js';
import { type Condition, type Order, queryInput } from './fake-query-input.js';

export type StoredRecord = DataRecord<Record<string, unknown>>;

/** `records` are sorted by id. */
export function runQuery(records: StoredRecord[], body: Record<string, unknown>): Page<StoredRecord> {
  const { where, orders, limit, start } = queryInput(body);
  const matching = records
    .filter((record) => where.every((condition) => matches(valueAt(record, condition.field), condition)))
    .map((record) => ({ record, keys: orders.map(({ field }) => valueAt(record, field)) }))
    .filter(({ keys }) => keys.every((key) => key !== undefined))
    .sort((a, b) => inOrder(orders, [...a.keys, a.record.id], [...b.keys, b.record.id]));
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
