// Turns between instances that share a storage: those of this process always, other tabs and processes where the storage
// has a lock. A lock that is not granted in time, or breaks, is done without and never stolen: going on is safe, because
// the service answers a token again that is sent again within 30 seconds; hanging is not.
import type { Emit } from './events.js';
import type { TokenStorage } from './storage.js';

const lockWaitMs = 15_000;

const lastTurn = new WeakMap<TokenStorage, Promise<unknown>>();

/** Runs `work` once, alone if that can be had within 15 seconds, and settles as `work` does. */
export function withLock<T>(
  storage: TokenStorage,
  name: string,
  work: () => Promise<T>,
  emit: Emit,
): Promise<T> {
  const previous = lastTurn.get(storage) ?? Promise.resolve();
  const result = new Promise<T>((resolve, reject) => {
    const waiting = new AbortController();
    let outcome: Promise<T> | undefined;
    // A lock granted after the deadline finds the work begun, and must not begin it again.
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
    const takeTurn = async () => {
      if (outcome) return;
      if (storage.lock) await storage.lock(name, begin, { signal: waiting.signal });
      else await begin();
    };
    previous.then(takeTurn).then(beginWithout, beginWithout);
  });
  lastTurn.set(
    storage,
    result.catch(() => {}),
  );
  return result;
}
