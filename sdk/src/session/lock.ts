// Serializes instances that share a storage: always within this process, across tabs and processes where the storage
// has a lock. A lock that is not granted in time, or fails, is skipped and never stolen: continuing is safe, because
// the service accepts a spent refresh token again for 30 seconds; hanging is not.
import type { Core } from './core.js';
import type { TokenStorage } from './storage.js';

const lockWaitMs = 15_000;

/** The last run of each lock name. */
const lastRuns = new WeakMap<TokenStorage, Record<string, Promise<unknown>>>();

/** Runs `work` once, exclusively if the lock is granted within 15 seconds, and settles as `work` does. */
export function withLock<T>(
  { tokenStorage: storage, emit, storageKey }: Core,
  work: () => Promise<T>,
  name = storageKey,
): Promise<T> {
  const runs = lastRuns.get(storage) ?? {};
  lastRuns.set(storage, runs);
  const result = new Promise<T>((resolve, reject) => {
    const waiting = new AbortController();
    let outcome: Promise<T> | undefined;
    // A lock granted after the deadline must not start the work again.
    const begin = () => {
      clearTimeout(timer);
      outcome ??= work();
      outcome.then(resolve, reject);
      return outcome;
    };
    const beginWithout = () => {
      if (outcome) return;
      emit({ type: 'lock-missed' });
      begin();
      waiting.abort();
    };
    const timer = setTimeout(beginWithout, lockWaitMs);
    const acquire = () => outcome ?? storage.lock?.(name, begin, { signal: waiting.signal }) ?? begin();
    Promise.resolve(runs[name]).then(acquire).then(beginWithout, beginWithout);
  });
  runs[name] = result.catch(() => {});
  return result;
}
