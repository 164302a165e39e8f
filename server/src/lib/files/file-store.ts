// Where the bytes of files are: on a disk, or in an S3-compatible service. Which of them, the environment says.
import type { Readable } from 'node:stream';

/** Both are ids that the service made: nothing that a client sent is ever part of a path. */
export type FileKey = { appId: string; fileId: string };

export type FileStore = {
  /**
   * Takes the bytes as they come, holding no more than a part of them. Once it resolves they are durable; when it
   * rejects, with what `bytes` threw or with `request/unavailable`, nothing of them is found by `open`.
   */
  write(key: FileKey, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Null when there are no such bytes. */
  open(key: FileKey, as: OpenedAs): Promise<Opened | null>;
  /** Also of what a write left that was cut off. Nothing to remove is no failure. */
  remove(key: FileKey): Promise<void>;
};

export type OpenedAs = {
  range: { start: number; end: number } | null;
  contentType: string;
  disposition: string;
};

/** The bytes, or an address that opens them for a moment. */
export type Opened = { bytes: Readable } | { address: string };

/** `chosen`: the operator has named the directory. */
export type FileStoreOptions =
  | { kind: 'disk'; directory: string; chosen: boolean }
  | ({ kind: 's3' } & S3Options);

export type S3Options = {
  /** Where the service reaches it. */
  endpoint: string;
  /** Where the app's clients reach it. */
  publicEndpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket is a part of the path, not of the host's name. */
  pathStyle: boolean;
};
