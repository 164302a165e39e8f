// Reads the metadata of one file, or lists those of an app; serialized as in the contract.
import { type File, Ulid } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import type { App } from '../model/app.js';
import { actsForApp, type Call } from '../model/call.js';
import { toWire } from '../model/wire.js';
import { type FileRow, shownOfFile } from './columns.js';
import { publicUrl } from './content-url.js';
import { type FileFilters, findFile, listFileRows } from './store.js';

/** A file that the caller may not read is `files/not-found`. */
export async function findReadableFile(
  deps: Pick<Deps, 'query'>,
  call: Pick<Call, 'app' | 'uid' | 'secretKey' | 'member'>,
  id: string,
): Promise<FileRow> {
  const file = await findFile(deps.query, call.app.id, id);
  const isReadable =
    file &&
    (actsForApp(call) ||
      file.visibility === 'public' ||
      (file.ownerId !== null && file.ownerId === call.uid));
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
  const rows = await listFileRows(deps.query, app.id, { ...filters, beforeId, maxRows: limit + 1 });
  const serialize = (file: FileRow) => serializeFile(deps.config.baseUrl, file);
  return pageOf(rows, limit, ({ id }) => [id], serialize);
}

export function serializeFile(baseUrl: string, file: FileRow): File {
  return {
    ...toWire(file, shownOfFile),
    sha256: Buffer.from(file.sha256).toString('hex'),
    public_url: publicUrl(baseUrl, file),
    owner_uid: file.ownerId,
  };
}
