// Translates operating system errors on the data directory into messages with advice.
import { resolve } from 'node:path';

const advice: Record<string, string> = {
  EACCES: 'this user may not write there; change the owner or the permissions, or choose another DATA_DIR',
  EPERM: 'this user may not write there; change the owner or the permissions, or choose another DATA_DIR',
  EROFS: 'the file system is mounted read-only; mount it writable, or choose another DATA_DIR',
  ENOSPC: 'the disk is full; free some space, then start again',
  EDQUOT: "the user's disk quota is used up; free some space, then start again",
  ENOTDIR: 'a part of this path is a file and not a directory; choose another DATA_DIR',
  ENOENT: 'no directory can be created there (a file system like /proc has none); choose another DATA_DIR',
  EEXIST: 'there is a file of this name where a directory is needed; choose another DATA_DIR',
  EISDIR: 'there is a directory where a file is needed; choose another DATA_DIR',
  ENAMETOOLONG: 'the path is too long; choose a shorter DATA_DIR',
  EMFILE: 'this process may open no more files; raise the limit (ulimit -n)',
  EIO: 'the disk reports an input/output error; check the disk',
};

/** Returns other errors unchanged. */
export function dataDirError(dataDir: string, error: unknown): unknown {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const sentence = syscall === undefined ? undefined : advice[code ?? ''];
  if (sentence === undefined) return error;
  return new Error(`the data directory ${resolve(dataDir)} cannot be used (${code}): ${sentence}`, {
    cause: error,
  });
}
