// Lookups of ids that anybody can make up: remembered for a second, and limited by network.
import { beforeEach, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '../../test/harness.js';
import { type UnknownIds, unknownIds } from './unknown-ids.js';

let clock: ManualClock;
let ids: UnknownIds;
let queries: number;
beforeEach(() => {
  clock = manualClock();
  ids = unknownIds(clock, true);
  queries = 0;
});

const find = (ip: string, id: string, found: string | null = null) =>
  ids.find(ip, id, async () => {
    queries += 1;
    return found;
  });
const limited = { code: 'request/rate-limited', headers: { 'Retry-After': '60' } };

async function exhaust(ip: string, count = 600): Promise<void> {
  for (let id = 0; id < count; id += 1) await find(ip, `${ip} ${id}`);
}

test('an unknown id is queried once in a second, whoever asks', async () => {
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) expect(await find(ip, 'a')).toBeNull();
  expect(queries).toBe(1);
  clock.advance(999);
  await find('192.0.2.1', 'a');
  expect(queries).toBe(1);
  clock.advance(1);
  expect(await find('192.0.2.1', 'a', 'new')).toBe('new');
  expect(queries).toBe(2);
});

test('a network asks for 600 unknown ids in a minute, and others are not affected', async () => {
  await exhaust('192.0.2.1');
  await expect(find('192.0.2.1', 'more')).rejects.toMatchObject(limited);
  expect(queries).toBe(600);
  expect(await find('192.0.2.2', 'more', 'found')).toBe('found');
  clock.advance(60_000);
  expect(await find('192.0.2.1', 'later')).toBeNull();
});

test('when the clock steps back, a network is counted anew instead of being refused for longer', async () => {
  await exhaust('192.0.2.1');
  clock.advance(-1);
  expect(await find('192.0.2.1', 'more')).toBeNull();
});

test('a refused network is told the time until it may ask again', async () => {
  await exhaust('192.0.2.1');
  clock.advance(59_999);
  const headers = { 'Retry-After': '1' };
  await expect(find('192.0.2.1', 'more')).rejects.toMatchObject({ code: 'request/rate-limited', headers });
});

test('parallel lookups are counted before they end', async () => {
  const asked = await Promise.allSettled(
    Array.from({ length: 1_000 }, (_, id) => find('192.0.2.1', String(id))),
  );
  expect(asked.filter(({ status }) => status === 'rejected')).toHaveLength(400);
  expect(queries).toBe(600);
});

test('ids that are found do not count, and stay available to a network over its limit', async () => {
  for (let id = 0; id < 1_000; id += 1) await find('192.0.2.1', `found ${id}`, 'x');
  await exhaust('192.0.2.1');
  expect(await find('192.0.2.1', 'found 7', 'x')).toBe('x');
  // Deleted meanwhile.
  expect(await find('192.0.2.1', 'found 7')).toBeNull();
  clock.advance(1_000);
  await expect(find('192.0.2.1', 'found 7')).rejects.toMatchObject({ code: 'request/rate-limited' });
});

test('ten thousand ids that exist are remembered, and all are forgotten for one more', async () => {
  for (let id = 0; id < 10_000; id += 1) await find('192.0.2.2', `found ${id}`, 'x');
  await exhaust('192.0.2.1');
  expect(await find('192.0.2.1', 'found 0', 'x')).toBe('x');
  await find('192.0.2.2', 'found 10000', 'x');
  await expect(find('192.0.2.1', 'found 0', 'x')).rejects.toMatchObject(limited);
  expect(await find('192.0.2.1', 'found 10000', 'x')).toBe('x');
});

test('a hundred thousand networks are counted, and all are forgotten for one more', async () => {
  const ipOf = (place: number) => `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`;
  await exhaust('192.0.2.1');
  for (let place = 1; place < 100_000; place += 1) await find(ipOf(place), `id ${place}`);
  await find(ipOf(1), 'a');
  await find(ipOf(1), 'b');
  await expect(find('192.0.2.1', 'more')).rejects.toMatchObject(limited);
  await find(ipOf(100_000), 'c');
  await find(ipOf(1), 'd');
  expect(await find('192.0.2.1', 'more')).toBeNull();
});

test('a /56 has four times as many, and a /48 sixteen times', async () => {
  for (let subnet = 0; subnet < 4; subnet += 1) await exhaust(`2001:db8:0:${subnet}::1`);
  await expect(find('2001:db8:0:9::1', 'more')).rejects.toMatchObject(limited);
  for (let subnet = 1; subnet < 4; subnet += 1) {
    for (let place = 0; place < 4; place += 1) await exhaust(`2001:db8:0:${subnet}0${place}::1`);
  }
  await expect(find('2001:db8:0:ff00::1', 'more')).rejects.toMatchObject(limited);
  expect(queries).toBe(9_600);
});

test('while rate limits are off, unknown ids are only remembered', async () => {
  ids = unknownIds(clock, false);
  await exhaust('192.0.2.1', 1_000);
  await exhaust('192.0.2.1', 1_000);
  expect(queries).toBe(1_000);
});
