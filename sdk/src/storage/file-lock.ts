// A lock between processes, of files in a folder. Each contender adds a file of its own and holds the lock if it then finds
// no other; a file is removed by its owner, or by others once it is stale. So no process removes the file of a later holder.
import { type Files, ifExists } from './file-system.js';

/** A holder shows that it is alive each second. One that has not for five seconds was killed, or hangs. */
const beatMs = 1_000;
const staleMs = 5_000;
const retryMs = 20;

/** Acquires the lock and returns the function that releases it; rejects when `signal` aborts first. */
export async function acquire(
  files: Files,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const prefix = `${name}~`;
  const own = prefix + Math.random().toString(36).slice(2);
  const path = `${folder}/${own}`;
  const seen = new Map<string, { beat: number; unchangedMs: number }>();
  let lookedAt = performance.now();

  async function isTaken(): Promise<boolean> {
    let taken = false;
    // Counts at most a beat: where the clock continues while the device sleeps, the holder has slept too.
    const now = performance.now();
    const passedMs = Math.min(now - lookedAt, beatMs);
    lookedAt = now;
    for (const other of await files.readdir(folder)) {
      if (!other.startsWith(prefix) || other === own) continue;
      const beat = (await ifExists(files.stat(`${folder}/${other}`)))?.mtimeMs;
      if (beat === undefined) continue;
      const last = seen.get(other);
      // The file's time is compared with its earlier one only, because the clock of the device may be set.
      const unchangedMs = last?.beat === beat ? last.unchangedMs + passedMs : 0;
      if (unchangedMs > staleMs) {
        await ifExists(files.unlink(`${folder}/${other}`));
        continue;
      }
      seen.set(other, { beat, unchangedMs });
      taken = true;
    }
    return taken;
  }

  while (!signal.aborted) {
    if (!(await isTaken())) {
      await files.writeFile(path, '', { flag: 'wx', mode: 0o600 });
      if (!signal.aborted && !(await isTaken())) {
        const timer = setInterval(() => {
          const now = new Date();
          // Without it the lock becomes stale, which is safe: the service repeats the response to a spent token.
          files.utimes(path, now, now).catch(() => {});
        }, beatMs);
        (timer as { unref?(): void }).unref?.();
        return async () => {
          clearInterval(timer);
          await ifExists(files.unlink(path));
        };
      }
      await ifExists(files.unlink(path));
    }
    // Contenders that met wait for different times.
    await new Promise((resolve) => setTimeout(resolve, retryMs * (1 + 2 * Math.random())));
  }
  throw signal.reason;
}
