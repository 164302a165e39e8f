// A page of a list: of its rows there are more than it holds exactly where another page follows, so one more is asked for.
import { encodeCursor } from './cursor.js';

export type Page<Item> = { items: Item[]; next_cursor: string | null };

/** `keysOf` gives the sort keys by which the list goes on after a row. */
export function pageOf<Row, Item>(
  rows: Row[],
  limit: number,
  keysOf: (row: Row) => string[],
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(present),
    next_cursor: last && rows.length > shown.length ? encodeCursor(keysOf(last)) : null,
  };
}
