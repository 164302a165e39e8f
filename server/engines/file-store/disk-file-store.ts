// Files on a disk. A file is written under a temporary name, synced, then renamed, so that it appears atomically.
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type FileKey, type FileStore, orUnavailable } from './file-store.js';

const retrySeconds = 30;
const trying = <T>(work: () => Promise<T>) => orUnavailable(retrySeconds, work);

/** Creates a directory with its parents, and returns the first that it created. */
type MakeDirectory = (path: string, mode: number) => Promise<string | undefined>;

export function diskFileStore(directory: string, makeDirectory: MakeDirectory): FileStore {
  /** Sharded by the random end of the id, since its beginning is the time. */
  function pathOf({ appId, fileId }: FileKey): string {
    return join(directory, appId, fileId.slice(-2), fileId);
  }

  return {
    heldBytes: 0,
    async write(key, bytes) {
      const path = pathOf(key);
      const unfinished = unfinishedOf(path);
      const file = await trying(async () => {
        await makeFolder(makeDirectory, dirname(path));
        return open(unfinished, 'wx', 0o600);
      });
      try {
        await writeAll(file, bytes);
        await trying(async () => {
          await rename(unfinished, path);
          await makeDurable(dirname(path));
        });
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {});
        throw error;
      }
    },
    async open(key, { range }) {
      const file = await trying(() =>
        open(pathOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        }),
      );
      return file && { bytes: file.createReadStream(range ?? {}) };
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(unfinishedOf(path), { force: true });
      await rm(path, { force: true });
    },
  };
}

function unfinishedOf(path: string): string {
  return `${path}.part`;
}

async function writeAll(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of bytes) await trying(() => file.writeFile(chunk));
    // Flushed before the rename: otherwise, after a power failure, the name could lead to a file without its bytes.
    await trying(() => file.sync());
  } finally {
    await file.close().catch(() => {});
  }
}

/** Creates missing parent folders too. */
async function makeFolder(makeDirectory: MakeDirectory, folder: string): Promise<void> {
  const firstMade = await makeDirectory(folder, 0o700);
  if (firstMade === undefined) return;
  const existing = dirname(resolve(firstMade));
  for (let made = resolve(folder); made !== existing; made = dirname(made)) await makeDurable(dirname(made));
}

/** A file name is durable only after its folder is synced; Windows has no such operation. */
async function makeDurable(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
