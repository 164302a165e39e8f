// The expected result of a query, computed the slow way: no sort keys, no SQL, no index.
import { compareValues } from './value-order.js';

export type Asked = {
  where?: { field: string; op: string; value: unknown }[];
  orderBy?: { field: string; direction?: 'asc' | 'desc' }[];
  limit?: number;
  startAfter?: unknown;
};
export type Kept = { id: string; fields: Record<string, unknown> };

/** Ids in the order of the answer, from all records, regardless of the limit. */
export function expectedIds(records: Kept[], { where = [], orderBy = [] }: Asked): string[] {
  const range = where.find(({ op }) => ['<', '<=', '>', '>='].includes(op));
  const orders = orderBy.length > 0 || !range ? orderBy : [{ field: range.field }];
  return records
    .filter((record) => where.every(({ field, op, value }) => holds(at(record, field), op, value)))
    .filter((record) => orders.every(({ field }) => at(record, field) !== undefined))
    .sort((left, right) => {
      let sign = 1;
      for (const { field, direction } of orders as { field: string; direction?: string }[]) {
        sign = direction === 'desc' ? -1 : 1;
        const order = compareValues(at(left, field), at(right, field));
        if (order !== 0) return order * sign;
      }
      return (left.id < right.id ? -1 : 1) * sign;
    })
    .map(({ id }) => id);
}

export function at(record: Kept, path: string): unknown {
  if (path === '$id') return record.id;
  let value: unknown = record.fields;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (!Object.keys(value).includes(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function holds(value: unknown, op: string, operand: unknown): boolean {
  if (value === undefined) return false;
  const same = (other: unknown, each: unknown = value) => compareValues(each, other) === 0;
  const list = operand as unknown[];
  const sameType = compareValues(typed(value), typed(operand)) === 0;
  switch (op) {
    case '==':
      return same(operand);
    case '!=':
      return value !== null && !same(operand);
    case 'in':
      return list.some((each) => same(each));
    case 'not-in':
      return value !== null && !list.includes(null) && !list.some((each) => same(each));
    case 'array-contains':
      return Array.isArray(value) && value.some((each) => same(operand, each));
    case 'array-contains-any':
      return Array.isArray(value) && value.some((each) => list.some((other) => same(other, each)));
    case '<':
      return sameType && compareValues(value, operand) < 0;
    case '<=':
      return sameType && compareValues(value, operand) <= 0;
    case '>':
      return sameType && compareValues(value, operand) > 0;
    case '>=':
      return sameType && compareValues(value, operand) >= 0;
    default:
      throw new Error(`no such operator: ${op}`);
  }
}

function typed(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
