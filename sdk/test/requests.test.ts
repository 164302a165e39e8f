// Single requests: URLs, headers, time limits, retries and errors.
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../../server/test/until.js';
import { createAdmin } from '../src/admin/index.js';
import type { ClientOptions } from '../src/api.js';
import { createClient } from '../src/client.js';
import { FoyerError, isFoyerError } from '../src/errors.js';
import type { SdkEvent } from '../src/events.js';
import { createCookieSessions, createServerClient } from '../src/server/index.js';
import {
  ada,
  codeOf,
  movingClock,
  newClient,
  refreshed,
  signedInClient,
  stopClock,
  useScriptedService,
} from './harness.js';
import { answers, gate, heldUntil, lostAnswer, lostRequest, refuses } from './mishaps.js';
import { meRoute, refreshRoute } from './scripted-service.js';

const service = useScriptedService();
const times = (route: string) => service.sent(route).map(({ atMs }) => atMs);

describe('path parameters', () => {
  test.each([
    ['a/b', 'a%2Fb'],
    ['../x?y', '..%2Fx%3Fy'],
    ['%2e%2e', '%252e%252e'],
    ['a b#c', 'a%20b%23c'],
    ['…', '%E2%80%A6'],
  ])('the id %j stays one segment of its own endpoint', async (id, encoded) => {
    const client = await signedInClient();
    expect(await codeOf(client.me.endSession(id))).toBe('request/validation-failed');
    expect(service.requests.at(-1)?.route).toBe(`DELETE /api/v2/me/sessions/${encoded}`);
  });

  test.each(['', '.', '..', undefined, null, 7, '\ud800'])(
    'the id %j is rejected before anything is sent',
    async (id) => {
      const client = await signedInClient();
      const sent = service.requests.length;
      expect(await codeOf(client.me.endSession(id as string))).toBe('client/invalid-argument');
      expect(service.requests).toHaveLength(sent);
    },
  );
});

describe('the message of an error without a response says what happened', () => {
  const path = '(GET URL/me)';
  test.each([
    ['no network', `client/network: TypeError: fetch failed ${path}`],
    ['a timeout', `client/timeout: No response in time. ${path}`],
    ['an abort', 'client/aborted'],
    ['a sign-out', 'client/signed-out: Sign in first.'],
    ['a locked storage', 'client/storage-unavailable: NotReadableError'],
  ])('%s: %s', async (mishap, message) => {
    const get = async (): Promise<unknown> => {
      if (mishap === 'a locked storage') {
        const locked = () => Promise.reject(new DOMException('rt_secret', 'NotReadableError'));
        return newClient({ storage: { get: locked, set: locked, remove: locked } }).me.get();
      }
      const client = await signedInClient({ maxRetries: 0 });
      if (mishap === 'a sign-out') await client.auth.signOut();
      if (mishap === 'no network') service.next(meRoute, lostRequest);
      if (mishap === 'a timeout') service.hold(meRoute);
      const options = { ...(mishap === 'a timeout' && { timeoutMs: 1 }) };
      return client.me.get(mishap === 'an abort' ? { signal: AbortSignal.abort() } : options);
    };
    const error = await get().catch((reason: unknown) => reason);
    expect((error as Error).message.replace(service.baseUrl, 'URL')).toBe(message);
  });
});

describe('a platform that never settles', () => {
  test('a fetch that hangs and ignores its signal rejects with client/timeout, and the next call retries', async () => {
    let hang = false;
    const hangingFetch: typeof fetch = (input, init) => (hang ? new Promise(() => {}) : fetch(input, init));
    const client = await signedInClient({ fetch: hangingFetch });
    hang = true;
    stopClock();
    const begin = Date.now();
    expect(await movingClock(codeOf(client.me.get({ maxRetries: 0 })))).toBe('client/timeout');
    expect(Date.now() - begin).toBeLessThan(15_500);
    hang = false;
    expect((await movingClock(client.me.get())).email).toBe(ada.email);
  });

  test('a refresh that hangs does not block later calls', async () => {
    let hang = false;
    const hangingFetch: typeof fetch = (input, init) =>
      hang && String(input).includes('refresh') ? new Promise(() => {}) : fetch(input, init);
    const client = await signedInClient({ fetch: hangingFetch });
    service.expireAccessTokens();
    hang = true;
    stopClock();
    const begin = Date.now();
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/timeout');
    expect(Date.now() - begin).toBeLessThan(29_000);
    hang = false;
    expect((await movingClock(client.me.get())).email).toBe(ada.email);
  });

  test('a body that never ends is subject to the same time limit', async () => {
    const client = await signedInClient({
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (String(input).endsWith('/me')) response.text = () => new Promise(() => {});
        return response;
      },
    });
    stopClock();
    expect(await movingClock(codeOf(client.me.get({ timeoutMs: 500, maxRetries: 0 })))).toBe(
      'client/timeout',
    );
  });

  test('one signal ends any number of calls, and Node warns of no leak', async () => {
    const client = await signedInClient();
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const held = gate();
    service.next(meRoute, ...Array.from({ length: 15 }, () => heldUntil(held.opened)));
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 15 }, () => codeOf(client.me.get({ signal })));
    await until(() => service.sent(meRoute).length === 15);
    controller.abort();
    expect(await Promise.all(calls)).toEqual(Array(15).fill('client/aborted'));
    held.open();
    expect(warnings).toEqual([]);
    // Calls with another signal go on.
    expect((await client.me.get({ signal: new AbortController().signal })).email).toBe(ada.email);
  });

  test('an aborted call rejects immediately, also before it is sent', async () => {
    const client = await signedInClient();
    const controller = new AbortController();
    service.next(meRoute, heldUntil(new Promise(() => {})));
    const call = codeOf(client.me.get({ signal: controller.signal }));
    await service.seen(meRoute);
    controller.abort();
    expect(await call).toBe('client/aborted');
    expect(await codeOf(client.me.get({ signal: controller.signal }))).toBe('client/aborted');
    expect(await codeOf(client.auth.signIn(ada, { signal: controller.signal }))).toBe('client/aborted');
    expect(service.count(meRoute)).toBe(1);
  });
});

describe('retries', () => {
  test.each([
    ['no answer', lostRequest],
    ['408', refuses(408, 'request/timeout')],
    ['429', refuses(429, 'request/rate-limited')],
    ['500', refuses(500, 'request/internal-error')],
    ['503', refuses(503, 'request/unavailable')],
    ["a proxy's page", answers(502, '<html>')],
  ])('a read that meets %s is repeated twice', async (_, mishap) => {
    const events: SdkEvent[] = [];
    const client = await signedInClient({ onEvent: (event) => events.push(event) });
    service.next(meRoute, mishap, mishap);
    stopClock();
    expect((await movingClock(client.me.get())).email).toBe(ada.email);
    expect(service.count(meRoute)).toBe(3);
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(2);
    service.always.set(meRoute, mishap);
    expect(await movingClock(codeOf(client.me.get()))).not.toBe('resolved');
    expect(service.count(meRoute)).toBe(6);
    expect(await movingClock(codeOf(client.me.get({ maxRetries: 0 })))).not.toBe('resolved');
    expect(service.count(meRoute)).toBe(7);
  });

  test('a non-idempotent request is sent once', async () => {
    const client = await signedInClient();
    service.always.set('PATCH /api/v2/me', refuses(503, 'request/unavailable'));
    service.always.set('POST /api/v2/auth/sign-in', lostAnswer);
    expect(await codeOf(client.me.update({ first_name: 'Ada' }))).toBe('request/unavailable');
    expect(await codeOf(client.auth.signIn(ada))).toBe('client/network');
    expect(service.count('PATCH /api/v2/me')).toBe(1);
    expect(service.count('POST /api/v2/auth/sign-in')).toBe(1);
  });

  test.each([
    [403, 'auth/user-disabled'],
    // A query that exceeded the time limit of the service would exceed it again.
    [503, 'data/query-timeout'],
    [503, 'admin/query-timeout'],
  ])('%i %s is not retried', async (status, code) => {
    const client = await signedInClient();
    service.always.set(meRoute, refuses(status, code, { 'Retry-After': '1' }));
    expect(await codeOf(client.me.get())).toBe(code);
    expect(service.count(meRoute)).toBe(1);
  });

  test('Retry-After is honoured, up to 20 seconds', async () => {
    const client = await signedInClient();
    stopClock();
    service.next(meRoute, refuses(503, 'request/unavailable', { 'Retry-After': '9' }));
    await movingClock(client.me.get());
    const [first, second] = times(meRoute);
    expect(second! - first!).toBeGreaterThanOrEqual(9_000);
    expect(second! - first!).toBeLessThan(14_500);

    service.next(meRoute, refuses(429, 'request/rate-limited', { 'Retry-After': '60' }));
    const error = await movingClock(client.me.get().catch((error: unknown) => error));
    expect(error).toMatchObject({ code: 'request/rate-limited', retryAfterMs: 60_000 });
    expect(service.count(meRoute)).toBe(3);
  });

  test('a deletion whose response was lost succeeds when its retry finds nothing', async () => {
    const client = await signedInClient();
    const other = newClient();
    await other.auth.signIn(ada);
    const { id } = service.sessions[1]!;
    service.next(`DELETE /api/v2/me/sessions/${id}`, lostAnswer);
    stopClock();
    await movingClock(client.me.endSession(id));
    expect(service.sessions[1]?.ended).toBe(true);
    expect(await codeOf(client.me.endSession(id))).toBe('auth/session-not-found');
  });

  test('a deletion that was refused with 429, and then finds nothing, is an error', async () => {
    const client = await signedInClient();
    const id = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
    const route = `DELETE /api/v2/me/sessions/${id}`;
    service.next(route, refuses(429, 'request/rate-limited'));
    stopClock();
    expect(await movingClock(codeOf(client.me.endSession(id)))).toBe('auth/session-not-found');
    expect(service.count(route)).toBe(2);
  });

  test('an abort ends the wait for a retry', async () => {
    const waiting = gate();
    const onEvent = ({ type }: SdkEvent) => {
      if (type === 'retry') waiting.open();
    };
    const client = await signedInClient({ onEvent });
    const controller = new AbortController();
    service.next(meRoute, refuses(503, 'request/unavailable', { 'Retry-After': '9' }));
    const call = codeOf(client.me.get({ signal: controller.signal }));
    await waiting.opened;
    controller.abort();
    expect(await call).toBe('client/aborted');
  });
});

describe('headers', () => {
  test('each call sends the app key and the headers of client and call, and nothing replaces the bearer token', async () => {
    const client = await signedInClient({
      headers: { 'X-Client-Version': '4.2.0', 'x-app-key': 'other', authorization: 'Bearer other' },
    });
    await client.me.get({ headers: { 'X-Trace': 'abc', 'x-client-version': '4.2.1' } });
    const { headers } = service.requests.at(-1)!;
    expect(headers).toMatchObject({
      'x-app-key': 'app_test',
      accept: 'application/json',
      'x-trace': 'abc',
      'x-client-version': '4.2.1',
    });
    expect(headers).not.toHaveProperty('content-type');
    await client.me.update({ first_name: 'Ada' });
    expect(service.requests.at(-1)?.headers['content-type']).toBe('application/json');
  });

  test.each([
    ['José’s 📱 100%', 'Jos%C3%A9%E2%80%99s %F0%9F%93%B1 100%25'],
    ['Jos%C3%A9%E2%80%99s 100%25', 'Jos%C3%A9%E2%80%99s 100%25'],
    ["Ada's phone", "Ada's phone"],
    ['Ada 📱\ud83d', 'Ada %F0%9F%93%B1'],
  ])('the name %s of a device is sent as %s', async (name, sent) => {
    const client = await signedInClient({ headers: { 'X-Client-Device': name } });
    await client.me.get();
    expect(service.requests.at(-1)?.headers['x-client-device']).toBe(sent);
  });

  test('an invalid header is an invalid argument, not a network failure', async () => {
    const client = await signedInClient();
    expect(await codeOf(client.me.get({ headers: { 'X-Trace': 'a\nb' } }))).toBe('client/invalid-argument');
  });
});

describe('errors', () => {
  test('an error of the service carries its code, status, fields and request id', async () => {
    const fields = { password: ['The password must have at least 8 characters.'] };
    const body = { error: { code: 'auth/weak-password', message: 'Too short.', fields } };
    service.next('POST /api/v2/auth/sign-up', answers(422, body));
    const error = await newClient()
      .auth.signUp(ada)
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'FoyerError',
      code: 'auth/weak-password',
      message: `auth/weak-password: Too short. (POST ${service.baseUrl}/auth/sign-up)`,
      status: 422,
      fields,
      requestId: 'req_1',
      retryAfterMs: undefined,
    });
  });

  test('without a response the status is 0 and the cause the platform’s error', async () => {
    const client = newClient();
    service.next('POST /api/v2/auth/sign-in', lostRequest);
    const error = await client.auth.signIn(ada).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'client/network', status: 0 });
    expect((error as FoyerError).fields).toEqual({});
    expect((error as Error).cause).toBeInstanceOf(TypeError);
  });

  test('isFoyerError checks the brand, not the class, and recognises an error of another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), { isFoyerError: true, code: 'client/network' });
    expect(isFoyerError(foreign)).toBe(true);
    expect(isFoyerError(foreign, 'client/network')).toBe(true);
    expect(isFoyerError(foreign, 'client/timeout')).toBe(false);
    const others = [null, undefined, 'client/network', new Error('client/network'), { isFoyerError: 1 }];
    expect(others.filter((other) => isFoyerError(other))).toEqual([]);
    expect(isFoyerError(new FoyerError('client/network', 'x'))).toBe(true);
  });

  const clientMakers = [
    ['createClient', createClient],
    ['createAdmin', createAdmin],
    ['createServerClient', (options: ClientOptions) => createServerClient({ ...options, accessToken: null })],
    [
      'createCookieSessions',
      (options: ClientOptions) => createCookieSessions({ ...options, origin: 'https://app.example.com' }),
    ],
  ] as const;
  test.each(
    clientMakers.flatMap(([maker, make]) =>
      [
        ['baseUrl', undefined],
        ['baseUrl', ''],
        ['baseUrl', 'https://accounts.example.com'],
        ['baseUrl', 'https://accounts.example.com/'],
        ['baseUrl', 'https://accounts.example.com/api/v1'],
        ['baseUrl', 'https://accounts.example.com/api/v2/auth'],
        ['appKey', undefined],
        ['appKey', ''],
        ['appKey', ' \n'],
        ['appKey', 'pk_a pk_b'],
        ['appKey', 'pk_a\r\npk_b'],
        ['appKey', 'pk_…'],
        ['appKey', 'pk_...'],
        ['appKey', '<APP_KEY>'],
        ['appKey', 'YOUR_APP_KEY'],
      ].map(([name, value]) => [maker, name as string, value, make] as const),
    ),
  )('%s refuses at once the %s %j, and names it', (_maker, name, value, make) => {
    const options = { baseUrl: 'https://accounts.example.com/api/v2', appKey: 'app_test' };
    expect(() => make({ ...options, [name]: value })).toThrow(
      expect.objectContaining({
        code: 'client/invalid-argument',
        message: expect.stringMatching(`^client/invalid-argument: ${name} must `),
      }),
    );
  });

  test.each([{ keepAccessToken: true }, { migrateV1: { read: () => null, clear() {} } }])(
    'createClient refuses at once the feature %j, which is not imported',
    (feature) => {
      const options = { baseUrl: 'https://accounts.example.com/api/v2', appKey: 'app_test', ...feature };
      expect(() => createClient(options as never)).toThrow(/is not a function/);
    },
  );

  test.each([
    ['app_test\n', '/'],
    ['app_test', '\r\n'],
    [' app_test\r', '//\n'],
  ])('the app key %j and %j after the base URL, as from a file, are accepted', async (appKey, end) => {
    const client = await signedInClient({ appKey, baseUrl: `${service.baseUrl}${end}` });
    await refreshed(client);
    expect(service.count(refreshRoute)).toBe(1);
    expect(service.requests.at(-1)?.headers['x-app-key']).toBe('app_test');
  });
});
