// When a request may be sent again, after how long, and until when.
import { pause } from './bounded.js';
import { type FoyerError, isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import { stopwatch } from './stopwatch.js';

/**
 * No repeat starts later than this after the first send. A spent refresh token is answered again for 30 seconds, so a
 * repeat with a time limit of 8 seconds still comes in time; and nobody waits for a service that wants to be left alone.
 */
const lastSendStartsWithinMs = 20_000;

/** Runs `send` up to `maxRetries + 1` times. */
export async function withRetries<T>(
  send: (previous?: FoyerError) => Promise<T>,
  { maxRetries, signal, emit }: { maxRetries: number; signal?: AbortSignal | undefined; emit: Emit },
): Promise<T> {
  const elapsedMs = stopwatch();
  let previous: FoyerError | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(previous);
    } catch (error) {
      if (attempt > maxRetries || !isFoyerError(error) || !mayPass(error)) throw error;
      const delayMs = delayAfter(error, attempt);
      if (elapsedMs() + delayMs > lastSendStartsWithinMs) throw error;
      emit({ type: 'retry', code: error.code, attempt, delayMs });
      await pause(delayMs, signal);
      previous = error;
    }
  }
}

/** True for failures that may pass by themselves: no answer, an answer not of the service, 408, 429 and 5xx. */
function mayPass({ code, status }: FoyerError): boolean {
  return /^client\/(network|timeout|bad)/.test(code) || status === 408 || status === 429 || status >= 500;
}

/** The service's own wish, else growing from 300 ms; jitter spreads the herd. After a timeout time enough passed. */
function delayAfter({ code, retryAfterMs = 0 }: FoyerError, attempt: number): number {
  if (code === 'client/timeout') return 0;
  return Math.max(150 * 2 ** attempt, retryAfterMs) * (1 + Math.random() / 2);
}
