// The best places of a query that were met so far: as many as a page holds and one more, or as many bytes.
import { limits } from '@foyer/contract';
import { comparePlaces, type Place, type Query } from './query.js';

/** With its size, and the mark of the very row that was met. */
export type Met = Place & { bytes: number; seen: string };

export type BestPlaces = {
  add(met: Met): void;
  /** The last of them, once there is no room for a place after it. */
  worst(): Met | null;
  page(): { places: Met[]; more: boolean };
};

export function bestPlaces(query: Query): BestPlaces {
  const places: Met[] = [];
  let bytes = 0;

  const isFull = () => places.length > query.limit || bytes >= limits.recordPageBytes;

  return {
    add(met) {
      const last = places.at(-1);
      if (last && isFull() && comparePlaces(query, met, last) > 0) return;
      places.splice(indexFor(query, places, met), 0, met);
      bytes += met.bytes;
      for (let end = places.at(-1); end; end = places.at(-1)) {
        const needed = places.length <= query.limit + 1 && bytes - end.bytes < limits.recordPageBytes;
        if (needed) return;
        places.pop();
        bytes -= end.bytes;
      }
    },
    worst: () => (isFull() ? (places.at(-1) ?? null) : null),
    page: () => ({ places: places.slice(0, query.limit), more: isFull() }),
  };
}

/** Where it belongs; no two places are equal. */
function indexFor(query: Query, places: Place[], place: Place): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePlaces(query, places[middle] as Place, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
