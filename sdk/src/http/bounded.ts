// Time limits with their own timer, because `fetch` and storage of some platforms never settle and ignore the abort
// signal.
import { FoyerError } from '../errors.js';
import { stopwatch } from './stopwatch.js';

/** The longest time of a timer. */
export const maxTimerMs = 2 ** 31 - 1;

/** A function for each call in progress, which ends the call if its signal has aborted. */
const checks = new Set<() => unknown>();
/** The one listener of every signal. A signal takes it once for any number of calls: Node warns of the eleventh listener. */
const onAbort = () => {
  for (const check of checks) check();
};

export function abortedError(): FoyerError {
  return new FoyerError('client/aborted');
}

/** Settles as `run` does, with `client/timeout` after `ms`, or with `client/aborted` when `outer` aborts. */
export function bounded<T>(
  run: (signal: AbortSignal) => Promise<T>,
  ms: number,
  outer?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const stop = (error: FoyerError) => {
      end();
      reject(error);
      controller.abort();
    };
    const check = () => {
      if (!outer?.aborted) return false;
      stop(abortedError());
      return true;
    };
    const timer = setTimeout(
      () => stop(new FoyerError('client/timeout', 'No response in time.')),
      Math.min(ms, maxTimerMs),
    );
    const end = () => {
      clearTimeout(timer);
      checks.delete(check);
    };
    outer?.addEventListener('abort', onAbort);
    checks.add(check);
    if (!check()) run(controller.signal).then(resolve, reject).finally(end);
  });
}

/** Settles as `work` does unless `signal` aborts first; `work` itself continues for its other callers. */
export function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  work.catch(() => {}); // An aborted caller no longer receives the rejection.
  return bounded(() => work, maxTimerMs, signal);
}

/** Waits until `isDone`, which it asks every 10 ms, at most `ms`, or one timer more: those of a hidden page are late. */
export async function until(isDone: () => boolean, ms: number): Promise<void> {
  const elapsedMs = stopwatch();
  while (!isDone() && elapsedMs() < ms) await pause(10);
}

/** Resolves after `ms`, without keeping a Node process alive. */
export function idle(ms: number): Promise<void> {
  return new Promise((resolve) => {
    (setTimeout(resolve, ms) as { unref?(): void }).unref?.();
  });
}

/** Resolves after `ms`; rejects with `client/aborted` when `signal` aborts first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // The timer of the limit keeps the process alive meanwhile.
  return bounded(() => idle(ms), maxTimerMs, signal);
}
