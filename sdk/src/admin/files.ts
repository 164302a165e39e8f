// `admin.files`: the files of the app and its users.

import type { PageList, RepeatableCallOptions } from '../api.js';
import type { FileUrlOptions, UploadOptions } from '../files.js';
import type { FileQuery } from '../generated/admin-models.js';
import type { FileInfo, FileUrl } from '../generated/models.js';
import { type AdminCall, listPages } from './call.js';

export interface AdminFiles {
  /** All files, newest first. */
  list(query?: FileQuery, options?: RepeatableCallOptions): PageList<FileInfo>;
  /** Uploads a file without an owner. Not retried after a network failure. */
  upload(file: Blob, options?: UploadOptions): Promise<FileInfo>;
  /** Rejects with `files/not-found` when the file does not exist. */
  get(id: string, options?: RepeatableCallOptions): Promise<FileInfo>;
  /** Returns a temporary URL of the content. */
  url(id: string, options?: FileUrlOptions): Promise<FileUrl>;
  /** Deletes the file. All of its URLs stop working at once. */
  delete(id: string, options?: RepeatableCallOptions): Promise<void>;
}

/** @internal */
export function createAdminFiles(call: AdminCall, upload: AdminFiles['upload']): AdminFiles {
  return {
    list: (query, options) => listPages<FileInfo>(call, 'GET /admin/files', { query }, options),
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
