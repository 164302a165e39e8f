// Token refresh: when it starts, how often it is sent, and its outcome for every caller.
import { describe, expect, test, vi } from 'vitest';
import { freshToken } from '../src/session/session.js';
import {
  codeOf,
  expiredClient,
  movingClock,
  signedInClient,
  stopClock,
  storageKey,
  storedClient,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import { answers, lostAnswer, lostRequest, refuses, silence, silenceAfterWork } from './mishaps.js';
import { meRoute, refreshRoute } from './scripted-service.js';

const service = useScriptedService();

describe('single flight', () => {
  test('30 parallel calls with an expired token share one refresh, and each is retried once', async () => {
    const client = await expiredClient();
    const users = await Promise.all(Array.from({ length: 30 }, () => client.me.get()));
    expect(users).toHaveLength(30);
    expect(service.count(refreshRoute)).toBe(1);
    expect(service.count(meRoute)).toBe(60);
  });

  test('a call rejected with an already replaced token is retried without a refresh', async () => {
    const client = await expiredClient();
    const { call: late, open: release } = await service.holding(meRoute, () => client.me.get());
    await client.me.get();
    release();
    await late;
    expect(service.count(refreshRoute)).toBe(1);
  });

  test('a call that is rejected again after a refresh is not retried a second time', async () => {
    const client = await signedInClient();
    service.always.set(meRoute, refuses(401, 'auth/token-expired'));
    expect(await codeOf(client.me.get())).toBe('auth/token-expired');
    expect(service.count(meRoute)).toBe(2);
    expect(service.count(refreshRoute)).toBe(1);
  });

  test('a 401 with any other code starts no refresh', async () => {
    const client = await signedInClient();
    service.next(meRoute, refuses(401, 'auth/invalid-credential'));
    expect(await codeOf(client.me.get())).toBe('auth/invalid-credential');
    expect(service.count(refreshRoute)).toBe(0);
  });

  test('a caller that aborts leaves the refresh to the others', async () => {
    const client = await signedInClient();
    const storage = new AbortController();
    service.expireAccessTokens();
    const release = service.hold(refreshRoute);
    const impatient = codeOf(client.me.get({ signal: storage.signal }));
    const patient = client.me.get();
    await service.seen(refreshRoute);
    storage.abort();
    expect(await impatient).toBe('client/aborted');
    release();
    await patient;
    expect(service.count(refreshRoute)).toBe(1);
  });
});

describe('a lost response', () => {
  test('the same token is sent again, its successor stored, and the session remains', async () => {
    const { client, storage } = await storedClient();
    service.expireAccessTokens();
    service.next(refreshRoute, lostAnswer);
    stopClock();
    await movingClock(client.me.get());
    const [first, second] = service.sentRefreshTokens();
    expect(second).toBe(first);
    expect(storage.values.get('foyer.app_test')).toContain(service.sessions[0]?.tokens[1]);
    service.expireAccessTokens();
    await movingClock(client.me.get());
    expect(service.reuses).toBe(0);
  });

  test('a response that takes longer than 8 seconds is requested again', async () => {
    const client = await expiredClient();
    service.next(refreshRoute, silenceAfterWork, silenceAfterWork);
    stopClock();
    await movingClock(client.me.get());
    expect(new Set(service.sentRefreshTokens()).size).toBe(1);
    expect(service.count(refreshRoute)).toBe(3);
    const [first, , third] = service.sent(refreshRoute);
    expect(third!.atMs - first!.atMs).toBeLessThan(16_500);
    expect(service.reuses).toBe(0);
  });

  test.each([
    ['cut off', lostRequest, 4],
    ['left in silence', silence, 3],
  ])('a token whose refresh is always %s is retried within 20 seconds only', async (_, mishap, sends) => {
    const client = await expiredClient();
    service.always.set(refreshRoute, mishap);
    stopClock();
    await movingClock(codeOf(client.me.get()));
    const times = service.sent(refreshRoute).map(({ atMs }) => atMs);
    expect(times).toHaveLength(sends);
    expect(times.at(-1)! - times[0]!).toBeLessThanOrEqual(20_000);
  });
});

describe('before the expiry', () => {
  test.each([
    [3_600, 3_600 - 61, 3_600 - 59],
    [300, 300 - 61, 300 - 59],
    [100, 79, 81],
  ])('a token of %d seconds is used as it is at %d and renewed first at %d', async (life, early, late) => {
    service.accessTokenSeconds = life;
    stopClock();
    const client = await movingClock(signedInClient(), 1);
    await vi.advanceTimersByTimeAsync(early * 1_000);
    await movingClock(client.me.get(), 1);
    expect(service.count(refreshRoute)).toBe(0);
    await vi.advanceTimersByTimeAsync((late - early) * 1_000);
    await movingClock(client.me.get(), 1);
    expect(service.count(refreshRoute)).toBe(1);
    expect(service.count(meRoute)).toBe(2);
  });

  test.each([
    [3_600_000, 60_000, 3_539_999],
    [300_000, 60_000, 239_999],
    [100_000, 60_000, 79_999],
    [100_000, 0, 99_999],
  ])(
    'a token of %d ms with a margin of %d ms is fresh for %d ms and no longer',
    (lifeMs, marginMs, lastMs) => {
      const at = (ageMs: number) =>
        freshToken({ access: { bearer: 'a', refreshes: 0, lifeMs, ageMs: () => ageMs } }, marginMs);
      expect([at(lastMs), at(lastMs + 1)]).toEqual(['a', undefined]);
    },
  );

  test('a failed early refresh leaves the call its valid token', async () => {
    stopClock();
    const client = await movingClock(signedInClient());
    await vi.advanceTimersByTimeAsync(3_550_000);
    service.next(refreshRoute, refuses(400, 'request/malformed-json'));
    await movingClock(client.me.get(), 1);
    expect(service.count(meRoute)).toBe(1);
  });
});

describe('a wrong clock', () => {
  const dayMs = 86_400_000;

  test.each([-dayMs, dayMs])('a device clock that is %d ms off causes no refresh', async (offMs) => {
    const begin = Date.now();
    service.now = () => begin;
    vi.useFakeTimers({ toFake: ['Date'], now: begin + offMs });
    const client = await signedInClient();
    for (let call = 0; call < 20; call++) await client.me.get();
    expect(service.count(refreshRoute)).toBe(0);
  });

  test.each([
    ['back', -dayMs, 0],
    // Set forward it is indistinguishable from sleep, in which monotonic clocks stop.
    ['forward', dayMs, 1],
  ])(
    'a device clock set %s by a day during the session causes few refreshes',
    async (_, jumpMs, refreshes) => {
      const begin = Date.now();
      service.now = () => begin;
      const client = await signedInClient();
      vi.useFakeTimers({ toFake: ['Date'], now: begin + jumpMs });
      for (let call = 0; call < 20; call++) await client.me.get();
      expect(service.count(refreshRoute)).toBe(refreshes);
    },
  );

  test('a device clock set back does not make an expired token look fresh', async () => {
    stopClock();
    const begin = Date.now();
    service.now = () => begin;
    const client = await movingClock(signedInClient());
    vi.setSystemTime(begin - dayMs);
    await vi.advanceTimersByTimeAsync(3_600_000);
    service.now = () => begin + 3_600_000;
    await movingClock(client.me.get(), 1);
    expect(service.count(refreshRoute)).toBe(1);
    expect(service.count(meRoute)).toBe(1);
  });

  test('a device that slept for two hours refreshes once, before the first call', async () => {
    const client = await signedInClient();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    await Promise.all([client.me.get(), client.me.get()]);
    expect(service.count(refreshRoute)).toBe(1);
    expect(service.count(meRoute)).toBe(2);
  });
});

describe('a rate-limited service', () => {
  test('after a refresh answered 429 no refresh is sent before Retry-After has passed', async () => {
    const client = await expiredClient();
    service.next(refreshRoute, refuses(429, 'request/rate-limited', { 'Retry-After': '60' }));
    stopClock();
    for (let call = 0; call < 3; call++) {
      expect(await movingClock(codeOf(client.me.get()))).toBe('request/rate-limited');
    }
    expect(service.count(refreshRoute)).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    await movingClock(client.me.get());
    expect(service.count(refreshRoute)).toBe(2);
  });

  test('a response without tokens never replaces the session', async () => {
    const client = await expiredClient();
    const expired = { access_token: 'a', refresh_token: 'r', expires_in: 0, user: { uid: 'u' } };
    const nobodys = { ...expired, expires_in: 3_600, user: {} };
    for (const data of [null, {}, 'x', expired, nobodys, undefined]) {
      const body = data === undefined ? '<html>' : { data };
      service.always.set(refreshRoute, answers(200, body));
      stopClock();
      const error = await movingClock(client.me.get().catch((reason: unknown) => reason));
      expect(error).toMatchObject({ code: 'client/bad-response', status: 200 });
      vi.useRealTimers();
    }
    service.always.clear();
    await client.me.get();
    expect(client.auth.state.status).toBe('signedIn');
  });
});

test('another tab receives the access token with the time that is left of it', async () => {
  const left: number[] = [];
  let receive = (_: unknown) => {};
  const storage = Object.assign(watchedStorage(), {
    channel(_: string, onMessage: (message: unknown) => void) {
      receive = onMessage;
      const postMessage = ({ expires_in }: { expires_in: number }) => void left.push(expires_in);
      return { postMessage: postMessage as (message: unknown) => void, close() {} };
    },
  });
  stopClock();
  await movingClock(signedInClient({ storage }));
  const { i: id } = JSON.parse(storage.values.get(storageKey)!);
  receive({ id });
  await vi.advanceTimersByTimeAsync(600_000);
  receive({ id });
  const [before, after] = left.slice(-2) as [number, number];
  expect(before - after).toBeCloseTo(600, 3);
});
