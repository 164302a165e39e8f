import { expect, test, vi } from 'vitest';
import { retry, retryConflicts } from './retry.js';

test('an attempt is repeated after each pause until it returns something, and then no more', async () => {
  const attempt = vi.fn().mockResolvedValueOnce(null).mockResolvedValueOnce(false).mockResolvedValue('late');
  expect(await retry([1, 1, 1], attempt)).toBe(false);
  expect(attempt).toHaveBeenCalledTimes(2);
});

test('an attempt follows the pause before it', async () => {
  const began = performance.now();
  const pauses: number[] = [];
  await retry([40], async () => {
    pauses.push(performance.now() - began);
    return null;
  });
  expect(pauses[0]).toBeLessThan(40);
  // Timers have whole milliseconds.
  expect(pauses[1]).toBeGreaterThanOrEqual(39);
});

test('without success the last attempt follows the last pause', async () => {
  const attempt = vi.fn().mockResolvedValue(null);
  expect(await retry([0, 1], attempt)).toBeNull();
  expect(attempt).toHaveBeenCalledTimes(3);
});

test('a conflict at every try is answered 503 with its cause', async () => {
  const attempt = vi.fn().mockResolvedValue(null);
  const refusal = { code: 'request/unavailable', cause: 'it kept changing', headers: { 'Retry-After': '1' } };
  await expect(retryConflicts('it kept changing', attempt)).rejects.toMatchObject(refusal);
  expect(attempt).toHaveBeenCalledTimes(3);
});
