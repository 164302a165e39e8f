// `admin.files`: the files of the app, also those of its users.

import type { PageList, RepeatableCallOptions } from '../api.js';
import type { FileUrlOptions, UploadOptions } from '../files.js';
import type { FileQuery } from '../generated/admin-models.js';
import type { FileInfo, FileUrl } from '../generated/models.js';
import type { Page } from '../models.js';
import { createPageList } from '../page-list.js';
import type { AdminCall } from './call.js';

export interface AdminFiles {
  /** Newest first. */
  list(query?: FileQuery, options?: RepeatableCallOptions): PageList<FileInfo>;
  /** Uploads a file that belongs to nobody. It is not repeated after a failure of the network. */
  upload(file: Blob, options?: UploadOptions): Promise<FileInfo>;
  get(id: string, options?: RepeatableCallOptions): Promise<FileInfo>;
  /** An address that opens the bytes for a while. */
  url(id: string, options?: FileUrlOptions): Promise<FileUrl>;
  /** Every address of the file is dead at once. */
  delete(id: string, options?: RepeatableCallOptions): Promise<void>;
}

/** @internal */
export function createAdminFiles(call: AdminCall, upload: AdminFiles['upload']): AdminFiles {
  return {
    list: (query, options) =>
      createPageList((page) => call<Page<FileInfo>>('GET /admin/files', { query: page }, options), query),
    upload,
    get: (id, options) => call<FileInfo>('GET /files/:id', { params: { id } }, options),
    url: (id, { expiresInSeconds, download, ...options } = {}) =>
      call<FileUrl>(
        'GET /files/:id/url',
        { params: { id }, query: { expires_in: expiresInSeconds, download } },
        options,
      ),
    delete: (id, options) => call<void>('DELETE /files/:id', { params: { id } }, options),
  };
}
