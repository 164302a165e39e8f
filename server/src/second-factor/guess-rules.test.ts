// Guesses at a second factor: five a ticket, ten in 15 minutes and user.
import { expect, test } from 'vitest';
import { afterRightGuess, type Guesses, judgeFactorGuess } from './guess-rules.js';

const now = new Date('2026-03-01T10:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

/** Guesses of these tickets, so many seconds ago each. */
function guessed(...guesses: [ticket: string, seconds: number, times?: number][]): Guesses {
  const each = guesses.flatMap(([ticket, seconds, times = 1]) =>
    Array.from({ length: times }, () => ({ ticket, time: ago(seconds) })),
  );
  return {
    guessTimes: each.map(({ time }) => time),
    guessTickets: each.map(({ ticket }) => ticket),
    usedTickets: ['used'],
  };
}

test.each<[string, Guesses, string, object]>([
  ['the first', guessed(), 'a', { verdict: 'counted' }],
  ['the fifth of a ticket', guessed(['a', 60, 4]), 'a', { verdict: 'counted' }],
  ['the sixth of a ticket', guessed(['a', 60, 5]), 'a', { verdict: 'used-up' }],
  ['one of a used ticket', guessed(), 'used', { verdict: 'used-up' }],
  ['the sixth without a ticket', guessed(['', 60, 5]), '', { verdict: 'counted' }],
  ['the tenth of a user', guessed(['a', 60, 5], ['b', 30, 4]), 'c', { verdict: 'counted' }],
  ['the eleventh', guessed(['a', 60, 5], ['b', 30, 5]), 'c', { verdict: 'limited', retryAfterSeconds: 840 }],
  ['the eleventh, just before the first ends', guessed(['a', 899, 10]), '', { verdict: 'limited' }],
  ['one after the window', guessed(['a', 900, 10]), '', { verdict: 'counted' }],
  ['one after the clock was set back by 899 seconds', guessed(['a', -899, 10]), '', { verdict: 'limited' }],
  ['one after the clock was set back by a day', guessed(['a', -86_400, 10]), '', { verdict: 'counted' }],
])('%s', (_what, guesses, ticket, verdict) => {
  expect(judgeFactorGuess(guesses, { ticket, now })).toMatchObject(verdict);
});

test('a right guess uses its ticket up and forgets its guesses, and keeps those of others', () => {
  const before = guessed(['a', 60], ['b', 50], ['a', 40]);
  expect(afterRightGuess(before, 'a')).toEqual({ ...guessed(['b', 50]), usedTickets: ['used', 'a'] });
});

test('a right guess without a ticket forgets only itself', () => {
  expect(afterRightGuess(guessed(['', 60], ['', 50]), '')).toEqual(guessed(['', 60]));
});

test('the last fifty tickets that were used are of no use any more', () => {
  const usedTickets = Array.from({ length: 60 }, (_, at) => `ticket ${at}`);
  const { usedTickets: remembered } = afterRightGuess({ ...guessed(), usedTickets }, 'a');
  expect(remembered).toEqual([...usedTickets.slice(11), 'a']);
});
