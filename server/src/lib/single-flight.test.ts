import { expect, test } from 'vitest';
import { singleFlight } from './single-flight.js';

test('concurrent calls share one run, and a later call starts another', async () => {
  let runs = 0;
  const flight = singleFlight(async () => {
    runs += 1;
  });
  const [one, two] = [flight.run(), flight.run()];
  expect(two).toBe(one);
  expect(flight.running).toBe(one);
  await one;
  expect([runs, flight.running]).toEqual([1, null]);
  await flight.run();
  expect(runs).toBe(2);
});

test('a failed run rejects every call that shares it, and the next call starts another', async () => {
  let runs = 0;
  const flight = singleFlight(async () => {
    runs += 1;
    if (runs === 1) throw new Error('failed');
  });
  const calls = [flight.run(), flight.run()];
  for (const call of calls) await expect(call).rejects.toThrow('failed');
  await flight.run();
  expect(runs).toBe(2);
});

test('a call at any moment of a run has its value taken by this run or by a new one', async () => {
  for (let turns = 0; turns < 10; turns += 1) {
    const waiting = ['first'];
    const taken: string[] = [];
    const flight = singleFlight(
      async () => {
        taken.push(...waiting.splice(0));
      },
      () => waiting.length > 0,
    );
    const first = flight.run();
    for (let turn = 0; turn < turns; turn += 1) await null;
    waiting.push('second');
    await Promise.all([first, flight.run()]);
    expect(taken).toEqual(['first', 'second']);
  }
});
