// The used subset of Node's file system. It is loaded at run time, so that bundlers for browsers do not look for it.

interface FileHandle {
  stat(): Promise<{ mode: number }>;
  readFile(encoding: 'utf8'): Promise<string>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  open(path: string, flags: string): Promise<FileHandle>;
  /** With `flush`, resolves once the text is durable. */
  writeFile(
    path: string,
    text: string,
    options: { flag: 'wx'; mode: number; flush?: boolean },
  ): Promise<void>;
  stat(path: string): Promise<{ mtimeMs: number }>;
  readdir(path: string): Promise<string[]>;
  mkdir(path: string, options: { recursive: true; mode: number }): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  utimes(path: string, accessed: Date, modified: Date): Promise<void>;
}

type Watcher = (now: Version, before: Version) => void;
interface Version {
  ino: number;
  mtimeMs: number;
}

interface FileSystem {
  promises: Files;
  watchFile(
    path: string,
    options: { persistent: false; interval: number },
    onChange: Watcher,
  ): { unref?(): void };
  unwatchFile(path: string, onChange: Watcher): void;
}

interface Process {
  platform: string;
  getBuiltinModule?(name: 'node:fs'): FileSystem;
}

/** Node's process and file system; throws elsewhere. */
export function node(): FileSystem & { isWindows: boolean } {
  const { process } = globalThis as { process?: Process };
  const fileSystem = process?.getBuiltinModule?.('node:fs');
  if (!fileSystem) throw new Error('fileStorage requires Node 20.16 or newer.');
  const isWindows = process?.platform === 'win32';
  const { promises } = fileSystem;
  if (!isWindows) return { ...fileSystem, isWindows };
  const { open, rename, unlink } = promises;
  const patient = { open: patiently(open), rename: patiently(rename), unlink: patiently(unlink) };
  return { ...fileSystem, promises: { ...promises, ...patient }, isWindows };
}

/**
 * Windows refuses to replace, open or remove a file while another program, such as a virus scanner, has it open, which takes
 * milliseconds. Two seconds are less than the time limit of a storage operation.
 */
function patiently<Given extends unknown[], T>(operation: (...given: Given) => Promise<T>) {
  return async (...given: Given): Promise<T> => {
    for (let waits = 40; ; waits -= 1) {
      try {
        return await operation(...given);
      } catch (error) {
        if (!waits || !/PERM|ACCES|BUSY/.test((error as { code: string }).code)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
}

/** Runs an operation on a file; `undefined` when there is none. */
export async function ifExists<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}
