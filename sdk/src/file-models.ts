// What the calls of `files(client)` give, as the service's contract has it.

export type FileVisibility = 'private' | 'public';

/** A file, without its bytes. */
export interface FileInfo {
  /** A ULID. */
  id: string;
  /** Without paths, and without characters that no name should have. */
  name: string;
  /** What the service recognised the bytes as. */
  content_type: string;
  /** In bytes. */
  size: number;
  /** Of the bytes, in hex. */
  sha256: string;
  visibility: FileVisibility;
  /** The lasting address of a public file. */
  public_url: string | null;
  /** `null` for a file that the app's backend uploaded. */
  owner_uid: string | null;
  created_at: string;
}

/** Where the bytes of a file are. */
export interface FileUrl {
  /** Opens the bytes until `expires_at`, without any header. */
  url: string;
  expires_at: string;
  public_url: string | null;
}
