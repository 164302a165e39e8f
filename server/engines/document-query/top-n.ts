// The first matches of a query in its order, found so far: one more than the page limit, or as many bytes as a page holds.
import { limits } from '@foyer/contract';
import { comparePositions, type Query, type SortPosition } from './query.js';

/** `rowVersion` is the xmin of the row that matched. */
export type Match = SortPosition & { bytes: number; rowVersion: string };

export type TopN = ReturnType<typeof topN>;

export function topN(query: Query) {
  const matches: Match[] = [];
  const ids = new Set<string>();
  let bytes = 0;

  const isFull = () => matches.length > query.limit || bytes >= limits.recordPageBytes;

  return {
    /** A record that a write moves ahead of the scan is found again: it remains where it was found first. */
    add(match: Match): void {
      const last = matches.at(-1);
      if (ids.has(match.id) || (last && isFull() && comparePositions(query, match, last) > 0)) return;
      matches.splice(insertionIndex(query, matches, match), 0, match);
      ids.add(match.id);
      bytes += match.bytes;
      for (let end = matches.at(-1); end; end = matches.at(-1)) {
        const needed = matches.length <= query.limit + 1 && bytes - end.bytes < limits.recordPageBytes;
        if (needed) return;
        matches.pop();
        ids.delete(end.id);
        bytes -= end.bytes;
      }
    },
    /** The last match, or null while another one fits after it. */
    worst: () => (isFull() ? (matches.at(-1) ?? null) : null),
    page: () => ({ matches: matches.slice(0, query.limit), more: isFull() }),
  };
}

/** Uses a binary search; positions are unique. */
function insertionIndex(query: Query, sorted: SortPosition[], position: SortPosition): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePositions(query, sorted[middle] as SortPosition, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
