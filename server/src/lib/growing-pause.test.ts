// How long a poll waits: longer while nothing is found, and never beyond the first work that is known.
import { beforeEach, expect, test } from 'vitest';
import { growingPause } from './growing-pause.js';

let now: number;
const clock = { now: () => new Date(now) };
const pauseOf = () => growingPause(clock, { minMilliseconds: 1_000, maxMilliseconds: 10_000 });
beforeEach(() => {
  now = 1_000_000;
});

/** The milliseconds until the pause is over. */
function lengthOf(pause: { isOver(): boolean }): number {
  const from = now;
  while (!pause.isOver()) now += 100;
  return now - from;
}

test('pauses double while nothing is found, up to the longest', () => {
  const pause = pauseOf();
  expect(pause.isOver()).toBe(true);
  const lengths = Array.from({ length: 6 }, () => {
    pause.begin(false);
    return lengthOf(pause);
  });
  expect(lengths).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test('after a poll that found something they are short again, also that of this poll', () => {
  const pause = pauseOf();
  for (let polls = 0; polls < 6; polls += 1) pause.begin(false);
  pause.begin(true);
  expect(lengthOf(pause)).toBe(1_000);
});

test('a pause ends when the first known work is due', () => {
  const pause = pauseOf();
  for (let polls = 0; polls < 6; polls += 1) pause.begin(false);
  pause.begin(false, new Date(now + 3_000));
  expect(lengthOf(pause)).toBe(3_000);
});

test('a wake ends the pause, and the next is short', () => {
  const pause = pauseOf();
  for (let polls = 0; polls < 6; polls += 1) pause.begin(false);
  pause.wake();
  expect(pause.isOver()).toBe(true);
  pause.begin(false);
  expect(lengthOf(pause)).toBe(1_000);
});

test('a pause is over after the clock has stepped back', () => {
  const pause = pauseOf();
  pause.begin(false);
  now -= 1;
  expect(pause.isOver()).toBe(true);
});
