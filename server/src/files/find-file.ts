// Reading what is known of files: one, by whoever may see it, or those of an app, by its backend.
import { type File, Ulid } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, pageOf } from '../lib/page.js';
import type { App } from '../model/app.js';
import { serializeFile } from './present-file.js';
import { type FileRow, findFile, listFileRows, type Visibility } from './store.js';

/** Who asks: a user, the app's backend, or nobody in particular. */
export type Reader = { uid: string | null; backend: boolean };

/** What somebody may not see is not there. */
export async function fileFor(
  deps: Pick<Deps, 'query'>,
  app: App,
  reader: Reader,
  id: string,
): Promise<FileRow> {
  const file = await findFile(deps.query, app.id, id);
  const seen =
    file &&
    (reader.backend ||
      file.visibility === 'public' ||
      (file.ownerId !== null && file.ownerId === reader.uid));
  if (!seen) throw new ApiError('files/not-found');
  return file;
}

export async function listFiles(
  deps: Pick<Deps, 'query' | 'config'>,
  app: App,
  page: {
    limit: number;
    cursor?: string | undefined;
    ownerId?: string | undefined;
    visibility?: Visibility | undefined;
  },
): Promise<Page<File>> {
  const beforeId = page.cursor === undefined ? null : decodeCursor(page.cursor, Ulid)[0];
  const rows = await listFileRows(deps.query, app.id, {
    limit: page.limit + 1,
    beforeId,
    ownerId: page.ownerId ?? null,
    visibility: page.visibility ?? null,
  });
  return pageOf(
    rows,
    page.limit,
    ({ id }) => [id],
    (file) => serializeFile(deps.config.baseUrl, file),
  );
}
