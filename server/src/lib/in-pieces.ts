// Many small pieces of synchronous work, with a turn of the event loop after every few milliseconds, so that other calls are
// answered meanwhile.
import type { Elapsed } from './elapsed.js';

const pieceMilliseconds = 10;

/** Maps the items in order. */
export async function mapInPieces<Item, Result>(
  elapsed: Elapsed,
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let began = elapsed();
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    if (elapsed() - began < pieceMilliseconds) continue;
    await new Promise((resolve) => setImmediate(resolve));
    began = elapsed();
  }
  return results;
}
