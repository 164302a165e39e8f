// Paginated lists that fetch pages on demand.
import type { PageList } from './api.js';
import type { PageQuery } from './generated/models.js';
import type { Page } from './models.js';

/** `read` fetches the page at a cursor. The first page is fetched once and shared. */
export function createPageList<T>(
  read: (query: PageQuery) => Promise<Page<T>>,
  query: PageQuery = {},
): PageList<T> {
  let first: Promise<Page<T>> | undefined;
  const firstPage = () => (first ??= read(query));

  async function* items() {
    let page = await firstPage();
    for (;;) {
      yield* page.items;
      if (page.next_cursor === null) return;
      page = await read({ ...query, cursor: page.next_cursor });
    }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page.
    then: (resolve, reject) => firstPage().then(resolve, reject),
    [Symbol.asyncIterator]: items,
    async toArray({ limit }) {
      const taken: T[] = [];
      if (limit >= 1) {
        for await (const item of items()) if (taken.push(item) >= limit) break;
      }
      return taken;
    },
  };
}
