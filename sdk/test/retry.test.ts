// The last time at which a request is retried.
import { afterEach, expect, test, vi } from 'vitest';
import { FoyerError } from '../src/errors.js';
import { wasDeleted, withRetries } from '../src/http/retry.js';
import { stopClock } from './harness.js';

afterEach(() => void vi.restoreAllMocks());

test.each([
  [0, 20_000, 2],
  [0, 20_001, 1],
  [5_000, 15_000, 2],
  [5_000, 15_001, 1],
])(
  'a request that is refused after %d ms, and may be repeated %d ms later, is sent %d times',
  async (answerMs, retryAfterMs, sends) => {
    stopClock();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    let sent = 0;
    const send = async () => {
      sent += 1;
      if (sent > 1) return;
      await new Promise((resolve) => setTimeout(resolve, answerMs));
      throw new FoyerError('request/rate-limited', '', { status: 429, retryAfterMs });
    };
    const call = withRetries({ emit() {} }, send, 2).catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    await call;
    expect(sent).toBe(sends);
  },
);

test.each([
  [0, [300, 600, 1_200]],
  [1, [450, 900, 1_800]],
])(
  'the delays of retries double, and grow by half at most by chance (%d): %j ms',
  async (chance, delaysMs) => {
    stopClock();
    vi.spyOn(Math, 'random').mockReturnValue(chance);
    const retries: unknown[] = [];
    const send = () => Promise.reject(new FoyerError('client/network'));
    const call = withRetries({ emit: (event) => retries.push(event) }, send, 3).catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    await call;
    expect(retries).toEqual(
      delaysMs.map((delayMs, index) => ({
        type: 'retry',
        code: 'client/network',
        attempt: index + 1,
        delayMs,
      })),
    );
  },
);

const failed = (status: number, code = 'any/code') => new FoyerError(code, '', { status });
const refused = failed(401, 'auth/invalid-token');
test.each([
  ['DELETE /files/:id', failed(404), failed(503), true],
  ['DELETE /files/:id', failed(404), failed(0), true],
  ['DELETE /files/:id', failed(404), undefined, false],
  ['DELETE /files/:id', failed(404), failed(429), false],
  ['DELETE /files/:id', refused, failed(0), false],
  ['GET /files/:id', failed(404), failed(0), false],
  ['DELETE /me', refused, failed(0), true],
  // The service has answered that it deleted nothing.
  ['DELETE /me', refused, failed(503), false],
  ['DELETE /me', failed(401, 'auth/requires-recent-login'), failed(0), false],
])('%s that is refused with %o after %o has had its effect: %s', (route, error, previous, isDeleted) => {
  expect(wasDeleted(route, error, previous)).toBe(isDeleted);
});
