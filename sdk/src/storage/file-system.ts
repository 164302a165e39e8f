// The used subset of Node's file system. It is loaded at run time, so that bundlers for browsers do not look for it.

import { stopwatch } from '../http/stopwatch.js';

/** Shorter than the time limit of a storage operation. */
const heldMs = 2_000;

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
  return { ...fileSystem, promises: isWindows ? patient(promises) : promises, isWindows };
}

/**
 * Windows refuses to replace, open or remove a file while another program, such as a virus scanner, has it open, which takes
 * milliseconds.
 */
function patient(files: Files): Files {
  return {
    ...files,
    open: (...given) => untilClosed(() => files.open(...given)),
    rename: (...given) => untilClosed(() => files.rename(...given)),
    unlink: (...given) => untilClosed(() => files.unlink(...given)),
  };
}

async function untilClosed<T>(operation: () => Promise<T>): Promise<T> {
  const passedMs = stopwatch();
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (!/^E(PERM|ACCES|BUSY)$/.test(String(code)) || passedMs() > heldMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20 + 80 * Math.random()));
  }
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
