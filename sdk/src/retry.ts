// When a request may be sent again, after how long, and until when.
import { pause } from './bounded.js';
import { type FoyerError, isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import { stopwatch } from './stopwatch.js';

/**
 * No repeat starts later than this after the first send. A spent refresh token is answered again for 30 seconds, so a
 * repeat with a time limit of 8 seconds still comes in time; and nobody waits for a service that wants to be left
 * alone.
 */
const lastSendStartsWithinMs = 20_000;

/** Runs `send` up to `maxRetries + 1` times. */
export async function withRetries<T>(
  send: (previous?: FoyerError) => Promise<T>,
  {
    maxRetries,
    signal,
    emit,
    when = mayPass,
  }: {
    maxRetries: number;
    signal?: AbortSignal | undefined;
    emit: Emit;
    when?: ((error: FoyerError) => boolean) | undefined;
  },
): Promise<T> {
  const elapsedMs = stopwatch();
  let previous: FoyerError | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(previous);
    } catch (error) {
      if (attempt > maxRetries || !isFoyerError(error) || !when(error)) throw error;
      const delayMs = delayAfter(error, attempt);
      if (elapsedMs() + delayMs > lastSendStartsWithinMs) throw error;
      emit({ type: 'retry', code: error.code, attempt, delayMs });
      await pause(delayMs, signal);
      previous = error;
    }
  }
}

/**
 * True for failures that may pass by themselves: no answer, an answer not of the service, 408, 429 and 5xx. A list or
 * query that was too dear for the service's time limit is as dear the next time.
 */
export function mayPass({ code, status }: FoyerError): boolean {
  if (code.endsWith('/query-timeout')) return false;
  return /^client\/(network|timeout|bad)/.test(code) || /408|429|5../.test(`${status}`);
}

/** A DELETE finds nothing the second time where the first answer was lost on its way; a 429 did nothing. */
export function wasDeleted(route: string, error: unknown, previous: FoyerError | undefined): boolean {
  if (!previous || previous.status === 429) return false;
  return /^DELETE /.test(route) && isFoyerError(error) && error.status === 404;
}

/** The service's own wish, else growing from 300 ms; jitter spreads the herd. After a timeout time enough passed. */
function delayAfter({ code, retryAfterMs = 0 }: FoyerError, attempt: number): number {
  if (code === 'client/timeout') return 0;
  return Math.max(150 * 2 ** attempt, retryAfterMs) * (1 + Math.random() / 2);
}
