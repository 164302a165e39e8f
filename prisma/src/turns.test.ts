import { expect, test } from 'vitest';
import { takeTurns } from './turns.js';

/** Blocks the event loop, as a statement of PGlite does. */
async function blockFor(milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('callers get the connection first come, first served, and the event loop runs after each long use', async () => {
  const turns = takeTurns();
  const order: string[] = [];
  const waiting = ['a', 'b', 'c', 'd'].map((name) =>
    turns.inTurn(async () => {
      await blockFor(10);
      order.push(name);
    }),
  );
  let running = true;
  const tick = () => {
    if (order.at(-1) !== 'loop') order.push('loop');
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  await Promise.all(waiting);
  running = false;
  expect(order.filter((name) => name !== 'loop')).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['b', 'c', 'd']) expect(order[order.indexOf(name) - 1]).toBe('loop');
});
