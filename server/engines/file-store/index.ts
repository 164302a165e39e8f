// The door of the engine: bytes under a key, on the disk or in S3. README.md says what it promises.
export { diskFileStore } from './disk-file-store.js';
export type { FileKey, FileStore, FileStoreOptions } from './file-store.js';

/** Loaded only where files are in S3. */
export const loadS3FileStore = () => import('./s3-file-store.js');
