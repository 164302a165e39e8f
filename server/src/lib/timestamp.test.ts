import { Timestamp } from '@foyer/contract';
import { expect, test } from 'vitest';
import { before, dayMilliseconds, secondsOf, timestamp } from './timestamp.js';

test.each([
  ['2026-03-01T10:00:00.123Z', '2026-03-01T10:00:00.123000Z'],
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000000Z'],
  ['1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00.001000Z'],
])('%s is serialized with six decimal digits, as in the contract', (date, text) => {
  expect(timestamp(new Date(date))).toBe(text);
  expect(Timestamp.parse(text)).toBe(text);
});

test('seconds are rounded down', () => {
  expect(secondsOf(new Date(1_999))).toBe(1);
  expect(secondsOf(new Date(2_000))).toBe(2);
});

test('before subtracts the duration', () => {
  expect(before(new Date('2026-03-02T00:00:00Z'), dayMilliseconds)).toEqual(new Date('2026-03-01T00:00:00Z'));
});
