// Lists the collections of an app by name.
import { type Collection, CollectionName } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { serializeCollection } from './collection.js';
import { listCollectionRows } from './store.js';

export async function listCollections(
  deps: Pick<Deps, 'query'>,
  appId: string,
  page: PageInput,
): Promise<Page<Collection>> {
  const [after] = page.cursor === undefined ? [''] : decodeCursor(page.cursor, CollectionName);
  const rows = await listCollectionRows(deps.query, appId, after, page.limit + 1);
  return pageOf(rows, page.limit, ({ name }) => [name], serializeCollection);
}
