import { describe, expect, test } from 'vitest';
import { memoryWindows, rateLimitHeaders } from './rate-limit.js';

const minute = 60_000;

describe('windows in memory', () => {
  test('a window counts from its first call, ends on the millisecond, and starts again', async () => {
    const windows = memoryWindows();
    const add = (now: number) => windows.add('key', 1, minute, now);
    expect(await add(1_000)).toEqual({ count: 1, resetMilliseconds: minute });
    expect(await add(1_000 + minute - 1)).toEqual({ count: 2, resetMilliseconds: 1 });
    expect(await add(1_000 + minute)).toEqual({ count: 1, resetMilliseconds: minute });
  });

  test('what is given back after its window has ended is not counted below zero', async () => {
    const windows = memoryWindows();
    await windows.add('key', 1, minute, 0);
    expect(await windows.add('key', -1, minute, minute)).toMatchObject({ count: 0 });
    expect(await windows.add('key', 1, minute, minute)).toMatchObject({ count: 1 });
  });

  test('only so many windows are kept, and the oldest go first', async () => {
    const windows = memoryWindows(100);
    for (let key = 0; key < 100; key += 1) await windows.add(`key ${key}`, 1, minute, key);
    // The first has ended and starts again, which makes it the newest.
    await windows.add('key 0', 1, minute, minute);
    await windows.add('key 100', 1, minute, minute);
    expect(await windows.add('key 0', 1, minute, minute)).toMatchObject({ count: 2 });
    expect(await windows.add('key 99', 1, minute, minute)).toMatchObject({ count: 2 });
    expect(await windows.add('key 1', 1, minute, minute)).toMatchObject({ count: 1 });
  });

  test('a flood of one policy pushes out no window of another', async () => {
    const windows = memoryWindows(100);
    await windows.add('auth-failures-email ada', 1, minute, 0);
    for (let key = 0; key < 1_000; key += 1) await windows.add(`client ${key}`, 1, minute, 1);
    expect(await windows.add('auth-failures-email ada', 1, minute, 2)).toMatchObject({ count: 2 });
  });

  test('a flood of a million keys is counted in bounded memory, each key as cheaply as the first', async () => {
    const windows = memoryWindows(10_000);
    // Looking at every window for every key would take a thousand times as long.
    const startedAt = performance.now();
    for (let key = 0; key < 1_000_000; key += 1) windows.add(`key ${key}`, 1, minute, 0);
    expect(performance.now() - startedAt).toBeLessThan(120_000);
    expect(await windows.add('key 999999', 1, minute, 0)).toMatchObject({ count: 2 });
    expect(await windows.add('key 980000', 1, minute, 0)).toMatchObject({ count: 1 });
  }, 180_000);
});

test('the header fields are those of the IETF draft', () => {
  const rule = { limit: 300, windowSeconds: 60 };
  expect(rateLimitHeaders({ policy: 'client', rule, remaining: 12, resetSeconds: 34 })).toEqual({
    'RateLimit-Policy': '"client";q=300;w=60',
    RateLimit: '"client";r=12;t=34',
  });
});
