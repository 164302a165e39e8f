// What each store of windows promises; memory-windows.test.ts has what bounded memory adds, and server/test/rate-limits-redis.test.ts
// what is shared by instances.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { windowStores } from '../../test/window-stores.js';
import type { Window, WindowStore } from './memory-windows.js';

const minute = 60_000;
const hour = 60 * minute;
const window = (key: string, limit = 1_000, windowMilliseconds = minute): Window => ({
  policy: 'client',
  key: `app ${key}`,
  limit,
  windowMilliseconds,
});

describe.each(windowStores)('windows $store', ({ isReachable, open }) => {
  let windows: WindowStore;
  beforeEach(async (context) => {
    if (!isReachable) return context.skip();
    windows = await open();
  });
  afterEach(() => windows?.close());

  /** What remains of a window after one more call; negative if the call is refused. */
  const left = async (counted: Window, now = 0) => (await windows.consume([counted], now)).remaining;
  const leftAfter = async (calls: number, counted: Window, now = 0) => {
    for (let call = 1; call < calls; call += 1) await left(counted, now);
    return left(counted, now);
  };

  test('a window counts from its first call, ends on the millisecond, and starts again', async () => {
    const consume = (now: number) => windows.consume([window('key', 2)], now);
    expect(await consume(1_000)).toEqual({ place: 0, remaining: 1, resetMilliseconds: minute });
    expect(await consume(1_000 + minute - 1)).toEqual({ place: 0, remaining: 0, resetMilliseconds: 1 });
    expect(await consume(1_000 + minute - 1)).toEqual({ place: 0, remaining: -1, resetMilliseconds: 1 });
    expect(await consume(1_000 + minute)).toEqual({ place: 0, remaining: 1, resetMilliseconds: minute });
  });

  test('a window ends when the clock steps back behind its start', async () => {
    const consume = (now: number) => windows.consume([window('key', 1)], now);
    await consume(hour);
    expect(await consume(hour)).toMatchObject({ remaining: -1 });
    expect(await windows.reached([window('key', 1)], hour - 1_000)).toEqual([0]);
    expect(await consume(hour - 1_000)).toEqual({ place: 0, remaining: 0, resetMilliseconds: minute });
  });

  test('a window that the app has shortened starts again, and is not reached', async () => {
    const ofDay = window('key', 1, 24 * hour);
    const ofMinute = window('key', 1, minute);
    expect(await left(ofDay)).toBe(0);
    expect(await left(ofDay)).toBe(-1);
    expect(await windows.reached([ofDay, ofMinute], 0)).toEqual([24 * hour, 0]);
    expect(await windows.consume([ofMinute], 0)).toMatchObject({ remaining: 0, resetMilliseconds: minute });
    expect(await left(ofMinute)).toBe(-1);
  });

  test('a call counts what it costs, is allowed if it begins below the limit, and is refunded whole', async () => {
    const costing = (cost: number): Window => ({ ...window('key', 10), cost });
    expect(await left(costing(4))).toBe(6);
    expect(await left(costing(9))).toBe(0);
    expect(await left(costing(1))).toBe(-1);
    await windows.refund([costing(9)], 0, 0);
    expect(await left(costing(1))).toBe(5);
  });

  test('a call that exceeds one of its windows is counted in none', async () => {
    const both = [window('narrow', 2), window('wide', 8)];
    for (let call = 0; call < 20; call += 1) await windows.consume(both, 0);
    expect(await windows.consume(both, 0)).toMatchObject({ place: 0, remaining: -1 });
    expect(await left(window('wide', 8))).toBe(5);
  });

  test('of windows at their limit the first is reported, else the one with the fewest remaining calls', async () => {
    await leftAfter(7, window('wide', 8));
    const both = [window('narrow', 2), window('wide', 8)];
    expect(await windows.consume(both, 0)).toMatchObject({ place: 1, remaining: 0 });
    await left(window('narrow', 2));
    expect(await windows.consume(both, 0)).toMatchObject({ place: 0, remaining: -1 });
    expect(await windows.consume(both.toReversed(), 0)).toMatchObject({ place: 0, remaining: -1 });
  });

  test('a refund counts in every window, never below zero, and not in a window that has ended or begun since', async () => {
    const both = [window('one'), window('two')];
    await windows.consume(both, 0);
    for (let refunds = 0; refunds < 5; refunds += 1) await windows.refund(both, 0, 0);
    expect(await left(window('one'))).toBe(999);
    expect(await left(window('two'))).toBe(999);
    await windows.refund(both, minute, 0);
    expect(await left(window('one'), minute)).toBe(999);
    await windows.refund(both, minute, minute / 2);
    expect(await left(window('one'), minute)).toBe(998);
  });

  test('calls at the same time count once each, and no more than the limit are allowed', async () => {
    const calls = Array.from({ length: 25 }, () => left(window('key', 10)));
    const remaining = (await Promise.all(calls)).filter((each) => each >= 0);
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, place) => place));
  });

  test('the windows that are reached are those at their limit, until they end', async () => {
    const [full, half, unused] = [window('full', 2), window('half', 2), window('unused', 2)];
    const all = [half, full, unused, { ...full, policy: 'other' }];
    await leftAfter(2, full, 1_000);
    await left(half, 1_000);
    expect(await windows.reached(all, 1_000)).toEqual([0, minute, 0, 0]);
    // A higher limit is not reached any more.
    expect(await windows.reached([window('full', 3)], 1_000)).toEqual([0]);
    expect(await windows.reached([], 1_000)).toEqual([]);
    // Nothing was counted by looking.
    expect(await left(half, 1_000)).toBe(0);
    expect(await windows.reached(all, minute + 999)).toEqual([1, 1, 0, 0]);
    expect(await windows.reached(all, minute + 1_000)).toEqual([0, 0, 0, 0]);
  });

  test('a window that is cleared starts again, and no other one does', async () => {
    const [one, other, ofOtherPolicy] = [window('one', 1), window('other', 1), window('one', 1)];
    ofOtherPolicy.policy = 'other';
    for (const each of [one, other, ofOtherPolicy]) await left(each);
    await windows.clear([one, window('unused')]);
    await windows.clear([]);
    expect(await windows.reached([one, other, ofOtherPolicy], 0)).toEqual([0, minute, minute]);
    expect(await windows.consume([one], 30_000)).toMatchObject({ remaining: 0, resetMilliseconds: minute });
    expect(await left(other)).toBe(-1);
    expect(await left(ofOtherPolicy)).toBe(-1);
  });

  describe('a draw', () => {
    const entry = {
      key: 'app ada',
      entrant: 'a',
      rank: 2 ** 52 - 1,
      slots: 1,
      period: 7,
      periodMilliseconds: 600_000,
    };
    const lower = { ...entry, entrant: 'b', rank: 2 ** 52 - 2 };

    test('takes the lowest rank of the period before, however often and in which order they ask', async () => {
      for (const each of [entry, lower, entry, lower]) expect(await windows.draw(each)).toBe(true);
      expect(await windows.draw({ ...entry, period: 8 })).toBe(false);
      expect(await windows.draw({ ...lower, period: 8 })).toBe(true);
      expect(await windows.draw({ ...entry, key: 'app grace', period: 8 })).toBe(true);
    });

    test('takes as many as there are slots', async () => {
      const third = { ...entry, entrant: 'c', rank: 2 ** 52 };
      for (const each of [third, entry, lower]) await windows.draw({ ...each, slots: 2 });
      const drawn: boolean[] = [];
      for (const each of [entry, lower, third])
        drawn.push(await windows.draw({ ...each, slots: 2, period: 8 }));
      expect(drawn).toEqual([true, true, false]);
    });

    test('takes anyone if nobody asked in the period before', async () => {
      await windows.draw(lower);
      expect(await windows.draw({ ...entry, period: 9 })).toBe(true);
      expect(await windows.draw({ ...entry, period: 6 })).toBe(true);
    });
  });
});
