// The hourly budgets of an app; server/test/app-limits.test.ts has the calls that use them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { windowStores } from '../../test/window-stores.js';
import type { LimitedApp } from './limit-windows.js';
import { memoryWindows } from './memory-windows.js';
import { type Limiter, limiter } from './rate-limit.js';

const minute = 60_000;
const hour = 60 * minute;

describe.each(windowStores)('counted $store', ({ isReachable, open }) => {
  let time = 0;
  let limited: Limiter;
  beforeEach(async (context) => {
    if (!isReachable) return context.skip();
    time = 0;
    limited = limiter(await open(), { now: () => new Date(time) }, Buffer.alloc(32));
  });
  afterEach(() => limited?.close());

  const appWith = (budget: number): LimitedApp => ({
    id: 'app',
    rateLimits: {},
    settings: { limits: { sign_ups_per_hour: budget, mails_to_strangers_per_hour: budget } },
  });
  const app = appWith(1_000);

  type AddressOf = (place: number) => string;
  const oneAddress: AddressOf = () => '203.0.113.7';
  const in24: AddressOf = (place) => `203.0.113.${place % 256}`;
  const in64: AddressOf = (place) => `2001:db8:1:1::${(place + 1).toString(16)}`;
  const in56: AddressOf = (place) => `2001:db8:1:1${(place % 256).toString(16).padStart(2, '0')}::1`;
  const in48: AddressOf = (place) => `2001:db8:1:${(place % 65_536).toString(16)}::1`;
  /** Every place has a network of its own, as a botnet does. */
  const everywhere: AddressOf = (place) => `${11 + (place >> 16)}.${(place >> 8) & 255}.${place & 255}.1`;

  async function isServed(address: string, of = app, isProven = false): Promise<boolean> {
    return (await limited.consumeSignUp(of, { ip: address, isProven })).refusal === null;
  }

  /** How many of so many sign-ups are served. */
  async function served(attempts: number, addressOf: AddressOf, of = app, isProven = false): Promise<number> {
    let count = 0;
    for (let place = 0; place < attempts; place += 1) {
      if (await isServed(addressOf(place), of, isProven)) count += 1;
    }
    return count;
  }

  /** Others use half of the budget, from networks of their own. */
  const spendHalf = () => served(500, everywhere);

  describe('one network never closes the budget', () => {
    test.each([
      ['an IPv4 address', oneAddress],
      ['an IPv4 /24', in24],
      ['a /64', in64],
      ['a /56', in56],
      ['a /48', in48],
    ])('%s uses at most half of it, and another network is served', async (_name, addressOf) => {
      expect(await served(1_000, addressOf)).toBe(500);
      expect(await isServed('198.51.100.1')).toBe(true);
      expect(await isServed('2001:db8:2::1')).toBe(true);
    });

    test.each([
      ['an IPv4 address', oneAddress, 16],
      ['an IPv4 /24', in24, 64],
      ['a /64', in64, 16],
      ['a /56', in56, 64],
      ['a /48', in48, 250],
    ])('once half of it is used, %s has only its share', async (_name, addressOf, share) => {
      await spendHalf();
      expect(await served(1_000, addressOf)).toBe(share);
    });

    test.each([1, 2, 3, 10, 50])('of a budget of %i, one /48 leaves others theirs', async (budget) => {
      const small = appWith(budget);
      expect(await served(200, in48, small)).toBeLessThanOrEqual(Math.ceil(budget / 2));
      expect(await isServed('198.51.100.1', small)).toBe(true);
    });
  });

  describe('beyond the budget', () => {
    test('a network that used nothing is served, four in a minute of all, and none of those that used it', async () => {
      expect(await served(1_000, everywhere)).toBe(1_000);
      expect(await isServed(everywhere(7))).toBe(false);
      expect(await served(50, (place) => everywhere(2_000 + place))).toBe(4);
      time += minute;
      // What it used beyond the budget counts, too.
      expect(await isServed(everywhere(2_000))).toBe(false);
      expect(await served(50, (place) => everywhere(3_000 + place))).toBe(4);
      time += hour;
      expect(await served(1_001, everywhere)).toBe(1_001);
    });

    test('a refused caller is told the earliest time at which it is served', async () => {
      await served(1_000, everywhere);
      time += 10 * minute;
      const refusal = async (address: string) =>
        (await limited.consumeSignUp(app, { ip: address, isProven: false })).refusal;
      expect(await refusal(everywhere(7))).toMatchObject({ headers: { 'Retry-After': '3000' } });
      expect(await served(4, (place) => everywhere(2_000 + place))).toBe(4);
      expect(await refusal(everywhere(2_010))).toMatchObject({ headers: { 'Retry-After': '60' } });
    });

    test('a /48 that used nothing is served at most sixteen times in an hour', async () => {
      await served(1_000, everywhere);
      let count = 0;
      for (let turn = 0; turn < 50; turn += 1) {
        count += await served(10, (place) => in48(turn * 300 + place));
        time += minute;
      }
      expect(count).toBe(16);
    });

    test('the smallest budget serves one more every ten minutes', async () => {
      const small = appWith(1);
      expect(await served(20, everywhere, small)).toBe(2);
      time += 10 * minute;
      expect(await served(20, (place) => everywhere(100 + place), small)).toBe(1);
    });
  });

  test('beyond a budget of 240, one is served in each minute', async () => {
    const small = appWith(240);
    expect(await served(240, everywhere, small)).toBe(240);
    for (let minutes = 1; minutes <= 3; minutes += 1) {
      expect(await served(5, (place) => everywhere(1_000 * minutes + place), small)).toBe(1);
      time += minute;
    }
  });

  test('a sign-up that proves its email is served however many did not, and the other way round', async () => {
    await served(1_004, everywhere);
    expect(await isServed(everywhere(3_000))).toBe(false);
    expect(await served(1_000, everywhere, app, true)).toBe(1_000);
    time += hour;
    expect(await served(1_004, everywhere, app, true)).toBe(1_004);
    expect(await isServed(everywhere(3_000))).toBe(true);
  });

  test('a refusal says that the network used too much, and the call that uses up the budget says so', async () => {
    const call = async (address: string) =>
      (await limited.consumeSignUp(app, { ip: address, isProven: false })).reached;
    const ofFlood = new Set<string | null>();
    for (let place = 0; place < 500; place += 1) ofFlood.add(await call(oneAddress(place)));
    expect([...ofFlood]).toEqual([null]);
    expect(await call(oneAddress(0))).toBe('network');
    const ofOthers: (string | null)[] = [];
    for (let place = 0; place < 510; place += 1) ofOthers.push(await call(everywhere(place)));
    expect(ofOthers.indexOf('app')).toBe(499);
    expect(ofOthers.filter((reached) => reached !== null)).toHaveLength(1);
  });

  describe('codes to emails without an account', () => {
    const mail = (address: string, isStranger = true, sender: 'anonymous' | 'user' = 'anonymous') =>
      limited.consumeMailToStranger(app, { isStranger, sender, ip: address });
    const mailed = async (attempts: number, addressOf: AddressOf) => {
      let count = 0;
      for (let place = 0; place < attempts; place += 1) {
        if ((await mail(addressOf(place))).isAllowed) count += 1;
      }
      return count;
    };

    test('one network leaves others theirs, and beyond the budget those that used nothing are served', async () => {
      expect(await mailed(1_000, in48)).toBe(500);
      expect(await mailed(500, everywhere)).toBe(500);
      expect(await mailed(10, everywhere)).toBe(0);
      expect(await mailed(10, (place) => everywhere(2_000 + place))).toBe(4);
    });

    test('mails to emails with an account always go out, and use up and return nothing', async () => {
      const before = await mailed(1_004, everywhere);
      expect(before).toBe(1_004);
      for (let place = 0; place < 100; place += 1) {
        expect(await mail(everywhere(place), false)).toEqual({ isAllowed: true, reached: null });
      }
      expect(await mailed(50, everywhere)).toBe(0);
      time += hour;
      for (let place = 0; place < 700; place += 1) await mail(oneAddress(place), false);
      expect(await mailed(1_000, everywhere)).toBe(1_000);
    });

    test('anonymous callers do not use up the mails by which signed-in users change their email', async () => {
      await mailed(1_004, everywhere);
      expect(await mail(everywhere(3_000), true, 'user')).toMatchObject({ isAllowed: true });
    });

    test('known and unknown emails cost the same calls of the store', async () => {
      const calls: string[] = [];
      const store = memoryWindows();
      const counting = limiter(
        {
          ...store,
          consume: (windows, now) => {
            calls.push(`consume ${windows.length}`);
            return store.consume(windows, now);
          },
          refund: (windows, ...times) => {
            calls.push(`refund ${windows.length}`);
            return store.refund(windows, ...times);
          },
        },
        { now: () => new Date(time) },
        Buffer.alloc(32),
      );
      const callsOf = async (isStranger: boolean, address: string) => {
        calls.length = 0;
        await counting.consumeMailToStranger(app, { isStranger, sender: 'anonymous', ip: address });
        return [...calls];
      };
      for (const place of [0, 10, 100, 300]) {
        while (place > 0 && (await callsOf(true, in48(place))).length < 2);
        expect(await callsOf(true, in48(place))).toEqual(await callsOf(false, in48(place)));
      }
      for (let place = 0; place < 1_100; place += 1) {
        const address = everywhere(Math.floor(place / 2));
        expect(await callsOf(false, address)).toEqual(await callsOf(true, address));
      }
    });
  });
});
