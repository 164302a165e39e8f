// Reads the metadata of one file, or lists those of an app; serialized as in the contract.
import { type File, Ulid } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import type { App } from '../model/app.js';
import { publicUrl } from './content-url.js';
import { type FileFilters, type FileRow, findFile, listFileRows } from './store.js';

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
  filters: FileFilters,
  { limit, cursor }: PageInput,
): Promise<Page<File>> {
  const [beforeId] = cursor === undefined ? [] : decodeCursor(cursor, Ulid);
  const rows = await listFileRows(deps.query, app.id, filters, beforeId, limit + 1);
  const serialize = (file: FileRow) => serializeFile(deps.config.baseUrl, file);
  return pageOf(rows, limit, ({ id }) => [id], serialize);
}

export function serializeFile(baseUrl: string, file: FileRow): File {
  return {
    id: file.id,
    name: file.name,
    content_type: file.contentType,
    size: file.size,
    sha256: Buffer.from(file.sha256).toString('hex'),
    visibility: file.visibility,
    public_url: publicUrl(baseUrl, file),
    owner_uid: file.ownerId,
    created_at: timestamp(file.createdAt),
  };
}
