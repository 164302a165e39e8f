import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { returnIdleMemory } from './idle-memory.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The collections in each interval of six seconds, given the utilization of the event loop in each. */
function collectionsIn(utilizations: number[]): number[] {
  let current = 0;
  const collect = vi.fn();
  const stop = returnIdleMemory({
    collect,
    utilization: () => ({ utilization: current, idle: 0, active: 0 }),
  });
  const counts = utilizations.map((utilization) => {
    current = utilization;
    collect.mockClear();
    vi.advanceTimersByTime(6_000);
    return collect.mock.calls.length;
  });
  stop();
  collect.mockClear();
  vi.advanceTimersByTime(60_000);
  expect(collect).not.toHaveBeenCalled();
  return counts;
}

describe('memory is collected', () => {
  test.each([
    ['twice after the start, and then no more', [0, 0.05, 0, 0], [1, 1, 0, 0]],
    ['never while the process works', [0.06, 1, 0.5], [0, 0, 0]],
    ['twice after each time of work', [0, 0.06, 0, 0, 0, 0.9, 0, 0, 0], [1, 0, 1, 1, 0, 0, 1, 1, 0]],
  ])('%s', (_name, utilizations, expected) => {
    expect(collectionsIn(utilizations)).toEqual(expected);
  });
});

test('the work of each interval is measured from the end of the one before, after its collection', () => {
  let measured = 0;
  const since: unknown[] = [];
  const stop = returnIdleMemory({
    collect() {
      measured += 100;
    },
    utilization(before) {
      since.push(before?.active);
      measured += 1;
      return { utilization: 0, idle: 0, active: measured };
    },
  });
  vi.advanceTimersByTime(12_000);
  stop();
  expect(since).toEqual([undefined, 1, undefined, 103, undefined]);
});

test('a full collection is possible without a flag of the command line, and is exposed to nobody else', () => {
  vi.useRealTimers();
  returnIdleMemory()();
  expect(globalThis).not.toHaveProperty('gc');
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
