// When the keys are read for a token that names an unknown one. Over HTTP: access-token.test.ts and signing-keys.test.ts.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { manualClock } from '../../test/harness.js';
import { reloadForKey } from './unknown-key.js';

const now = 10_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A look-up with keys that are read at once. */
function lookUp() {
  const known = new Set<string>();
  const state = { reads: 0, readAt: Number.NEGATIVE_INFINITY, inProgress: Promise.resolve() };
  const find = reloadForKey(
    { now: () => new Date(now) },
    {
      isKnown: (header) => known.has(header),
      readAt: () => state.readAt,
      settled: () => state.inProgress,
      read: async () => {
        state.reads += 1;
      },
    },
  );
  return { find, known, state };
}

/** All that can go on without a timer. */
async function rest(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
}

test('a query in progress is waited for, and the next one begins a second after it began', async () => {
  const { find, state } = lookUp();
  let end = () => {};
  state.inProgress = new Promise<void>((resolve) => {
    end = resolve;
  });
  const found = find('made up');
  state.readAt = now - 1;
  end();
  await rest();
  vi.advanceTimersByTime(998);
  await rest();
  expect(state.reads).toBe(0);
  vi.advanceTimersByTime(1);
  await found;
  expect(state.reads).toBe(1);
});

test('calls that come before the query begins share it', async () => {
  const { find, state } = lookUp();
  state.readAt = now;
  const first = find('made up');
  await rest();
  let end = () => {};
  state.inProgress = new Promise<void>((resolve) => {
    end = resolve;
  });
  vi.advanceTimersByTime(1_000);
  await rest();
  const second = find('made up, too');
  end();
  await Promise.all([first, second]);
  expect(state.reads).toBe(1);
});

test('calls that were answered make room for others', async () => {
  const { find, state } = lookUp();
  for (let place = 0; place < 1_001; place += 1) await find(`made up, no. ${place}`);
  expect(state.reads).toBe(1_001);
});

test('of the keys that were not found, the last ten thousand are not looked up again', async () => {
  const { find, state } = lookUp();
  for (let place = 0; place < 10_001; place += 1) await find(`made up, no. ${place}`);
  expect(state.reads).toBe(10_001);
  for (let place = 1; place < 10_001; place += 1) await find(`made up, no. ${place}`);
  expect(state.reads).toBe(10_001);
  await find('made up, no. 0');
  expect(state.reads).toBe(10_002);
});

test('a key that was found is looked up again once it is gone', async () => {
  const { find, known, state } = lookUp();
  known.add('of another instance');
  await find('of another instance');
  known.clear();
  await find('of another instance');
  expect(state.reads).toBe(2);
});

/** The last query was so many milliseconds ago; no key is found. */
function keysReadAgo(milliseconds: number) {
  const clock = manualClock();
  const readAt = clock.now().getTime() - milliseconds;
  const read = vi.fn(async () => {});
  const reload = reloadForKey(clock, {
    isKnown: () => false,
    readAt: () => readAt,
    settled: async () => {},
    read,
  });
  return { reload, read };
}

describe('the next query', () => {
  test.each([
    ['in the same millisecond', 0, 1_000],
    ['a moment ago', 1, 999],
    ['almost a second ago', 999, 1],
  ])('waits until a second after the last one, %s', async (_, ago, wait) => {
    const { reload, read } = keysReadAgo(ago);
    const reloaded = reload('a header');
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(read).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(read).toHaveBeenCalledOnce();
    await reloaded;
  });

  test.each([
    ['a second after the last one', 1_000],
    ['once the clock has stepped back', -60_000],
  ])('is made at once %s', async (_, ago) => {
    const { reload, read } = keysReadAgo(ago);
    const reloaded = reload('a header');
    await vi.advanceTimersByTimeAsync(0);
    expect(read).toHaveBeenCalledOnce();
    await reloaded;
  });
});
