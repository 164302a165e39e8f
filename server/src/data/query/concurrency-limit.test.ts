// Concurrency limits: which requests run, wait or are refused.
import { expect, test } from 'vitest';
import { concurrencyLimits } from './concurrency-limit.js';

test('two long queries of an app run, a third waits for one of them, and other apps are not affected', async () => {
  const limits = concurrencyLimits('postgresql');
  const [first, second] = [await limits.acquireLong('a', 100), await limits.acquireLong('a', 100)];
  let acquired = false;
  const third = limits.acquireLong('a', 30_000).then((end) => {
    acquired = true;
    return end;
  });
  const other = await limits.acquireLong('b', 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(acquired).toBe(false);
  first();
  (await third)();
  second();
  other();
  for (const release of [await limits.acquireLong('a', 0), await limits.acquireLong('a', 0)]) release();
});

test('a request that times out while waiting is refused and occupies no slot', async () => {
  const limits = concurrencyLimits('postgresql');
  const [first, second] = [await limits.acquireLong('a', 0), await limits.acquireLong('a', 0)];
  await expect(limits.acquireLong('a', 10)).rejects.toMatchObject({ code: 'data/query-timeout' });
  first();
  const release = await limits.acquireLong('a', 0);
  release();
  second();
});

test('the backend of an app may fill the queue; a request is refused at once when it is full', async () => {
  const limits = concurrencyLimits('postgresql');
  const running = [await limits.acquireLong('a', 0), await limits.acquireLong('a', 0)];
  const waiting = Array.from({ length: 20 }, () => limits.acquireLong('a', 30_000, null));
  await expect(limits.acquireLong('a', 30_000, null)).rejects.toMatchObject({ code: 'data/query-timeout' });
  for (const release of running) release();
  for (const slot of waiting) (await slot)();
});

test('long queries do not occupy the four short slots', async () => {
  const limits = concurrencyLimits('postgresql');
  const long = [await limits.acquireLong('a', 0), await limits.acquireLong('a', 0)];
  const quick = [1, 2, 3, 4].map(() => limits.acquireShort('a', 0));
  await expect(limits.acquireShort('a', 10)).rejects.toMatchObject({ code: 'data/query-timeout' });
  for (const release of [...long, ...(await Promise.all(quick))]) release();
});

test('the embedded database has one slot of each kind', async () => {
  const limits = concurrencyLimits('embedded');
  const [quick, long] = [await limits.acquireShort('a', 0), await limits.acquireLong('a', 0)];
  await expect(limits.acquireShort('a', 10)).rejects.toMatchObject({ code: 'data/query-timeout' });
  await expect(limits.acquireLong('a', 10)).rejects.toMatchObject({ code: 'data/query-timeout' });
  quick();
  long();
});

test('one network fills at most a fifth of the queue, and other networks do not wait behind it', async () => {
  const limits = concurrencyLimits('postgresql');
  const acquire = (network: string, milliseconds = 30_000) => limits.acquireLong('a', milliseconds, network);
  const running = [await acquire('stranger'), await acquire('stranger')];
  const order: string[] = [];
  const wait = (network: string) =>
    acquire(network).then((release) => {
      order.push(network);
      release();
    });
  const waiting = Array.from({ length: 4 }, () => wait('stranger'));
  await expect(acquire('stranger')).rejects.toMatchObject({ code: 'data/query-timeout' });
  waiting.push(wait('other'));
  running.pop()?.();
  await Promise.all(waiting);
  expect(order).toEqual(['other', 'stranger', 'stranger', 'stranger', 'stranger']);
  running.pop()?.();
});
