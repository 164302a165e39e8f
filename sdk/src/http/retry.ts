// When, after which delay and for how long a request is retried.
import { type FoyerError, isFoyerError } from '../errors.js';
import type { Sender } from '../session/core.js';
import { pause } from './bounded.js';
import { stopwatch } from './stopwatch.js';

/**
 * No retry starts later than this after the first attempt. The service repeats the response to a spent refresh token
 * for 30 seconds, so a retry with a time limit of 8 seconds still arrives in time.
 */
const lastSendStartsWithinMs = 20_000;

/** Runs `send` up to `maxRetries + 1` times. */
export async function withRetries<T>(
  { emit }: Pick<Sender, 'emit'>,
  send: (previous?: FoyerError) => Promise<T>,
  maxRetries: number,
  signal?: AbortSignal,
  when = isTransient,
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
 * True for transient failures: no response, a response not of the service, 408, 429 and 5xx. A query that exceeded the
 * service's time limit would exceed it again.
 */
export function isTransient({ code, status }: FoyerError): boolean {
  if (/query-timeout/.test(code)) return false;
  return /^client\/(network|timeout|bad)/.test(code) || /408|429|5../.test(status as never);
}

/** A retried DELETE answers 404 when the first attempt's response was lost; a 429 had no effect. */
export function wasDeleted(route: string, { status, code }: FoyerError, previous?: FoyerError): boolean {
  if (!previous || previous.status === 429 || !/^DELETE /.test(route)) return false;
  // The deletion of the account revokes the session.
  const isRevoked = route === 'DELETE /me' && !previous.status && code === 'auth/invalid-token';
  return isRevoked || status === 404;
}

/** `Retry-After`, or exponential backoff from 300 ms, with jitter. No delay after a timeout. */
function delayAfter({ code, retryAfterMs = 0 }: FoyerError, attempt: number): number {
  if (code === 'client/timeout') return 0;
  return Math.max(150 * 2 ** attempt, retryAfterMs) * (1 + Math.random() / 2);
}
