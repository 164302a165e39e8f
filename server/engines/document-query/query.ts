// A parsed query: conditions, the complete order, and the start position as sort keys.
import type { Buffer } from 'node:buffer';

export type Op =
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'not-in'
  | 'array-contains'
  | 'array-contains-any';

export type Condition = { field: string; op: Op; value: unknown };
export type Order = { field: string; descending: boolean };

/** The position of a record in the order of a query: one key per order, then the id. */
export type SortPosition = { keys: Buffer[]; id: string };

export type Query = {
  conditions: Condition[];
  /** Ties are broken by id, in the direction of the last order. Without orders, records are sorted by id. */
  orders: Order[];
  /** False without orders. */
  descendingIds: boolean;
  limit: number;
  /** The records after this position; without an id, after all records with these keys. */
  start: { keys: Buffer[]; id: string | null } | null;
};

export const rangeOps: readonly Op[] = ['<', '<=', '>', '>='];

/** Negative if `left` comes first. */
export function comparePositions(query: Query, left: SortPosition, right: SortPosition): number {
  return compareKeys(query, left.keys, right.keys) || compareIds(query, left.id, right.id);
}

export function isAfterStart(query: Query, position: SortPosition): boolean {
  if (!query.start) return true;
  const order = compareKeys(query, position.keys, query.start.keys);
  if (order !== 0) return order > 0;
  return query.start.id !== null && compareIds(query, position.id, query.start.id) > 0;
}

function compareKeys({ orders }: Query, left: Buffer[], right: Buffer[]): number {
  for (const [i, { descending }] of orders.entries()) {
    const order = (left[i] as Buffer).compare(right[i] as Buffer);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

/** Ids are ASCII, so the order of code units is the order of bytes. */
function compareIds({ descendingIds }: Query, left: string, right: string): number {
  if (left === right) return 0;
  return left < right === descendingIds ? 1 : -1;
}
