// How often codes of one kind are mailed to one email; server/test/mail-limits.test.ts has the calls that mail them.
import { beforeEach, expect, test } from 'vitest';
import type { LimitedApp } from './limit-windows.js';
import { memoryWindows } from './memory-windows.js';
import { type CountedMail, type Limiter, limiter } from './rate-limit.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let time = 0;
let limited: Limiter;
beforeEach(() => {
  time = 0;
  limited = limiter(memoryWindows(), { now: () => new Date(time) });
});

const limits = { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 };
const appOf = (id: string): LimitedApp => ({ id, rateLimits: {}, settings: { limits } });
const ada = 'ada@example.com';

let lastAddress = 0;
/** A send from an IP address of its own unless it names one. */
function send({ email = ada, kind = 'sign_in', address = '', app = 'app' } = {}): Promise<CountedMail> {
  lastAddress += 1;
  const ipAddress = address || `198.51.${lastAddress >> 8}.${lastAddress & 255}`;
  return limited.consumeMail(appOf(app), { kind, email, ipAddress });
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
  // The first beyond thirty is the one of its ten minutes.
  expect(await mailed(32)).toBe(31);
  for (let turn = 1; turn <= 3; turn += 1) {
    time += 10 * minute - 1;
    expect(await mailed(1)).toBe(0);
    time += 1;
    expect(await mailed(2)).toBe(1);
  }
  time += 24 * hour;
  expect(await mailed(2)).toBe(2);
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
  // Without a name before the tag it is an email of its own.
  expect(await mailed(1, { email: '+ada@example.com', ...stranger })).toBe(1);
  expect(await mailed(1, { email: '+@example.com', ...stranger })).toBe(1);
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
