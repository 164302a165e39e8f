// Paginated lists that fetch pages on demand.
import type { PageList } from '../api.js';
import type { PageQuery } from '../generated/models.js';
import { badResponse } from '../http/envelope.js';
import type { Page } from '../models.js';
import { signedOutError } from '../session/session.js';

/**
 * `read` fetches the page at a cursor. The first page is fetched once and shared, unless that fails. `owner` resolves with the
 * user who would receive a page: no other receives it.
 */
export function createPageList<T>(
  read: (query: PageQuery) => Promise<Page<T>>,
  query: PageQuery = {},
  owner: () => unknown = () => {},
): PageList<T> {
  let first: Promise<Page<T>> | undefined;
  let ownerOfFirst: unknown;
  const readFirst = async () => {
    ownerOfFirst = await owner();
    return read(query);
  };
  const pageAt = async (cursor?: string | null) => {
    first ??= readFirst().catch((error) => {
      first = undefined;
      throw error;
    });
    const page = await (cursor ? read({ ...query, cursor }) : first);
    if ((await owner()) !== ownerOfFirst) throw signedOutError();
    return page;
  };

  async function* items() {
    const cursors = new Set<unknown>();
    let cursor: string | null | undefined;
    do {
      const page = await pageAt(cursor);
      yield* page.items;
      cursor = page.next_cursor;
      // A cache that ignores the query returns the same page for ever.
      if (cursors.has(cursor)) throw badResponse();
      cursors.add(cursor);
    } while (cursor);
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page.
    then: (resolve, reject) => pageAt().then(resolve, reject),
    // Hermes has no such symbol; what `for await` is compiled to looks for this name instead.
    [Symbol.asyncIterator ?? '@@asyncIterator']: items,
    async toArray({ limit }) {
      const taken: T[] = [];
      if (limit >= 1) {
        for await (const item of items()) if (taken.push(item) >= limit) break;
      }
      return taken;
    },
  };
}
