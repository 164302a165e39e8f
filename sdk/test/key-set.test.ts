// When the public keys are read again, and what stands while they cannot be.
import { expect, test } from 'vitest';
import { createKeySet } from '../src/key-set.js';
import { codeOf } from './harness.js';

/** A key set whose service and clock are the test's; a key is named by its id. */
function heldKeys(...first: string[]) {
  const world = {
    ids: first,
    away: false,
    ageMs: 0,
    nowMs: 1_000_000,
    reads: 0,
    /** What a reading waits for after it looked. */
    hold: undefined as Promise<void> | undefined,
    onRead: () => {},
  };
  const keyOf = createKeySet(
    async () => {
      world.reads += 1;
      world.onRead();
      const { ids, away, ageMs, hold } = world;
      await hold;
      if (away) throw new Error('away');
      return { keys: new Map(ids.map((id) => [id, id])), ageMs };
    },
    () => world.nowMs,
    async (ms) => {
      world.nowMs += ms;
    },
  );
  return { world, keyOf };
}

test('a hundred tokens at once share one reading, and later ones need none', async () => {
  const { world, keyOf } = heldKeys('a');
  expect(new Set(await Promise.all(Array.from({ length: 100 }, () => keyOf('a'))))).toEqual(new Set(['a']));
  world.nowMs += 298_999;
  await keyOf('a');
  expect(world.reads).toBe(1);
});

test('a key that was removed is dead after 299 seconds, and no earlier is it asked for', async () => {
  const { world, keyOf } = heldKeys('a', 'b');
  await keyOf('a');
  world.ids = ['b'];
  world.nowMs += 298_999;
  expect(await keyOf('a')).toBe('a');
  world.nowMs += 1;
  expect(await keyOf('a')).toBeUndefined();
  expect(await keyOf('b')).toBe('b');
  // The second made sure that it was not an instance of the service that had not heard of the key yet.
  expect(world.reads).toBe(3);
});

test('the time that an answer lay in a shared cache counts', async () => {
  const { world, keyOf } = heldKeys('a');
  world.ageMs = 200_000;
  await keyOf('a');
  world.ids = ['b'];
  world.nowMs += 98_999;
  expect(await keyOf('a')).toBe('a');
  world.nowMs += 1;
  expect(await keyOf('a')).toBeUndefined();
});

test('a new key is taken at once, however many there are one after another', async () => {
  const { world, keyOf } = heldKeys('a');
  await keyOf('a');
  for (const id of ['b', 'c', 'd']) {
    world.ids = [...world.ids, id];
    expect(await keyOf(id)).toBe(id);
  }
  expect(world.reads).toBe(4);
});

test('a hundred keys that do not exist cost two readings, a second apart, and none for 30 seconds after', async () => {
  const { world, keyOf } = heldKeys('a');
  await keyOf('a');
  const madeUp = Array.from({ length: 100 }, (_, token) => `made-up-${token}`);
  const from = world.nowMs;
  expect(new Set(await Promise.all(madeUp.map(keyOf)))).toEqual(new Set([undefined]));
  expect(world.reads).toBe(3);
  // The first waits for the second after the reading before it, too.
  expect(world.nowMs).toBe(from + 2_000);
  world.nowMs += 29_999;
  for (const id of madeUp) expect(await keyOf(id)).toBeUndefined();
  expect(world.reads).toBe(3);
  world.nowMs += 1;
  expect(await keyOf('made-up-0')).toBeUndefined();
  expect(world.reads).toBe(5);
});

test('after a key that does not exist every new key is taken, in a later reading and without a refusal', async () => {
  const { world, keyOf } = heldKeys('a');
  await keyOf('a');
  expect(await keyOf('made-up')).toBeUndefined();
  world.ids = ['a', 'b', 'c'];
  expect(await Promise.all([keyOf('made-up'), keyOf('b'), keyOf('c'), keyOf('a')])).toEqual([
    undefined,
    'b',
    'c',
    'a',
  ]);
});

test('a key that the service publishes a second after the token came is taken', async () => {
  const { world, keyOf } = heldKeys('a');
  await keyOf('a');
  world.nowMs += 60_000;
  const from = world.nowMs;
  world.onRead = () => {
    if (world.nowMs >= from + 1_000) world.ids = ['a', 'b'];
  };
  expect(await keyOf('b')).toBe('b');
});

test('after a key that does not exist a new one is not refused while the service is away', async () => {
  const { world, keyOf } = heldKeys('a');
  await keyOf('a');
  await keyOf('made-up');
  world.away = true;
  expect(await codeOf(keyOf('b'))).toBe('client/network');
});

test('strangers fill no memory: so many keys are remembered, and so many calls wait', async () => {
  const { world, keyOf } = heldKeys('a');
  await keyOf('a');
  const calls = Array.from({ length: 1_001 }, (_, token) => codeOf(keyOf(`made-up-${token}`)));
  const codes = await Promise.all(calls);
  expect(codes.slice(0, 1_000)).toEqual(Array.from({ length: 1_000 }, () => 'resolved'));
  expect(codes[1_000]).toBe('client/network');
  const { reads } = world;
  // One more than is remembered: the oldest is forgotten, and the others are not.
  await keyOf('made-up-1000');
  await keyOf('made-up-999');
  expect(world.reads).toBe(reads + 2);
  await keyOf('made-up-0');
  expect(world.reads).toBe(reads + 4);
  expect(await keyOf('x'.repeat(201))).toBeUndefined();
  expect(world.reads).toBe(reads + 4);
});

test('a key that was published during a reading is not missed', async () => {
  const { world, keyOf } = heldKeys('a');
  await keyOf('a');
  world.nowMs += 299_000;
  let release = () => {};
  world.hold = new Promise((resolve) => {
    release = resolve;
  });
  const old = keyOf('a');
  world.ids = ['a', 'b'];
  const fresh = keyOf('b');
  release();
  expect(await Promise.all([old, fresh])).toEqual(['a', 'b']);
  expect(world.reads).toBe(3);
});

test('while the service is away the last keys stand for a day, and it is asked at most every 5 seconds', async () => {
  const { world, keyOf } = heldKeys('a');
  await keyOf('a');
  world.away = true;
  world.nowMs += 299_000;
  for (let token = 0; token < 50; token++) expect(await keyOf('a')).toBe('a');
  expect(world.reads).toBe(2);
  world.nowMs += 5_000;
  await keyOf('a');
  expect(world.reads).toBe(3);
  world.nowMs += 86_400_000 - 304_000 - 1;
  expect(await keyOf('a')).toBe('a');
  world.nowMs += 1;
  expect(await codeOf(keyOf('a'))).toBe('client/network');
  world.away = false;
  world.nowMs += 5_000;
  expect(await keyOf('a')).toBe('a');
});

test('a removed key dies with the first reading after the service is back', async () => {
  const { world, keyOf } = heldKeys('a', 'b');
  await keyOf('a');
  world.away = true;
  world.nowMs += 299_000;
  expect(await keyOf('a')).toBe('a');
  world.away = false;
  world.ids = ['b'];
  world.nowMs += 5_000;
  expect(await keyOf('a')).toBeUndefined();
});

test('whether an unknown key is good is not known while the service is away', async () => {
  const { world, keyOf } = heldKeys('a');
  world.away = true;
  expect(await codeOf(keyOf('a'))).toBe('client/network');
  world.away = false;
  expect(await keyOf('a')).toBe('a');
  world.away = true;
  for (let token = 0; token < 50; token++) expect(await codeOf(keyOf('b'))).toBe('client/network');
  expect(world.reads).toBe(3);
  world.away = false;
  world.ids = ['a', 'b'];
  world.nowMs += 5_000;
  expect(await keyOf('b')).toBe('b');
});

test('a clock that is turned back makes nothing last longer', async () => {
  const { world, keyOf } = heldKeys('a');
  await keyOf('a');
  world.nowMs -= 3_600_000;
  world.ids = ['b'];
  expect(await keyOf('a')).toBeUndefined();
});
