// Turns: which calls run, in which order the others follow, and which are refused.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Share, type Turns, turns } from './turns.js';

const code = 'request/unavailable';
let own: Turns;
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
  expect([own.running, own.waiting, own.parties]).toEqual([0, 0, 0]);
});

const party = (key: string, running = 100, waiting = 1): Share => ({ key, running, waiting });

/** A turn that is ended with the test unless it was ended before. */
async function take(shares: Share[], milliseconds = 30_000, signal?: AbortSignal): Promise<() => void> {
  const end = await own.take(shares, { milliseconds, code, signal });
  ends.push(end);
  return end;
}

/** Takes turns that end at once; returns the names in the order in which they had them. */
function line() {
  const order: string[] = [];
  const all: Promise<void>[] = [];
  return {
    order,
    add(name: string, shares: Share[]) {
      all.push(
        own.take(shares, { milliseconds: 30_000, code }).then((end) => {
          order.push(name);
          end();
        }),
      );
    },
    done: () => Promise.all(all),
  };
}

test('of two calls that share all parties of the one, which has fewer, the one that waited longer is next', async () => {
  own = turns({ running: 1, waiting: 10 });
  const end = await take([]);
  const waiting = line();
  waiting.add('of a user', [party('app'), party('ada')]);
  waiting.add('of the app', [party('app')]);
  end();
  await waiting.done();
  expect(waiting.order).toEqual(['of a user', 'of the app']);
});

describe('calls run', () => {
  test('up to the limit in all, and the rest as soon as one ends', async () => {
    own = turns({ running: 2, waiting: 10 });
    const [first] = [await take([]), await take([])];
    const third = take([]);
    expect([own.running, own.waiting]).toEqual([2, 1]);
    first?.();
    await third;
    expect([own.running, own.waiting]).toEqual([2, 0]);
  });

  test('up to the limit of each of their parties, past the calls of a party at its limit', async () => {
    own = turns({ running: 10, waiting: 10 });
    const ada = [party('app', 3), party('ada', 1)];
    const end = await take(ada);
    const second = take(ada);
    await take([party('app', 3), party('bob', 1)]);
    expect(own.waiting).toBe(1);
    end();
    await second;
  });

  test('and a turn that is ended twice counts once', async () => {
    own = turns({ running: 1, waiting: 10 });
    const first = await take([]);
    first();
    first();
    await take([]);
    await expect(take([], 1)).rejects.toMatchObject({ code });
  });
});

describe('the next call', () => {
  test('is one of the party that was served longest ago, at each level', async () => {
    own = turns({ running: 1, waiting: 100 });
    const end = await take([party('a'), party('a1')]);
    const { add, order, done } = line();
    for (const app of ['a', 'b']) {
      for (const network of ['1', '2']) {
        for (const number of [1, 2]) add(`${app}${network}.${number}`, [party(app), party(app + network)]);
      }
    }
    end();
    await done();
    // The app `a` and its network `a1` have just been served.
    expect(order).toEqual(['b1.1', 'a2.1', 'b2.1', 'a1.1', 'b1.2', 'a2.2', 'b2.2', 'a1.2']);
  });

  test('of a newcomer runs before the second one of a party with many', async () => {
    own = turns({ running: 1, waiting: 100 });
    const end = await take([party('flood')]);
    const { add, order, done } = line();
    for (let number = 1; number <= 5; number += 1) add(`flood ${number}`, [party('flood')]);
    add('newcomer', [party('newcomer')]);
    end();
    await done();
    expect(order.slice(0, 2)).toEqual(['newcomer', 'flood 1']);
  });
});

describe('a wait ends', () => {
  test('after its time, with an error that says when to retry', async () => {
    own = turns({ running: 1, waiting: 10 });
    await take([]);
    const headers = { 'Retry-After': '1' };
    await expect(take([party('late')], 5)).rejects.toMatchObject({ code, headers });
    expect([own.waiting, own.parties]).toEqual([0, 0]);
  });

  test('when the client closes its connection, and at once if it has', async () => {
    own = turns({ running: 1, waiting: 10 });
    await take([]);
    const client = new AbortController();
    const waiting = take([party('gone')], 30_000, client.signal);
    expect(own.waiting).toBe(1);
    client.abort();
    await expect(waiting).rejects.toMatchObject({ code });
    await expect(take([party('gone')], 30_000, client.signal)).rejects.toMatchObject({ code });
    expect([own.waiting, own.parties]).toEqual([0, 0]);
  });
});

test.each<[string, (client: AbortController) => unknown]>([
  ['the client goes away', (client) => client.abort()],
  ['the time to wait would be over', () => vi.advanceTimersByTime(50)],
])('a call that has its turn leaves the queue as it is when %s', async (_, end) => {
  vi.useFakeTimers();
  own = turns({ running: 1, waiting: 10 });
  const first = await take([]);
  const client = new AbortController();
  const second = take([party('ada')], 50, client.signal);
  first();
  await second;
  const third = take([party('bob')]);
  end(client);
  expect([own.running, own.waiting]).toEqual([1, 1]);
  (await second)();
  await third;
  vi.useRealTimers();
});

describe('the queue', () => {
  const rejects = (shares: Share[]) => expect(take(shares)).rejects.toMatchObject({ code });

  test('refuses what a party may not fill, and has room for the others', async () => {
    own = turns({ running: 1, waiting: 12 });
    await take([]);
    const flood = [party('app'), party('flood', 1, 1 / 2)];
    const waiting = Array.from({ length: 4 }, () => take(flood));
    await rejects(flood);
    waiting.push(take([party('app'), party('other', 1, 1 / 2)]));
    expect(own.waiting).toBe(5);
    for (const each of waiting) each.then((end) => end());
    ends.shift()?.();
    await Promise.all(waiting);
  });

  test('refuses also a call without parties once it is full', async () => {
    own = turns({ running: 1, waiting: 2 });
    await take([]);
    const waiting = [take([]), take([])];
    await rejects([]);
    for (const each of waiting) each.then((end) => end());
    ends.shift()?.();
    await Promise.all(waiting);
  });

  test('of one app leaves as much as it takes to the others, however many fill theirs', async () => {
    own = turns({ running: 1, waiting: 16 });
    await take([]);
    const waiting: Promise<() => void>[] = [];
    const lengths: number[] = [];
    for (const app of ['a', 'b', 'c', 'd']) {
      const before = own.waiting;
      for (let number = 0; number < 20; number += 1) waiting.push(take([party(app)]));
      lengths.push(own.waiting - before);
    }
    expect(lengths).toEqual([8, 4, 2, 1]);
    for (const each of waiting)
      each.then(
        (end) => end(),
        () => {},
      );
    ends.shift()?.();
    await Promise.allSettled(waiting);
  });
});

describe('a party that rests', () => {
  test('keeps the place of a call for a multiple of its time while more of its calls wait; others take theirs', async () => {
    vi.useFakeTimers();
    let now = 0;
    own = turns({ running: 5, waiting: 10, elapsed: () => now });
    const ada = [party('app'), { ...party('ada', 1), rest: 2 }];
    const first = await take(ada);
    const second = take(ada);
    now = 40;
    first();
    first();
    await take([party('app'), party('bob', 1)]);
    await vi.advanceTimersByTimeAsync(79);
    expect(own.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await second;
    vi.useRealTimers();
  });

  test('rests a quarter of a second at most, and not at all if none of its calls waits', async () => {
    vi.useFakeTimers();
    let now = 0;
    own = turns({ running: 5, waiting: 10, elapsed: () => now });
    const ada = [{ ...party('ada', 1), rest: 1 }];
    const first = await take(ada);
    now = 5_000;
    first();
    const second = await take(ada);
    const third = take(ada);
    now = 10_000;
    second();
    await vi.advanceTimersByTimeAsync(249);
    expect(own.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await third;
    vi.useRealTimers();
  });

  test.each([
    [0.49, 0],
    [0.5, 1],
  ])('rests twice as long after a call of %d ms: %d ms, and not for less than one', async (ran, rests) => {
    vi.useFakeTimers();
    let now = 0;
    own = turns({ running: 5, waiting: 10, elapsed: () => now });
    const ada = [{ ...party('ada', 1), rest: 2 }];
    const first = await take(ada);
    const second = take(ada);
    now = ran;
    first();
    expect(own.waiting).toBe(rests);
    await vi.advanceTimersByTimeAsync(rests);
    await second;
    vi.useRealTimers();
  });

  test('leaves the limits of the other parties of its call as they are', async () => {
    vi.useFakeTimers();
    let now = 0;
    own = turns({ running: 10, waiting: 10, elapsed: () => now });
    const app = { ...party('app', 1), rest: 1 };
    const first = await take([app, party('ada', 1)]);
    const second = take([app, party('bob', 1)]);
    now = 100;
    first();
    // A call of the same user, by a path on which the app does not rest.
    await take([party('ada', 1)]);
    await vi.advanceTimersByTimeAsync(100);
    await second;
    await expect(
      own.take([party('ada', 1)], { milliseconds: 0, code, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code });
    vi.useRealTimers();
  });
});
