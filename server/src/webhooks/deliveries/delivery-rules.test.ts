// The table of the retry schedule.
import { limits } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { classifyAttempt, errorOf } from './delivery-rules.js';

const now = new Date('2026-03-01T10:00:00.123Z');
const attempted = { result: { status: 500 }, step: 0, scheduled: true, urlChanged: false, now, chance: 0.5 };
const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

test('the schedule is the documented one', () => {
  expect(limits.webhookDelaySeconds).toEqual(
    [0, 5, 5 * 60, 30 * 60, 2 * 3_600, 5 * 3_600, 10 * 3_600, 14 * 3_600, 20 * 3_600, 24 * 3_600].map(Number),
  );
});

test.each(limits.webhookDelaySeconds.slice(1).map((seconds, step) => [step, seconds]))(
  'after failed attempt %i the next comes in %i seconds, give or take a tenth',
  (step, seconds) => {
    const at = (chance: number) => classifyAttempt({ ...attempted, step, chance });
    expect(at(0)).toEqual({ kind: 'retry', step: step + 1, at: after(seconds * 0.9) });
    expect(at(0.5)).toEqual({ kind: 'retry', step: step + 1, at: after(seconds) });
    expect(at(1)).toEqual({ kind: 'retry', step: step + 1, at: after(seconds * 1.1) });
  },
);

test('the last attempt of the schedule is not retried', () => {
  expect(classifyAttempt({ ...attempted, step: 8 }).kind).toBe('retry');
  expect(classifyAttempt({ ...attempted, step: 9 })).toEqual({ kind: 'failed', gone: false });
});

test('a test is not retried', () => {
  expect(classifyAttempt({ ...attempted, scheduled: false })).toEqual({ kind: 'failed', gone: false });
  expect(classifyAttempt({ ...attempted, scheduled: false, result: { status: 204 } })).toEqual({
    kind: 'succeeded',
  });
});

describe('an answer', () => {
  test.each([200, 201, 204, 299])('%i is a success', (status) => {
    expect(classifyAttempt({ ...attempted, result: { status } })).toEqual({ kind: 'succeeded' });
    expect(errorOf({ status })).toBeNull();
  });

  test.each([100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 409, 411, 429, 500, 503])(
    '%i is a failure, and the attempt is retried',
    (status) => {
      expect(classifyAttempt({ ...attempted, result: { status } }).kind).toBe('retry');
      expect(errorOf({ status })).toContain(`answered ${status}`);
    },
  );

  test('410 ends the delivery and the webhook', () => {
    expect(classifyAttempt({ ...attempted, result: { status: 410 } })).toEqual({
      kind: 'failed',
      gone: true,
    });
  });

  test('410 of a URL that has been replaced is an ordinary failure', () => {
    const verdict = classifyAttempt({ ...attempted, result: { status: 410 }, urlChanged: true });
    expect(verdict).toEqual({ kind: 'retry', step: 1, at: after(5) });
  });

  test('that is missing is a failure with its reason', () => {
    const result = { error: 'the connection failed (ECONNREFUSED)' };
    expect(classifyAttempt({ ...attempted, result }).kind).toBe('retry');
    expect(errorOf(result)).toBe(result.error);
  });
});
