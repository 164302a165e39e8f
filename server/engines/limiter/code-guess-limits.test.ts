// The day's budget of wrong guesses at emailed codes; server/test/code-guesses.test.ts has the calls.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { windowStores } from '../../test/window-stores.js';
import type { CodeGuess } from './code-guess-limits.js';
import type { LimitedApp } from './limit-windows.js';
import { type Limiter, limiter } from './rate-limit.js';

const day = 86_400_000;
describe.each(windowStores)('counted $store', ({ isReachable, open }) => {
  let time = 0;
  let limited: Limiter;
  beforeEach(async (context) => {
    if (!isReachable) return context.skip();
    time = 0;
    limited = limiter(await open(), { now: () => new Date(time) }, Buffer.alloc(32));
  });
  afterEach(() => limited?.close());

  const settings = { limits: { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 } };
  const appOf = (id: string): LimitedApp => ({ id, rateLimits: {}, settings });
  const strangers = {
    kind: 'sign_in',
    email: 'ada@example.com',
    ip: '192.0.2.1',
    known: null,
    flowOnly: false,
  };

  /** How many of so many wrong guesses are judged. */
  async function judged(guesses: number, of: Partial<CodeGuess> = {}, app = 'app'): Promise<number> {
    let count = 0;
    for (let place = 0; place < guesses; place += 1) {
      await limited.consumeCodeGuess(appOf(app), { ...strangers, ...of }).then(
        () => {
          count += 1;
        },
        () => {},
      );
    }
    return count;
  }

  test('a hundred wrong guesses at codes of one kind for one email are judged in a day, of all strangers together', async () => {
    expect(await judged(60)).toBe(60);
    expect(await judged(60, { ip: '192.0.2.2' })).toBe(40);
    expect(await judged(1, { ip: '192.0.2.3' })).toBe(0);
    time = day - 1;
    expect(await judged(1)).toBe(0);
    time = day;
    expect(await judged(101)).toBe(100);
  });

  test('other kinds, emails and apps, and each known client, have budgets of their own', async () => {
    await judged(100);
    const known = { uid: 'ada' };
    for (const other of [
      { kind: 'reset' },
      { email: 'ada+tag@example.com' },
      { known },
      { known: { ...known, deviceId: 'phone' } },
    ]) {
      expect(await judged(101, other)).toBe(100);
    }
    expect(await judged(101, {}, 'another')).toBe(100);
  });

  test('a guess that is taken back is not counted', async () => {
    for (let place = 0; place < 200; place += 1) {
      const { refund } = await limited.consumeCodeGuess(appOf('app'), strangers);
      await refund();
      await refund();
    }
    expect(await judged(101)).toBe(100);
  });

  test('beyond the budget a network without a wrong guess has one more, at a code that only its flow opens', async () => {
    const slow = { flowOnly: true };
    expect(await judged(101, slow)).toBe(100);
    expect(await judged(2, { ...slow, ip: '192.0.2.2' })).toBe(1);
    expect(await judged(1, { ip: '192.0.2.3' })).toBe(0);
    let ofPrefix = 0;
    for (let place = 0; place < 40; place += 1) {
      ofPrefix += await judged(1, { ...slow, ip: `2001:db8:1:${place}::1` });
    }
    expect(ofPrefix).toBe(4);
  });
});
