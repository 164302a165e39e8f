import { expect, test } from 'vitest';
import { mapInPieces } from './in-pieces.js';

test('work of many items gives others a turn of the event loop every ten milliseconds', async () => {
  let now = 0;
  const order: string[] = [];
  // One call in each turn.
  const arrive = (call: number) => {
    order.push(`call ${call}`);
    if (call < 5) setImmediate(arrive, call + 1);
  };
  setImmediate(arrive, 1);
  const work = mapInPieces(
    () => now,
    [1, 2, 3, 4, 5],
    (item, index) => {
      now += 5;
      order.push(`item ${item}`);
      return item * 10 + index;
    },
  );
  expect(await work).toEqual([10, 21, 32, 43, 54]);
  expect(order).toEqual(['item 1', 'item 2', 'call 1', 'item 3', 'item 4', 'call 2', 'item 5']);
});

test('work of a few milliseconds is done at once', async () => {
  const order: number[] = [];
  const work = mapInPieces(
    () => 0,
    [1, 2, 3],
    (item) => order.push(item),
  );
  expect(order).toEqual([1, 2, 3]);
  await work;
});
