// How turns are shared between apps, parties and kinds of work; server/test/turns.test.ts has the calls that take them.
import { expect, test, vi } from 'vitest';
import type { Work } from '../deps.js';
import { workTurns } from './work-turns.js';

const own = workTurns('postgresql', 10);
const actor = (name: string, ip: string | null = null) => ({ name, ip });

/** How many calls of one party run at once, when all others are idle. */
async function atOnce(work: Work, parties: { app: { id: string }; actor: ReturnType<typeof actor> }[]) {
  const ends: (() => void)[] = [];
  const counts = [];
  for (const party of parties) {
    let count = 0;
    for (let tries = 0; tries < 20; tries += 1) {
      const end = await own.take(work, party, { milliseconds: 0 }).catch(() => null);
      if (end) count += ends.push(end) && 1;
    }
    counts.push(count);
  }
  for (const end of ends) end();
  expect([own.running, own.waiting, own.parties]).toEqual([0, 0, 0]);
  return counts;
}

test.each<[string, Work, [app: string, name: string, ip?: string][], number[]]>([
  [
    'users',
    'write',
    [
      ['a', 'user:1', '192.0.2.1'],
      ['a', 'user:2', '192.0.2.2'],
      ['b', 'user:3'],
    ],
    [2, 2, 1],
  ],
  [
    'networks',
    'write',
    [
      ['a', 'anonymous', '192.0.2.1'],
      ['a', 'anonymous', '192.0.2.2'],
    ],
    [3, 1],
  ],
  [
    'the /64 networks of one /48, and others',
    'write',
    [
      ['a', 'anonymous', '2001:db8:1:1::1'],
      ['a', 'anonymous', '2001:db8:1:2::1'],
      ['a', 'anonymous', '2001:db8:2::1'],
    ],
    [3, 0, 1],
  ],
  [
    'a backend and the users of its app',
    'write',
    [
      ['a', 'secret_key:1'],
      ['a', 'user:1', '192.0.2.1'],
    ],
    [3, 1],
  ],
  [
    'the members of a team and its backend',
    'bulk-read',
    [
      ['a', 'member:1'],
      ['a', 'member:2'],
      ['a', 'secret_key:1'],
    ],
    [1, 0, 1],
  ],
  [
    'the long queries of three apps',
    'long-query',
    [
      ['a', 'secret_key:1'],
      ['b', 'secret_key:1'],
      ['c', 'secret_key:1'],
    ],
    [2, 1, 0],
  ],
])('between %s', async (_, work, parties, counts) => {
  const given = parties.map(([appId, name, ip = null]) => ({ app: { id: appId }, actor: actor(name, ip) }));
  expect(await atOnce(work, given)).toEqual(counts);
});

// Counts of app a by its backend and by a client, of app b, and of app c.
test.each<[Work, number[]]>([
  ['write', [3, 1, 1, 0]],
  ['large-write', [2, 0, 0, 0]],
  ['bulk-write', [1, 0, 1, 0]],
  ['bulk-read', [2, 0, 2, 0]],
  ['list', [3, 1, 1, 0]],
  ['short-query', [2, 1, 2, 0]],
  ['long-query', [2, 0, 1, 0]],
])('between apps, for the work %s', async (work, counts) => {
  const backendOf = (id: string) => ({ app: { id }, actor: actor('secret_key:1') });
  const client = { app: { id: 'a' }, actor: actor('anonymous', '192.0.2.1') };
  expect(await atOnce(work, [backendOf('a'), client, backendOf('b'), backendOf('c')])).toEqual(counts);
});

test('the members of a team have half of the three turns of their app, rounded up', async () => {
  const members = ['member:1', 'member:2'].map((name) => ({ app: { id: 'a' }, actor: actor(name) }));
  expect(await atOnce('short-query', members)).toEqual([2, 0]);
});

test.each([
  ['embedded', 1, 3],
  ['postgresql', 2, 3],
  ['postgresql', 5, 3],
  ['postgresql', 6, 4],
  ['postgresql', 10, 7],
  ['postgresql', 20, 14],
] as const)('%s with %i connections has %i turns for all kinds of work', async (kind, connections, all) => {
  const turns = workTurns(kind, connections);
  const works: Work[] = ['write', 'bulk-write', 'bulk-read', 'list', 'short-query', 'long-query'];
  const taken = works.flatMap((work) =>
    ['a', 'b', 'c', 'd', 'e', 'f'].map((id) =>
      turns.take(work, { app: { id }, actor: actor('secret_key:1') }, { milliseconds: 0 }).catch(() => null),
    ),
  );
  expect(turns.running).toBe(all);
  for (const end of await Promise.all(taken)) end?.();
});

// So many that as many would fit again into their share of the places that are left.
test.each<[string, number, (place: number) => [name: string, ip: string | null, row?: string]]>([
  ['of an app, of a thousand', 500, (place) => ['anonymous', `192.0.${place >> 8}.${place & 255}`]],
  ['of a backend', 167, () => ['secret_key:1', null]],
  ['of the members of a team', 167, (place) => [`member:${place}`, null]],
  ['of one member', 91, () => ['member:1', null]],
  ['of one user', 91, () => ['user:1', null]],
  ['of an IPv4 address', 112, () => ['anonymous', '192.0.2.1']],
  ['of a /64', 112, (place) => ['anonymous', `2001:db8:1:1::${place.toString(16)}`]],
  ['of a /56', 143, (place) => ['anonymous', `2001:db8:1:${(place % 256).toString(16)}::1`]],
  ['of a /48', 200, (place) => ['anonymous', `2001:db8:1:${(place * 16).toString(16)}::1`]],
  ['for one row', 167, (place) => ['anonymous', `192.0.${place >> 8}.${place & 255}`, '/data/a/b']],
])('the calls %s that may wait are %i', async (_whose, most, call) => {
  vi.useFakeTimers();
  const turns = workTurns('postgresql', 10);
  const calls = Array.from({ length: 1_200 }, (_, place) => {
    const [name, ip, row] = call(place);
    const by = { app: { id: 'a' }, actor: actor(name, ip) };
    return turns.take('write', by, { row, milliseconds: 100 }).catch(() => null);
  });
  expect(turns.waiting).toBe(most);
  vi.advanceTimersByTime(100);
  for (const end of await Promise.all(calls)) end?.();
  vi.useRealTimers();
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
});

test('while the large writes of one app rest, those of another take the place', async () => {
  vi.useFakeTimers();
  const large = (id: string) => own.take('large-write', { app: { id }, actor: actor('secret_key:1') });
  const [first, second] = [await large('a'), await large('a')];
  const [third, other] = [large('a'), large('b')];
  await vi.advanceTimersByTimeAsync(50);
  first();
  expect(own.waiting).toBe(1);
  (await other)();
  await vi.advanceTimersByTimeAsync(99);
  expect(own.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  (await third)();
  second();
  vi.useRealTimers();
  expect([own.running, own.waiting, own.parties]).toEqual([0, 0, 0]);
});
