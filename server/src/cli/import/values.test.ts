// How values of exports are read.
import { describe, expect, test } from 'vitest';
import { timeOf } from './values.js';

describe('a time', () => {
  test.each<[unknown, string]>([
    ['2024-01-15T10:30:00.5Z', '2024-01-15T10:30:00.500Z'],
    ['2024-01-15 10:30:00.123456+00', '2024-01-15T10:30:00.123Z'],
    ['2024-01-15 10:30:00+0530', '2024-01-15T05:00:00.000Z'],
    ['2024-01-15 10:30:00 UTC', '2024-01-15T10:30:00.000Z'],
    ['2024-01-15 10:30', '2024-01-15T10:30:00.000Z'],
    ['2024-01-15', '2024-01-15T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['2024-02-29 23:59:59', '2024-02-29T23:59:59.000Z'],
    ['Mon, 15 Jan 2024 10:30:00 GMT', '2024-01-15T10:30:00.000Z'],
    ['Mon, 15 Jan 2024 10:30:00 +0100', '2024-01-15T09:30:00.000Z'],
    ['Mon Jan 15 2024 10:30:00 GMT+0100 (Central European Standard Time)', '2024-01-15T09:30:00.000Z'],
    ['1705314600', '2024-01-15T10:30:00.000Z'],
    ['1705314600.25', '2024-01-15T10:30:00.250Z'],
    ['1705314600000', '2024-01-15T10:30:00.000Z'],
    [99_999_999_999, '5138-11-16T09:46:39.000Z'],
    [100_000_000_000, '1973-03-03T09:46:40.000Z'],
    [8.64e15, '+275760-09-13T00:00:00.000Z'],
    [1_705_314_600, '2024-01-15T10:30:00.000Z'],
    [1_705_314_600_000, '2024-01-15T10:30:00.000Z'],
  ])('%j is %s, on a machine in any time zone', (written, time) => {
    expect(timeOf(written)?.toISOString()).toBe(time);
  });

  test.each<[string, unknown]>([
    ['zero', 0],
    ['zero as text', '0'],
    ['a digit', '5'],
    ['a number below zero', '-5'],
    ['a word with a digit', 'user 5'],
    ['a time in a zone that it does not name', '1/15/2024 10:30'],
    ['a day that may be a month', '05.03.2024 10:30'],
    ['a day that no month has', '2024-02-30 10:30:00'],
    ['the 29th of February of another year', '2023-02-29'],
    ['a time before 1970', '0001-01-01T00:00:00Z'],
    ['a number in the notation of a spreadsheet', '1.70532E+12'],
    ['more than a date can be', 8_640_000_000_000_001],
    ['nothing', ''],
    ['another type', { $date: '2024-01-15T10:30:00Z' }],
  ])('%s is none', (_what, written) => {
    expect(timeOf(written)).toBeNull();
  });
});
