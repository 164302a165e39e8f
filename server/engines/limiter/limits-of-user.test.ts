// Every limit by which a user is kept from signing in is shown, and lifted; server/src/support has the calls.
import { limits } from '@foyer/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { windowStores } from '../../test/window-stores.js';
import type { LimitedApp } from './limit-windows.js';
import type { LimitedUser } from './limits-of-user.js';
import { type Limiter, limiter } from './rate-limit.js';

const app: LimitedApp = {
  id: 'app',
  rateLimits: {},
  settings: { limits: { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 } },
};
const email = 'ada@example.com';
const ip = '192.0.2.1';
const ofIpv6 = '2001:db8:1:1::1';
const user: LimitedUser = {
  ...{ uid: 'ada', email, deviceIds: ['phone'] },
  kinds: ['sign_in', 'reset'].map((kind) => ({ kind, isVerified: true })),
  ips: [ip, ofIpv6],
};
const others = (place: number) => `198.51.${place >> 8}.${place & 255}`;
const phone = { uid: 'ada', deviceId: 'phone' };

/** Whether a call may go on. */
type Attempt = (limited: Limiter, place: number) => Promise<boolean>;
const failure =
  (of: (place: number) => Parameters<Limiter['consumeFailure']>[1]): Attempt =>
  (limited, place) =>
    limited.consumeFailure(app, of(place)).then(
      () => true,
      () => false,
    );
const guess =
  (of: object): Attempt =>
  (limited) =>
    limited.consumeCodeGuess(app, { kind: 'sign_in', email, ip, known: null, flowOnly: false, ...of }).then(
      () => true,
      () => false,
    );
const mail =
  (of: (place: number) => object): Attempt =>
  async (limited, place) =>
    (await limited.consumeMail(app, { kind: 'sign_in', email, ip, isVerified: true, ...of(place) }))
      .isAllowed;

const { rateLimits } = limits;
const most = (policy: keyof typeof rateLimits) => rateLimits[policy].limit;

/** The attempts that are allowed, with a pause before each, and the limits that are shown then. */
const cases: [string, Attempt, { allowed: number; pauseSeconds?: number }, [string, string | null][]][] = [
  [
    'wrong passwords from one IP address',
    failure(() => ({ email, ip, proof: 'password' })),
    { allowed: most('auth-failures-email-ip') },
    [['auth-failures-email-ip', ip]],
  ],
  [
    'wrong passwords from one IPv6 network',
    failure((place) => ({ email, ip: `2001:db8:1:1::${place}`, proof: 'password' })),
    { allowed: most('auth-failures-email-ip') },
    [['auth-failures-email-ip', ofIpv6]],
  ],
  [
    'wrong passwords from many IP addresses',
    failure((place) => ({ email, ip: others(place), proof: 'password' })),
    { allowed: most('auth-failures-email') },
    [['auth-failures-email', null]],
  ],
  [
    'wrong codes from one IP address',
    failure(() => ({ email, ip, proof: 'code' })),
    { allowed: most('code-failures-email-ip') },
    [['code-failures-email-ip', ip]],
  ],
  [
    'wrong codes from many IP addresses',
    failure((place) => ({ email, ip: others(place), proof: 'code' })),
    { allowed: most('code-failures-email') },
    [['code-failures-email', null]],
  ],
  [
    'wrong passwords on a known device',
    failure(() => phone),
    { allowed: most('auth-failures-device') },
    [['auth-failures-device', null]],
  ],
  [
    'wrong passwords of the signed-in user',
    failure(() => ({ uid: 'ada' })),
    { allowed: most('auth-failures-user') },
    [['auth-failures-user', null]],
  ],
  [
    'a day of wrong codes from one IP address',
    guess({}),
    { allowed: most('code-guesses-email-day') },
    [
      ['code-guesses-email-day', null],
      ['code-guesses-network', ip],
    ],
  ],
  [
    'a day of wrong codes of another kind',
    guess({ kind: 'reset' }),
    { allowed: most('code-guesses-email-day') },
    [
      ['code-guesses-email-day', null],
      ['code-guesses-network', ip],
    ],
  ],
  [
    'a day of wrong codes of a known device',
    guess({ known: phone }),
    { allowed: most('code-guesses-email-day') },
    [['code-guesses-email-day', null]],
  ],
  [
    'a day of wrong codes of the signed-in user',
    guess({ known: { uid: 'ada' } }),
    { allowed: most('code-guesses-email-day') },
    [['code-guesses-email-day', null]],
  ],
  [
    'codes requested from one IP address',
    mail(() => ({})),
    { allowed: most('code-send-email-ip'), pauseSeconds: 30 },
    [
      ['code-send-email-ip', ip],
      ['code-send-email-ip-day', ip],
    ],
  ],
  [
    'codes requested from many IP addresses',
    mail((place) => ({ ip: others(place) })),
    // The first beyond the total is the one of its ten minutes.
    { allowed: most('code-send-email') + 1 },
    [['code-send-email', null]],
  ],
  [
    'codes requested on a known device',
    mail(() => ({ known: phone })),
    { allowed: most('code-send-email-ip'), pauseSeconds: 30 },
    [
      ['code-send-email-ip', null],
      ['code-send-email-ip-day', null],
    ],
  ],
];

describe.each(windowStores)('limits $store', ({ isReachable, open }) => {
  let time = 0;
  let limited: Limiter;
  beforeEach(async (context) => {
    if (!isReachable) return context.skip();
    time = 0;
    limited = limiter(await open(), { now: () => new Date(time) }, Buffer.alloc(32));
  });
  afterEach(() => limited?.close());

  test.each(cases)(
    'after %s are shown, and lifted for this user alone',
    async (_, attempt, { allowed, pauseSeconds = 0 }, shown) => {
      const other = { ...user, uid: 'grace', email: 'grace@example.com', deviceIds: ['laptop'] };
      const attempts: boolean[] = [];
      for (let place = 0; place <= allowed; place += 1) {
        time += pauseSeconds * 1_000;
        attempts.push(await attempt(limited, place));
      }
      expect(attempts).toEqual([...Array(allowed).fill(true), false]);
      const reached = await limited.reachedBy(app, user);
      expect(reached.map(({ policy, ip }) => [policy, ip])).toEqual(shown);
      for (const { until } of reached) expect(until.getTime()).toBeGreaterThan(time);
      expect(await limited.reachedBy(app, other)).toEqual([]);
      await limited.clear(app, other);
      expect(await limited.reachedBy(app, user)).toEqual(reached);
      await limited.clear(app, user);
      expect(await limited.reachedBy(app, user)).toEqual([]);
      time += pauseSeconds * 1_000;
      expect(await attempt(limited, allowed + 1)).toBe(true);
    },
  );
});
