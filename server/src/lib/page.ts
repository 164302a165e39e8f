// A page of a list. Callers query one row more than `limit`, which shows whether another page follows.
import { encodeCursor } from './cursor.js';

/** The page of a list that a request asks for. */
export type PageInput = { limit: number; cursor?: string | undefined };

export type Page<Item> = { items: Item[]; next_cursor: string | null };

/** `keysOf` returns the sort keys of a row for the cursor. */
export function pageOf<Row, Item>(
  rows: Row[],
  limit: number,
  keysOf: (row: Row) => string[],
  serialize: (row: Row) => Item,
): Page<Item> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(serialize),
    next_cursor: last && rows.length > page.length ? encodeCursor(keysOf(last)) : null,
  };
}
