// Creates a directory and its missing parents. Node's recursive `mkdir` never ends where a file system has no directory and
// allows none, as in /proc, and keeps a core busy meanwhile.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Returns the first directory that it created, like `mkdir`. */
export async function makeDirectory(path: string, mode: number): Promise<string | undefined> {
  const full = resolve(path);
  if (await isDirectory(full)) return undefined;
  const parent = dirname(full);
  const first = parent === full ? undefined : await makeDirectory(parent, mode);
  try {
    await mkdir(full, { mode });
  } catch (error) {
    // Another process has created it since.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isDirectory(full))) throw error;
    return first;
  }
  return first ?? full;
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
