// What bounded memory adds to the promises of window-stores.test.ts.
import { describe, expect, test } from 'vitest';
import { memoryWindows, type Window, type WindowStore } from './memory-windows.js';

const minute = 60_000;
const window = (key: string, limit = 1_000, policy = 'client'): Window => ({
  policy,
  key,
  limit,
  windowMilliseconds: minute,
});

/** What remains of a window after one more call; negative if the call is refused. */
async function left(windows: WindowStore, counted: Window, now = 0): Promise<number> {
  return (await windows.consume([counted], now)).remaining;
}

async function leftAfter(windows: WindowStore, calls: number, counted: Window): Promise<number> {
  for (let call = 1; call < calls; call += 1) await left(windows, counted);
  return left(windows, counted);
}

async function flood(windows: WindowStore, keys: number, policy = 'client'): Promise<void> {
  for (let key = 0; key < keys; key += 1) await left(windows, window(`other ${key}`, 50, policy));
}

describe('a flood of other windows', () => {
  test('evicts the oldest of those with the lowest count', async () => {
    const windows = memoryWindows(100);
    for (let key = 0; key < 100; key += 1) await left(windows, window(`key ${key}`), key);
    // The first has ended and starts again, which makes it the newest.
    await left(windows, window('key 0'), minute);
    await left(windows, window('key 100'), minute);
    expect(await left(windows, window('key 0'), minute)).toBe(998);
    expect(await left(windows, window('key 99'), minute)).toBe(998);
    expect(await left(windows, window('key 1'), minute)).toBe(999);
  });

  test('evicts a tenth at once', async () => {
    const windows = memoryWindows(110);
    for (let key = 0; key < 111; key += 1) await left(windows, window(`key ${key}`));
    expect(await left(windows, window('key 11'))).toBe(998);
    expect(await left(windows, window('key 10'))).toBe(999);
  });

  test('evicts every window with a lower count, and the oldest of those with the next one', async () => {
    const windows = memoryWindows(100);
    const count = (calls: number, keys: string[]) =>
      Promise.all(keys.map((key) => leftAfter(windows, calls, window(key))));
    await count(1, ['low 0', 'low 1']);
    await count(
      2,
      Array.from({ length: 95 }, (_, key) => `key ${key}`),
    );
    await count(1, ['low 2', 'low 3', 'low 4', 'another']);
    for (const key of ['low 0', 'low 4', 'key 0', 'key 4'])
      expect(await left(windows, window(key))).toBe(999);
    for (const key of ['key 5', 'key 94']) expect(await left(windows, window(key))).toBe(997);
  });

  test.each([1, 2, 25, 49, 50])('of 51,000 does not evict a window at %i of 50', async (count) => {
    const windows = memoryWindows();
    const victim = window('victim', 50, 'auth-failures-email');
    // A single failure differs from others only by its age, so it occurs after the flood began.
    if (count === 1) await flood(windows, 10_000, 'auth-failures-email');
    await leftAfter(windows, count, victim);
    if (count === 1) await flood(windows, 41_000, 'auth-failures-email');
    else await flood(windows, 51_000, 'auth-failures-email');
    expect(await left(windows, victim)).toBe(count === 50 ? -1 : 49 - count);
  });

  test('does not evict a window at its limit, however low the limit is', async () => {
    const windows = memoryWindows(100);
    const victim = window('victim', 1);
    await left(windows, victim);
    for (let key = 0; key < 1_000; key += 1) await leftAfter(windows, 3, window(`other ${key}`));
    expect(await left(windows, victim)).toBe(-1);
  });

  test('evicts no window before those that have ended are forgotten', async () => {
    const windows = memoryWindows(100);
    const victim = { ...window('victim', 50), windowMilliseconds: 60 * minute };
    await leftAfter(windows, 2, victim);
    for (let key = 0; key < 99; key += 1) await left(windows, window(`ended ${key}`));
    for (let key = 0; key < 50; key += 1) await left(windows, window(`new ${key}`), 2 * minute);
    expect(await left(windows, victim, 2 * minute)).toBe(47);
  });

  test('does not evict a window at a limit that the app has lowered', async () => {
    const windows = memoryWindows(100);
    await leftAfter(windows, 4, window('victim', 1_000));
    expect(await left(windows, window('victim', 5))).toBe(0);
    for (let key = 0; key < 500; key += 1) await leftAfter(windows, 9, window(`other ${key}`));
    expect(await left(windows, window('victim', 5))).toBe(-1);
  });

  test('of windows at their own limit is bounded, and evicts the oldest of them', async () => {
    const windows = memoryWindows(100);
    for (let key = 0; key < 1_000; key += 1) await left(windows, window(`key ${key}`, 1));
    expect(await left(windows, window('key 999', 1))).toBe(-1);
    expect(await left(windows, window('key 910', 1))).toBe(-1);
    expect(await left(windows, window('key 0', 1))).toBe(0);
  });

  test('of one policy evicts no window of another', async () => {
    const windows = memoryWindows(100);
    await left(windows, window('ada', 50, 'auth-failures-email'));
    await flood(windows, 1_000);
    expect(await left(windows, window('ada', 50, 'auth-failures-email'))).toBe(48);
  });

  test('of a hundred thousand keys takes bounded memory, and constant time per key', async () => {
    const windows = memoryWindows(10_000);
    const startedAt = process.cpuUsage();
    for (let key = 0; key < 100_000; key += 1) windows.consume([window(`key ${key}`)], 0);
    // Scanning every window for every key would take a thousand times as long.
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(6_000);
    expect(await left(windows, window('key 99999'))).toBe(998);
    expect(await left(windows, window('key 80000'))).toBe(999);
  });
});
