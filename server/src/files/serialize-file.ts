// Serialization of a file.
import type { File } from '@foyer/contract';
import { timestamp } from '../lib/timestamp.js';
import { publicUrl } from './content-url.js';
import type { FileRow } from './store.js';

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
