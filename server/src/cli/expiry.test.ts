// Values of --expires.
import { expect, test } from 'vitest';
import { UsageError } from './argv.js';
import { expiryOf } from './expiry.js';

const now = new Date('2026-03-01T10:00:00.123Z');

test.each([
  ['1', '2026-03-02T10:00:00.123Z'],
  ['36500', '2126-02-05T10:00:00.123Z'],
  ['90d', '2026-05-30T10:00:00.123Z'],
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2026-03-01T10:00:00.124Z', '2026-03-01T10:00:00.124Z'],
  ['2026-03-01T12:01+02:00', '2026-03-01T10:01:00.000Z'],
])('%s is %s', (word, time) => {
  expect(expiryOf(word, now).toISOString()).toBe(time);
});

test.each([
  '0',
  '36501',
  '-1',
  '1.5',
  '90 days',
  'soon',
  '',
  '2026-02-29',
  '2027-02-31',
  '2027-13-01',
  '01/02/2027',
  '2027-01-01T10:00',
  '2026-03-01',
  '2026-03-01T10:00:00.123Z',
])('%s is invalid or in the past', (word) => {
  expect(() => expiryOf(word, now)).toThrow(UsageError);
});
