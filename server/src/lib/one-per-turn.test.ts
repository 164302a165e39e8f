// The order of expensive work and of what arrives meanwhile.
import { expect, test } from 'vitest';
import { onePerTurn } from './one-per-turn.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('each piece runs in a turn of its own, in the order of arrival', async () => {
  const inTurn = onePerTurn();
  const done: string[] = [];
  for (const name of ['a', 'b']) inTurn(() => done.push(name));
  inTurn(() => {
    done.push('c');
    inTurn(() => done.push('d'));
  });
  const after: string[] = [];
  for (let turns = 0; turns < 6; turns += 1) {
    await turn();
    after.push(done.join(''));
  }
  expect(after.filter((now, place) => now !== after[place - 1])).toEqual(['a', 'ab', 'abc', 'abcd']);
  inTurn(() => done.push('e'));
  await turn();
  await turn();
  expect(done.join('')).toBe('abcde');
});
