// Waiting that always ends: with a timer of its own, because some platforms' `fetch` and storage never settle and ignore
// the abort signal.
import { FoyerError, isFoyerError } from './errors.js';

const longestTimerMs = 2 ** 31 - 1;

/** Settles as `run` does, but with `client/timeout` after `ms` and with `client/aborted` as soon as `outer` aborts. */
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
      () => stop(new FoyerError('client/timeout', 'No answer in time.')),
      Math.min(ms, longestTimerMs),
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

/** Settles as `work` does, unless `signal` aborts first; the work itself goes on for whoever else waits for it. */
export function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  work.catch(() => {}); // Whoever gave up no longer hears of its failure.
  return bounded(() => work, longestTimerMs, signal);
}

/** Waits; rejects with `client/aborted` when `signal` aborts before that. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await bounded(() => new Promise<never>(() => {}), ms, signal);
  } catch (error) {
    if (!isFoyerError(error, 'client/timeout')) throw error;
  }
}

export function abortedError(): FoyerError {
  return new FoyerError('client/aborted', 'Aborted.');
}
