// How many rows the audit log takes of an app in one minute, at each limit.
import { expect, test } from 'vitest';
import { newAppMinute, place } from './counted-entries.js';
import type { BufferedRow } from './store.js';

const network = '203.0.113.7';

/** Places entries of one minute; says whether each has a row of its own, is counted, or repeats one. */
function aMinute() {
  const minute = newAppMinute();
  return (target: string, once: string | null = null) => {
    const row = { app_id: 'app', details: {}, created_at: '2026-01-01T00:00:00Z' } as BufferedRow;
    const note = { target, action: 'user.sign_in_failed', kind: null, once };
    const placed = place(minute, note, network, () => row);
    if (placed === null) return 'repeated';
    if ('row' in placed) return 'row';
    return placed.counted.row.target === 'app:app' ? 'counted with others' : 'counted';
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

test('the tenth entry of a target has a row of its own, and the eleventh is counted', () => {
  const add = aMinute();
  const placed = numbers(11).map(() => add('user:1'));
  expect(placed.slice(8)).toEqual(['row', 'row', 'counted']);
});

test('all targets together have a thousand rows besides the first of each', () => {
  const add = aMinute();
  const placed = numbers(150).flatMap((user) => numbers(8).map(() => add(`user:${user}`)));
  expect(placed.filter((each) => each === 'row')).toHaveLength(1_150);
  expect(add('user:150')).toBe('row');
  expect(add('user:150')).toBe('counted');
});

test('the 5,000th target has a row of its own, and a further one is counted with others', () => {
  const add = aMinute();
  for (const user of numbers(4_999)) add(`user:${user}`);
  expect(add('user:4999')).toBe('row');
  expect(add('user:5000')).toBe('counted with others');
  expect(add('user:4999')).toBe('row');
});

test('of 5,000 entries that are recorded once a minute each repetition is recognized, and none of a further one', () => {
  const add = aMinute();
  for (const number of numbers(4_999)) add('user:1', `entry ${number}`);
  expect([add('user:2', 'entry 4999'), add('user:2', 'entry 4999')]).toEqual(['row', 'repeated']);
  expect([add('user:3', 'entry 5000'), add('user:3', 'entry 5000')]).toEqual(['row', 'row']);
});
