// How often codes of one kind are mailed to one email; server/test/mail-limits.test.ts has the calls that mail them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { windowStores } from '../../test/window-stores.js';
import type { LimitedApp } from './limit-windows.js';
import type { CodeMail } from './mail-limits.js';
import { memoryWindows } from './memory-windows.js';
import { type CountedMail, type Limiter, limiter } from './rate-limit.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe.each(windowStores)('counted $store', ({ store, isReachable, open }) => {
  /** Each call of Redis takes a way there and back. */
  const shorter = store === 'in Redis' ? 2 : 1;
  let time = 0;
  let limited: Limiter;
  beforeEach(async (context) => {
    if (!isReachable) return context.skip();
    time = 0;
    limited = limiter(await open(), { now: () => new Date(time) }, Buffer.alloc(32));
  });
  afterEach(() => limited?.close());

  const limits = { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 };
  const appOf = (id: string): LimitedApp => ({ id, rateLimits: {}, settings: { limits } });
  const ada = 'ada@example.com';

  let lastAddress = 0;
  /** A send from an IP address of its own unless it names one. */
  function send({
    email = ada,
    kind = 'sign_in',
    address = '',
    app = 'app',
    ...more
  }: Partial<CodeMail> & { address?: string; app?: string } = {}): Promise<CountedMail> {
    lastAddress += 1;
    const ip = address || `198.51.${lastAddress >> 8}.${lastAddress & 255}`;
    return limited.consumeMail(appOf(app), { ...more, kind, email, ip });
  }

  /** How many of so many sends are mailed, with a pause after each. */
  async function mailed(sends: number, of: Parameters<typeof send>[0] = {}, pause = 0): Promise<number> {
    let count = 0;
    for (let sent = 0; sent < sends; sent += 1) {
      if ((await send(of)).isAllowed) count += 1;
      time += pause;
    }
    return count;
  }

  const stranger = { address: '203.0.113.7' };

  test('a mail that has to wait for the next ten minutes says how many seconds', async () => {
    expect(await mailed(31)).toBe(31);
    for (const [milliseconds, seconds] of [
      [0, 600],
      [999, 600],
      [1_000, 599],
      [599_999, 1],
    ] as const) {
      time = milliseconds;
      expect(await send()).toMatchObject({ isAllowed: false, isSlow: true, resetSeconds: seconds });
    }
  });

  test('one IP address causes one mail in thirty seconds', async () => {
    expect(await mailed(2, stranger)).toBe(1);
    time += 30 * second - 1;
    expect(await mailed(1, stranger)).toBe(0);
    time += 1;
    expect(await mailed(1, stranger)).toBe(1);
  });

  test('one IP address causes at most five mails an hour; the sixth waits until the hour has passed', async () => {
    expect(await mailed(7, stranger, 30 * second)).toBe(5);
    time = hour - 1;
    expect(await mailed(1, stranger)).toBe(0);
    time += 1;
    expect(await mailed(1, stranger)).toBe(1);
  });

  test('all IP addresses cause at most thirty mails a day of one kind, and then one every ten minutes', async () => {
    // The first beyond thirty is the one of its ten minutes, since nobody was refused before.
    expect(await mailed(32)).toBe(31);
    for (let mails = 1; mails <= 3; mails += 1) {
      time += 10 * minute - 1;
      expect(await mailed(1)).toBe(0);
      // Nobody asks in the next ten minutes.
      time += 10 * minute + 1;
      expect(await mailed(2)).toBe(1);
    }
    time += 24 * hour;
    expect(await mailed(2)).toBe(2);
  });

  describe('beyond the total of the day', () => {
    const owner = { address: '192.0.2.1' };
    /** Exhausts the total, and takes the slot of the first ten minutes. */
    const exhaust = () => mailed(31);

    /** Counts the emails whose owner is mailed in the second ten minutes, after asking last in the first. */
    async function won(emails: number, addresses: string[]): Promise<number> {
      let mails = 0;
      for (let place = 0; place < emails; place += 1) {
        const email = `${place}@example.com`;
        time += day;
        await mailed(31, { email });
        for (const address of addresses) await mailed(2, { email, address });
        await mailed(1, { email, ...owner });
        time += 10 * minute;
        for (const address of addresses) await mailed(1, { email, address });
        mails += await mailed(1, { email, ...owner });
      }
      return mails;
    }

    test('the mail of ten minutes goes to one drawn from those who asked in the ten minutes before', async () => {
      const others = ['203.0.113.1', '203.0.114.1', '203.0.115.1'];
      // 20 on average: those who exhausted the total asked, too. The test's key decides the draws.
      const mails = shorter * (await won(100 / shorter, others));
      expect(mails).toBeGreaterThan(8);
      expect(mails).toBeLessThan(40);
    });

    test('the addresses of one network have the chance of one', async () => {
      const ofOneNetwork = Array.from({ length: 12 }, (_, host) => `203.0.113.${host}`);
      // 17 on average, and 4 if each address had a chance of its own.
      expect(shorter * (await won(50 / shorter, ofOneNetwork))).toBeGreaterThan(8);
      const ofOnePrefix = Array.from({ length: 12 }, (_, place) => `2001:db8:1:${place}::1`);
      expect(shorter * (await won(50 / shorter, ofOnePrefix))).toBeGreaterThan(8);
    });

    test('one who was drawn gets one mail, and one who was not drawn gets none', async () => {
      await exhaust();
      time = 20 * minute;
      expect(await mailed(1, owner)).toBe(1);
      time = 30 * minute;
      expect(await mailed(5)).toBe(0);
      expect(await mailed(3, owner)).toBe(1);
    });

    test('requests that mail nothing count once in ten minutes, and after five their sender is drawn apart', async () => {
      await exhaust();
      const patient = { address: '203.0.113.1' };
      for (let period = 0; period < 5; period += 1) {
        time = period * 10 * minute;
        await mailed(9, patient);
      }
      time = 50 * minute;
      // Drawn in the fifth ten minutes, but only for a mail of those who asked seldom.
      await mailed(1, patient);
      await mailed(1, owner);
      time = 60 * minute;
      expect(await mailed(1, patient)).toBe(1);
      expect(await mailed(1, owner)).toBe(1);
    });

    test.each<[string, Partial<CodeMail>]>([
      ['device', { known: { uid: 'ada', deviceId: 'phone' } }],
      ['session', { known: { uid: 'ada' } }],
    ])('a client known by its %s is mailed at once, with limits of its own', async (_name, known) => {
      await exhaust();
      const ask = () => send({ ...known, isVerified: true });
      expect((await ask()).isAllowed).toBe(true);
      expect((await ask()).isAllowed).toBe(false);
      let mails = 1;
      for (let pauses = 1; pauses < 60; pauses += 1) {
        time += 30 * second;
        if ((await ask()).isAllowed) mails += 1;
      }
      expect(mails).toBe(5);
    });

    test('known clients of one user share a total, and those of unverified accounts one for the mailbox', async () => {
      for (const isVerified of [true, false]) {
        let mails = 0;
        for (let place = 0; place < 40; place += 1) {
          const email = isVerified ? ada : `ada+${place}@example.com`;
          const known = { uid: isVerified ? 'ada' : `${place}`, deviceId: `${place}` };
          if ((await send({ email, known, isVerified })).isAllowed) mails += 1;
        }
        expect(mails).toBe(31);
      }
      expect(await mailed(1)).toBe(1);
    });
  });

  test('the owner still gets a code after 49 sends in seven hours from an attacker’s IP address', async () => {
    let mails = 0;
    for (let hours = 0; hours < 7; hours += 1) {
      time = hours * hour;
      mails += await mailed(7, stranger, 31 * second);
    }
    // Five an hour until thirty were mailed, then the first of the ten minutes.
    expect(mails).toBe(31);
    expect(await mailed(1)).toBe(1);
  });

  test('only the send that exhausts the total of the day reports it', async () => {
    const reported: number[] = [];
    for (let sent = 1; sent <= 40; sent += 1) if ((await send()).reachedTotal) reported.push(sent);
    expect(reported).toEqual([30]);
  });

  test('nor does one before it report it, in an app that lets a sender ask several times at once', async () => {
    const app = {
      ...appOf('app'),
      rateLimits: { 'code-send-email-ip-pause': { limit: 3, windowSeconds: 30 } },
    };
    const reported: number[] = [];
    for (let sent = 1; sent <= 40; sent += 1) {
      const mail = { kind: 'sign_in', email: ada, ip: `198.51.100.${sent}` } as const;
      if ((await limited.consumeMail(app, mail)).reachedTotal) reported.push(sent);
    }
    expect(reported).toEqual([30]);
  });

  test('kinds of codes, apps and emails have separate limits', async () => {
    expect(await mailed(35)).toBe(31);
    for (const other of [{ kind: 'reset' }, { app: 'other' }, { email: 'grace@example.com' }]) {
      expect(await mailed(1, other)).toBe(1);
    }
  });

  test('the +tags of an email are one mailbox', async () => {
    const tagged = ['ada+a@example.com', 'ada+b+c@example.com', 'ada@example.com'];
    const verdicts = [];
    for (const email of tagged) verdicts.push((await send({ email, ...stranger })).isAllowed);
    expect(verdicts).toEqual([true, false, false]);
    for (let tag = 0; tag < 40; tag += 1) await send({ email: `ada+${tag}@example.com` });
    expect(await mailed(1)).toBe(0);
    // An email without a name before the tag is an email of its own.
    expect(await mailed(1, { email: '+ada@example.com', ...stranger })).toBe(1);
    expect(await mailed(1, { email: '+@example.com', ...stranger })).toBe(1);
  });

  test('the spellings of a Gmail address are one mailbox', async () => {
    const spellings = ['a.lovelace@gmail.com', 'alove.lace@gmail.com', 'a.l.ovelace+x@googlemail.com'];
    const verdicts = [];
    for (const email of spellings) verdicts.push((await send({ email, ...stranger })).isAllowed);
    expect(verdicts).toEqual([true, false, false]);
    const elsewhere = ['a.lovelace@example.com', 'alovelace@example.com', 'a.lovelace@gmail.com.example'];
    for (const email of elsewhere) expect(await mailed(1, { email, ...stranger })).toBe(1);
  });

  test('a flood on one email is bounded: thirty mails a day, and one in ten minutes of each of the two draws', async () => {
    const addresses = Array.from({ length: 30 }, (_, place) => `${60 + place}.7.7.7`);
    let mails = 0;
    const hours = 24 / shorter;
    for (let asked = 0; asked < hours * 12; asked += 1) {
      for (const address of addresses) mails += await mailed(1, { address });
      time += 5 * minute;
    }
    expect(mails).toBeGreaterThan(30);
    expect(mails).toBeLessThanOrEqual(30 + 2 * 6 * hours);
  });

  test('a mail that failed is not counted, however often its count is returned', async () => {
    for (let sent = 0; sent < 100; sent += 1) {
      const counted = await send(stranger);
      expect(counted.isAllowed).toBe(true);
      await counted.refund();
      await counted.refund();
    }
    expect(await mailed(2, stranger)).toBe(1);
  });
});

// Instances of two versions draw together.
test.each([
  ['203.0.113.7', [4_083_567_413_807_354, 1_649_910_357_299_415]],
  ['2001:db8:1:2::3', [3_434_547_873_990_549, 2_495_207_703_017_922]],
])('the rank of %s in a draw never changes', async (ip, ranks) => {
  const drawn: number[] = [];
  const store = memoryWindows();
  const draw: typeof store.draw = (entry) => {
    drawn.push(entry.rank);
    return store.draw(entry);
  };
  let time = 0;
  const limited = limiter({ ...store, draw }, { now: () => new Date(time) }, Buffer.alloc(32));
  const settings = { limits: { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 } };
  const app: LimitedApp = {
    id: 'app',
    rateLimits: { 'code-send-email': { limit: 1, windowSeconds: day } },
    settings,
  };
  const send = (address: string) =>
    limited.consumeMail(app, { kind: 'sign_in', email: 'ada@example.com', ip: address });
  await send('198.51.100.1');
  for (let period = 0; period < 2; period += 1) {
    await send(ip);
    time += 10 * minute;
  }
  expect(drawn).toEqual(ranks);
});
