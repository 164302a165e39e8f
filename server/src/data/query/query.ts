// A query as it is carried out: what was asked, with the order made whole and the start in sort keys.
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

/** The place of a record in the order: its key in each, and its id. */
export type Place = { keys: Buffer[]; id: string };

export type Query = {
  conditions: Condition[];
  /** Ties go by id, in the direction of the last; without any it is the id alone. */
  orders: Order[];
  /** Ascending where there is no order. */
  descendingIds: boolean;
  limit: number;
  /** Records after this place alone; without an id, after all that are equal in the keys. */
  start: { keys: Buffer[]; id: string | null } | null;
};

export const rangeOps: readonly Op[] = ['<', '<=', '>', '>='];

/** Negative where `left` comes first. */
export function comparePlaces(query: Query, left: Place, right: Place): number {
  return compareKeys(query, left.keys, right.keys) || compareIds(query, left.id, right.id);
}

export function isAfterStart(query: Query, place: Place): boolean {
  if (!query.start) return true;
  const order = compareKeys(query, place.keys, query.start.keys);
  if (order !== 0) return order > 0;
  return query.start.id !== null && compareIds(query, place.id, query.start.id) > 0;
}

function compareKeys({ orders }: Query, left: Buffer[], right: Buffer[]): number {
  for (const [i, { descending }] of orders.entries()) {
    const order = (left[i] as Buffer).compare(right[i] as Buffer);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

/** Ids are ASCII, where the order of code units is that of bytes. */
function compareIds({ descendingIds }: Query, left: string, right: string): number {
  if (left === right) return 0;
  return left < right === descendingIds ? 1 : -1;
}
