// The storage of command lines and desktop programs: files that only the user can read.
import type { TokenStorage } from '../session/storage.js';
import { acquire } from './file-lock.js';
import { ifExists, node } from './file-system.js';

const watchMs = 250;

/**
 * Stores the session in files of a folder, for command lines and desktop programs on Node 20.16 or newer. The folder is created
 * where it is missing. Only the user can read the files (mode 0600); one that others can read is refused, except on Windows,
 * where the folder's access list applies. Writes are atomic and durable. Processes that share the folder serialize their
 * refreshes; a holder of the lock that was killed is skipped after five seconds. The folder must be on a local disk.
 *
 * @example
 * const storage = fileStorage(join(homedir(), '.config', 'my-cli'));
 */
export function fileStorage(folder: string): TokenStorage {
  const { promises: files, watchFile, unwatchFile, isWindows } = node();
  const path = (key: string) => {
    if (!/^[\w.-]+$/.test(key)) throw new Error(`Invalid key: ${key}`);
    return `${folder}/${key}.json`;
  };
  const create = () => files.mkdir(folder, { recursive: true, mode: 0o700 });

  /**
   * Makes renamed and removed names durable: after a power failure the former refresh token, which is spent, would be read again,
   * and end the session. No test shows this, nor `flush` below: a killed process loses nothing that the kernel has.
   */
  async function syncFolder(): Promise<void> {
    // Windows has no such operation.
    if (isWindows) return;
    const handle = await files.open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  }

  return {
    async get(key) {
      const handle = await ifExists(files.open(path(key), 'r'));
      if (!handle) return null;
      try {
        if (!isWindows && (await handle.stat()).mode & 0o077)
          throw new Error(`Other users can access ${path(key)}: remove it, or run chmod 600 on it.`);
        return await handle.readFile('utf8');
      } finally {
        await handle.close();
      }
    },

    async set(key, value) {
      const next = `${path(key)}~${Math.random().toString(36).slice(2)}`;
      await create();
      try {
        await files.writeFile(next, value, { flag: 'wx', mode: 0o600, flush: true });
        await files.rename(next, path(key));
      } catch (error) {
        // A failing clean-up must not hide the cause.
        await files.unlink(next).catch(() => {});
        throw error;
      }
      await syncFolder();
    },

    async remove(key) {
      await ifExists(files.unlink(path(key)));
      const names = await ifExists(files.readdir(folder));
      if (!names) return;
      // These are left by processes that were killed while writing.
      for (const name of names) {
        if (name.startsWith(`${key}.json~`)) await ifExists(files.unlink(`${folder}/${name}`));
      }
      await syncFolder();
    },

    async lock(name, run, { signal }) {
      path(name);
      await create();
      const release = await acquire(files, folder, name, signal);
      try {
        return await run();
      } finally {
        await release();
      }
    },

    subscribe(key, onChange) {
      const watched = path(key);
      // The first call says only that there is no file.
      const listener = (now: { ino: number; mtimeMs: number }, before: typeof now) => {
        if (now.ino !== before.ino || now.mtimeMs !== before.mtimeMs) onChange();
      };
      // Asks for the file's state, because notifications of the operating system are limited and differ.
      // Deno ignores `persistent`.
      watchFile(watched, { persistent: false, interval: watchMs }, listener).unref?.();
      return () => unwatchFile(watched, listener);
    },
  };
}
