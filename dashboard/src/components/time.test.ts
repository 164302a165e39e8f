// How long ago something was, in words.
import { expect, test } from 'vitest';
import { timeText } from './time.tsx';

const now = new Date('2026-03-04T22:00:00Z');

test.each([
  ['2026-03-04T21:59:01Z', 'just now'],
  ['2026-03-04T22:00:59Z', 'just now'],
  ['2026-03-04T21:59:00Z', '1 minute ago'],
  ['2026-03-04T20:00:01Z', '1 hour ago'],
  // Two calendar days before, and less than 48 hours.
  ['2026-03-02T23:30:00Z', '1 day ago'],
  ['2026-03-06T21:00:00Z', 'in 1 day'],
  ['2026-02-25T22:00:01Z', '6 days ago'],
])('%s is %j', (at, text) => {
  expect(timeText(new Date(at), now)).toBe(text);
});
