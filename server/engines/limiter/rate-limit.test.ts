import { expect, test } from 'vitest';
import { memoryWindows } from './memory-windows.js';
import { limiter, rateLimitHeaders } from './rate-limit.js';

test('the header fields are those of the IETF draft', () => {
  const rule = { limit: 300, windowSeconds: 60 };
  expect(rateLimitHeaders({ policy: 'client', place: 0, rule, remaining: 12, resetSeconds: 34 })).toEqual({
    'RateLimit-Policy': '"client";q=300;w=60',
    RateLimit: '"client";r=12;t=34',
  });
});

test('IPv6 has four times the limit of a /64 for its /56, and sixteen times for its /48', async () => {
  const limits = { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 };
  const rateLimits = { 'auth-ip': { limit: 2, windowSeconds: 60 } };
  const app = { id: 'app', rateLimits, settings: { limits } };
  const { tryConsume } = limiter(memoryWindows(), { now: () => new Date(0) }, Buffer.alloc(32));
  const call = (ip: string) => tryConsume('auth-ip', app, { ip });
  /** Calls not refused, of three from each of so many /64 of a /56. */
  const allowed = async (prefix: string, networks: number) => {
    let count = 0;
    for (let place = 0; place < networks * 3; place += 1) {
      const network = (place % networks).toString(16).padStart(2, '0');
      const state = await call(`${prefix}${network}::${place + 1}`);
      if (state && state.remaining >= 0) count += 1;
    }
    return count;
  };
  expect(await allowed('2001:db8:1:1', 2)).toBe(4);
  // Calls that the /64 limit refused did not count against the /56: it has four calls left.
  expect(await allowed('2001:db8:1:1', 5)).toBe(4);
  const refused = { remaining: -1, rule: { limit: 8, windowSeconds: 60 } };
  expect(await call('2001:db8:1:1ff::1')).toMatchObject({ ...refused, place: 1 });
  const next: number[] = [];
  for (let place = 2; place <= 6; place += 1) next.push(await allowed(`2001:db8:1:${place}`, 6));
  expect(next).toEqual([8, 8, 8, 0, 0]);
  expect(await call('2001:db8:1:9900::1')).toMatchObject({
    rule: { limit: 32, windowSeconds: 60 },
    place: 2,
  });
  expect(await allowed('2001:db8:2:1', 1)).toBe(2);
  for (let place = 0; place < 40; place += 1) {
    expect(await call(`203.0.113.${place}`)).toMatchObject({ remaining: 1 });
  }
});

test('a failure that is refunded twice is refunded once', async () => {
  const limits = { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 };
  const app = { id: 'app', rateLimits: {}, settings: { limits } };
  const { consumeFailure } = limiter(memoryWindows(), { now: () => new Date(0) }, Buffer.alloc(32));
  const fail = () => consumeFailure(app, { email: 'ada@example.com', ip: '192.0.2.1', proof: 'password' });
  const first = await fail();
  let counted = 1;
  const refused = async () => {
    for (; counted < 1_000; counted += 1) if ((await fail().catch((error) => error)).code) return;
  };
  await refused();
  await first.refund();
  await first.refund();
  await fail();
  await expect(fail()).rejects.toMatchObject({ code: 'request/rate-limited' });
});
