// Time limits with their own timer, because `fetch` and storage of some platforms never settle and ignore the abort
// signal.
import { FoyerError } from './errors.js';
import { stopwatch } from './stopwatch.js';

/** The longest time of a timer. */
export const maxTimerMs = 2 ** 31 - 1;
const pollMs = 10;

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
    const onAbort = () => stop(abortedError());
    const timer = setTimeout(
      () => stop(new FoyerError('client/timeout', 'Timed out.')),
      Math.min(ms, maxTimerMs),
    );
    const end = () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
    };
    if (outer?.aborted) return onAbort();
    outer?.addEventListener('abort', onAbort);
    run(controller.signal).then(resolve, reject).finally(end);
  });
}

/** Settles as `work` does unless `signal` aborts first; `work` itself continues for its other callers. */
export function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  work.catch(() => {}); // An aborted caller no longer receives the rejection.
  return bounded(() => work, maxTimerMs, signal);
}

/** Waits until `isDone`, at most `ms`, or one timer more: those of a hidden page are late. */
export async function until(isDone: () => boolean, ms: number): Promise<void> {
  const elapsedMs = stopwatch();
  while (!isDone() && elapsedMs() < ms) await pause(pollMs);
}

/** Resolves after `ms`, or after the longest time of a timer, without keeping a Node process alive. */
export function idle(ms: number): Promise<void> {
  return new Promise((resolve) => {
    (setTimeout(resolve, Math.min(ms, maxTimerMs)) as { unref?(): void }).unref?.();
  });
}

/** Resolves after `ms`; rejects with `client/aborted` when `signal` aborts first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // The timer of the limit keeps the process alive meanwhile.
  return bounded(() => idle(ms), maxTimerMs, signal);
}

export function abortedError(): FoyerError {
  return new FoyerError('client/aborted', 'Aborted.');
}
