// When the key set is fetched, and how long cached keys are valid during failures.
import { expect, test } from 'vitest';
import { createKeySet } from '../src/admin/key-set.js';
import { codeOf } from './harness.js';
import { gate } from './mishaps.js';

/** A key set with a scripted service and clock; a key equals its id. */
function heldKeys(...first: string[]) {
  const world = {
    ids: first,
    away: false,
    ageMs: 0,
    nowMs: 1_000_000,
    reads: 0,
    /** Delays a response after its keys were read. */
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

/** As `heldKeys`, after the first read. */
async function readKeys(...first: string[]) {
  const held = heldKeys(...first);
  await held.keyOf(first[0]!);
  return held;
}

test('a hundred concurrent tokens share one request, and later ones send none', async () => {
  const { world, keyOf } = heldKeys('a');
  expect(new Set(await Promise.all(Array.from({ length: 100 }, () => keyOf('a'))))).toEqual(new Set(['a']));
  world.nowMs += 298_999;
  await keyOf('a');
  expect(world.reads).toBe(1);
});

test('a removed key is rejected after 299 seconds, and not requested earlier', async () => {
  const { world, keyOf } = await readKeys('a', 'b');
  world.ids = ['b'];
  world.nowMs += 298_999;
  expect(await keyOf('a')).toBe('a');
  world.nowMs += 1;
  expect(await keyOf('a')).toBeUndefined();
  expect(await keyOf('b')).toBe('b');
  // The second request rules out an instance of the service that has not read the key yet.
  expect(world.reads).toBe(3);
});

test.each([
  [200_000, 99_000],
  // A second remains at least.
  [297_999, 1_001],
  [298_001, 1_000],
  [400_000, 1_000],
])('a response that was %d ms old in a shared cache is used for %d ms', async (ageMs, leftMs) => {
  const { world, keyOf } = heldKeys('a');
  world.ageMs = ageMs;
  await keyOf('a');
  world.ids = ['b'];
  world.nowMs += leftMs - 1;
  expect(await keyOf('a')).toBe('a');
  world.nowMs += 1;
  expect(await keyOf('a')).toBeUndefined();
});

test('new keys are accepted immediately, one after another', async () => {
  const { world, keyOf } = await readKeys('a');
  for (const id of ['b', 'c', 'd']) {
    world.ids = [...world.ids, id];
    expect(await keyOf(id)).toBe(id);
  }
  expect(world.reads).toBe(4);
});

test('a hundred unknown keys cost two requests, a second apart, and none for the next 30 seconds', async () => {
  const { world, keyOf } = await readKeys('a');
  const madeUp = Array.from({ length: 100 }, (_, token) => `made-up-${token}`);
  const from = world.nowMs;
  expect(new Set(await Promise.all(madeUp.map(keyOf)))).toEqual(new Set([undefined]));
  expect(world.reads).toBe(3);
  // The first waits for the minimum interval after the previous request, too.
  expect(world.nowMs).toBe(from + 2_000);
  world.nowMs += 29_999;
  for (const id of madeUp) expect(await keyOf(id)).toBeUndefined();
  expect(world.reads).toBe(3);
  world.nowMs += 1;
  expect(await keyOf('made-up-0')).toBeUndefined();
  expect(world.reads).toBe(5);
});

test('after an unknown key every new key is accepted with a later request and without a rejection', async () => {
  const { world, keyOf } = await readKeys('a');
  expect(await keyOf('made-up')).toBeUndefined();
  world.ids = ['a', 'b', 'c'];
  const found = await Promise.all(['made-up', 'b', 'c', 'a'].map(keyOf));
  expect(found).toEqual([undefined, 'b', 'c', 'a']);
});

test('a key published a second after its token arrived is accepted', async () => {
  const { world, keyOf } = await readKeys('a');
  world.nowMs += 60_000;
  const from = world.nowMs;
  world.onRead = () => {
    if (world.nowMs >= from + 1_000) world.ids = ['a', 'b'];
  };
  expect(await keyOf('b')).toBe('b');
});

test('after an unknown key a new one is not rejected as invalid while the service is unreachable', async () => {
  const { world, keyOf } = await readKeys('a');
  await keyOf('made-up');
  world.away = true;
  expect(await codeOf(keyOf('b'))).toBe('client/network');
});

test('cached unknown keys and waiting calls are bounded', async () => {
  const { world, keyOf } = await readKeys('a');
  const calls = Array.from({ length: 1_001 }, (_, token) => codeOf(keyOf(`made-up-${token}`)));
  const codes = await Promise.all(calls);
  expect(codes.slice(0, 1_000)).toEqual(Array.from({ length: 1_000 }, () => 'resolved'));
  expect(codes[1_000]).toBe('client/network');
  const { reads } = world;
  // One above the limit: only the oldest is evicted.
  await keyOf('made-up-1000');
  await keyOf('made-up-999');
  expect(world.reads).toBe(reads + 2);
  await keyOf('made-up-0');
  expect(world.reads).toBe(reads + 4);
  expect(await keyOf('x'.repeat(201))).toBeUndefined();
  expect(world.reads).toBe(reads + 4);
  expect(await keyOf('x'.repeat(200))).toBeUndefined();
  expect(world.reads).toBe(reads + 6);
});

test('of the cached unknown keys the one that was requested longest ago is evicted', async () => {
  const { world, keyOf } = await readKeys('a');
  const cache = (first: number, after: number) =>
    Promise.all(Array.from({ length: after - first }, (_, index) => keyOf(`made-up-${first + index}`)));
  await cache(0, 999);
  world.nowMs += 30_000;
  await keyOf('made-up-0');
  await cache(999, 1_001);
  const { reads } = world;
  await keyOf('made-up-0');
  expect(world.reads).toBe(reads);
});

test('a key published during a request is found', async () => {
  const { world, keyOf } = await readKeys('a');
  world.nowMs += 299_000;
  const { opened, open } = gate();
  world.hold = opened;
  const old = keyOf('a');
  world.ids = ['a', 'b'];
  const fresh = keyOf('b');
  open();
  expect(await Promise.all([old, fresh])).toEqual(['a', 'b']);
  expect(world.reads).toBe(3);
});

test('while the service is unreachable the cached keys are valid for a day, with a request every 5 seconds at most', async () => {
  const { world, keyOf } = await readKeys('a');
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

test('a removed key is rejected after the first request to the recovered service', async () => {
  const { world, keyOf } = await readKeys('a', 'b');
  world.away = true;
  world.nowMs += 299_000;
  expect(await keyOf('a')).toBe('a');
  world.away = false;
  world.ids = ['b'];
  world.nowMs += 5_000;
  expect(await keyOf('a')).toBeUndefined();
});

test('an unknown key is a network error while the service is unreachable', async () => {
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

test('a clock that is set back extends no lifetime', async () => {
  const { world, keyOf } = await readKeys('a');
  world.nowMs -= 3_600_000;
  world.ids = ['b'];
  expect(await keyOf('a')).toBeUndefined();
});
