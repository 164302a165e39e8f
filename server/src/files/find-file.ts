// Reads the metadata of one file, or lists those of an app.
import { type File, Ulid } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, pageOf } from '../lib/page.js';
import type { App } from '../model/app.js';
import { serializeFile } from './serialize-file.js';
import { type FileRow, findFile, listFileRows, type Visibility } from './store.js';

/** The caller: a user, the app's backend, or neither. */
export type Reader = { uid: string | null; backend: boolean };

/** A file that the caller may not read is `files/not-found`. */
export async function findReadableFile(
  deps: Pick<Deps, 'query'>,
  app: App,
  reader: Reader,
  id: string,
): Promise<FileRow> {
  const file = await findFile(deps.query, app.id, id);
  const isReadable =
    file &&
    (reader.backend ||
      file.visibility === 'public' ||
      (file.ownerId !== null && file.ownerId === reader.uid));
  if (!isReadable) throw new ApiError('files/not-found');
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
