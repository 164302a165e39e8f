// How many units of its budget a number of bytes uses up.
import { expect, test } from 'vitest';
import type { LimitedApp } from './limit-windows.js';
import { consumeBytes, consumeFurtherBytes, countWrites } from './written-bytes.js';

const writer = { app: { id: 'app' } as LimitedApp, uid: 'user' };

/** A limiter that says how many units were consumed of which budget. */
function countedUnits() {
  const units: [policy: string, count: number | undefined][] = [];
  const consume = async (policy: string, _app: unknown, _key: unknown, count?: number) => {
    units.push([policy, count]);
    return null;
  };
  return {
    units,
    limiter: { consume, tryConsume: consume } as Parameters<typeof consumeBytes>[0] &
      Parameters<typeof consumeFurtherBytes>[0],
  };
}

const mebibyte = 1_048_576;

test.each([
  ['record-kilobytes', 0, 1],
  ['record-kilobytes', 1_024, 1],
  ['record-kilobytes', 1_025, 2],
  ['record-kilobytes', 10_240, 10],
  ['file-megabytes', 1, 1],
  ['file-megabytes', mebibyte, 1],
  ['file-megabytes', mebibyte + 1, 2],
  ['file-megabytes', 10 * mebibyte, 10],
] as const)('of %s, %i bytes are %i', async (policy, bytes, expected) => {
  const { units, limiter } = countedUnits();
  await consumeBytes(limiter, policy, writer, bytes);
  expect(units).toEqual([[policy, expected]]);
});

test('bytes beyond those that were counted count once they begin another unit', async () => {
  const { units, limiter } = countedUnits();
  const further = (known: number, written: number) =>
    consumeFurtherBytes(limiter, 'record-kilobytes', writer, { known, written });
  await further(0, 1_024);
  await further(1_024, 1_024);
  await further(2_048, 100);
  expect(units).toEqual([]);
  await further(0, 1_025);
  await further(1_024, 4_096);
  expect(units).toEqual([
    ['record-kilobytes', 1],
    ['record-kilobytes', 3],
  ]);
});

test('writes in progress count with the first byte of each further unit', async () => {
  const { units, limiter } = countedUnits();
  const count = countWrites(limiter, 'file-megabytes', writer, mebibyte + 1);
  for (const written of [1, 2 * mebibyte]) await count(written);
  expect(units).toEqual([]);
  for (const written of [2 * mebibyte + 1, 3 * mebibyte, 5 * mebibyte + 1]) await count(written);
  expect(units).toEqual([
    ['file-megabytes', 1],
    ['file-megabytes', 3],
  ]);
});
