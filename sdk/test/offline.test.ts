// A network or service failure does not end the session.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Client } from '../src/api.js';
import { collection } from '../src/features/collection.js';
import { files } from '../src/features/files.js';
import { push } from '../src/features/push.js';
import { dataOf } from '../src/http/envelope.js';
import {
  ada,
  codeOf,
  movingClock,
  newClient,
  passing,
  signedInClient,
  statesOf,
  stopClock,
  storageKey,
  storedClient,
  useScriptedService,
} from './harness.js';
import { answers, lostAnswer, lostRequest, type Mishap, refuses, silence } from './mishaps.js';
import { refreshRoute } from './scripted-service.js';

const service = useScriptedService();

const failures: [name: string, mishap: Mishap, code: string, online?: boolean][] = [
  ['a broken connection', lostRequest, 'client/network'],
  ['an answer lost on the way', lostAnswer, 'client/network'],
  ['no answer', silence, 'client/timeout'],
  ['503', refuses(503, 'request/unavailable'), 'request/unavailable'],
  ['500', refuses(500, 'request/internal-error'), 'request/internal-error'],
  ['429', refuses(429, 'request/rate-limited'), 'request/rate-limited'],
  ["a proxy's 502 page", answers(502, '<html>Bad gateway</html>'), 'client/bad-response'],
  ["a hotel's sign-in page", answers(200, '<html>Welcome</html>'), 'client/bad-response'],
  ['an unknown app key', refuses(401, 'request/invalid-app-key'), 'request/invalid-app-key', true],
  ['a code of a later service', refuses(403, 'auth/something-new'), 'auth/something-new', true],
];

describe.each(failures)('a refresh that fails with %s', (_, mishap, code, online = false) => {
  async function failingRefresh(client: Client, { values }: { values: Map<string, string> }, user: unknown) {
    const stored = values.get(storageKey);
    service.always.set(refreshRoute, mishap);
    stopClock();
    expect(await movingClock(codeOf(client.me.get()))).toBe(code);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online, user });
    expect(values.get(storageKey)).toBe(stored);
    service.always.clear();
    await movingClock(client.me.get());
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true, user: { first_name: null } });
  }

  test('keeps the session, and reports whether the service is reachable', async () => {
    const { client, storage } = await storedClient();
    const { user } = client.auth.state as { user: unknown };
    service.expireAccessTokens();
    await failingRefresh(client, storage, user);
  });

  test('keeps the session at startup', async () => {
    const { storage } = await storedClient();
    await failingRefresh(newClient({ storage }), storage, null);
  });
});

test.each(['auth/refresh-token-revoked', 'auth/invalid-token'])(
  'a refresh answered %s ends the session and clears the storage',
  async (code) => {
    const { client, storage } = await storedClient();
    const states = statesOf(client);
    service.expireAccessTokens();
    service.next(refreshRoute, refuses(401, code));
    expect(await codeOf(client.me.get())).toBe(code);
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'revoked' });
    expect(storage.values.size).toBe(0);
    expect(await codeOf(client.me.get())).toBe('client/signed-out');
    expect(service.count(refreshRoute)).toBe(1);
    expect(states.map(({ status }) => status)).toEqual(['signedIn', 'signedOut']);
  },
);

describe.each<['signed in' | 'signed out', () => Promise<Client> | Client]>([
  ['signed in', () => signedInClient()],
  ['signed out', () => newClient()],
])('%s', (status, clientOf) => {
  const record = '/api/v2/data/notes/a';
  const fileId = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
  const file = `/api/v2/files/${fileId}`;
  async function registered(client: Client) {
    const device = push(client);
    const { id } = await device.register({ provider: 'fcm', platform: 'android', token: 'token-1' });
    return { device, route: `/api/v2/push/devices/${id}` };
  }
  test.each<[string, (client: Client) => Promise<[route: string, call: () => PromiseLike<unknown>]>]>([
    ['a file is read', async (client) => [`GET ${file}`, () => files(client).get(fileId)]],
    ['a file is addressed', async (client) => [`GET ${file}/url`, () => files(client).url(fileId)]],
    ['a record is read', async (client) => [`GET ${record}`, () => collection(client, 'notes').get('a')]],
    [
      'a record is replaced',
      async (client) => [`PUT ${record}`, () => collection(client, 'notes').replace('a', { n: 2 })],
    ],
    [
      'a record is deleted',
      async (client) => [`DELETE ${record}`, () => collection(client, 'notes').delete('a')],
    ],
    [
      'a device takes a topic',
      async (client) => {
        const { device, route } = await registered(client);
        return [`PUT ${route}/topics/news`, () => device.subscribe('news')];
      },
    ],
    [
      'a device leaves a topic',
      async (client) => {
        const { device, route } = await registered(client);
        return [`DELETE ${route}/topics/news`, () => device.unsubscribe('news')];
      },
    ],
    [
      'a device is forgotten',
      async (client) => {
        const { device, route } = await registered(client);
        return [`DELETE ${route}`, () => device.unregister()];
      },
    ],
  ])('%s although the answer was lost twice', async (_, prepare) => {
    const client = await clientOf();
    const { records } = service.api;
    records.define('notes', status === 'signed in' ? 'shared' : 'owner_public_read');
    records.write('notes', 'a', { n: 1 }, null);
    service.files.set(fileId, { id: fileId, visibility: 'public' });
    const [route, call] = await prepare(client);
    const before = service.count(route);
    service.next(route, lostAnswer, lostAnswer);
    stopClock();
    const isRefused = status === 'signed out' && /^(PUT|DELETE) .*\/data\//.test(route);
    expect(await movingClock(codeOf(call()))).toBe(isRefused ? 'auth/invalid-token' : 'resolved');
    const sent = service.sent(route).slice(before);
    expect(sent).toHaveLength(3);
    for (const { authorization } of sent) {
      if (status === 'signed in') expect(authorization).toMatch(/^Bearer eyJ/);
      else expect(authorization).toBeUndefined();
    }
  });
});

describe('a Retry-After of an hour', () => {
  const hour = { 'Retry-After': '3600' };

  /** A client whose refresh was refused once. */
  async function refusedClient(mishap: Mishap) {
    let wake = () => {};
    const wakeOn = (given: () => void) => {
      wake = given;
    };
    const client = await signedInClient({ wakeOn });
    service.expireAccessTokens();
    stopClock();
    service.next(refreshRoute, mishap);
    const refused = await movingClock(codeOf(client.me.get()));
    return { client, refused, wake: () => wake() };
  }

  test('postpones the next refresh by a minute at most', async () => {
    const { client, refused } = await refusedClient(refuses(429, 'request/rate-limited', hour));
    expect(refused).toBe('request/rate-limited');
    expect(await movingClock(codeOf(client.me.get()))).toBe('request/rate-limited');
    expect(service.count(refreshRoute)).toBe(1);
    await passing(61_000);
    expect((await movingClock(client.me.get())).email).toBe(ada.email);
  });

  test('is forgotten when the app is back in the foreground', async () => {
    const { client, wake } = await refusedClient(refuses(429, 'request/rate-limited', hour));
    wake();
    expect((await movingClock(client.me.get())).email).toBe(ada.email);
  });

  test("of a proxy's page is ignored", async () => {
    const { client, refused } = await refusedClient(answers(503, '<html>Maintenance</html>', hour));
    expect(refused).toBe('resolved');
    expect((await movingClock(client.me.get())).email).toBe(ada.email);
    expect(service.count(refreshRoute)).toBe(2);
  });
});

test("a portal's page or empty answer to a call shows that the service is unreachable, and resolves nothing", async () => {
  const client = await signedInClient();
  for (const [status, body] of [
    [200, '<html>Welcome</html>'],
    [204, undefined],
  ] as const) {
    service.next('GET /api/v2/me', answers(status, body));
    expect(await codeOf(client.me.get({ maxRetries: 0 }))).toBe('client/bad-response');
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: false });
    expect((await client.me.get()).email).toBe(ada.email);
    expect(client.auth.state).toMatchObject({ online: true });
  }
});

test('the routes that may answer without content are those of the OpenAPI document', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../openapi/v2.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  };
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => {
      return { route: `${method.toUpperCase()} ${path}`, isEmpty: '204' in responses };
    }),
  );
  const isPermitted = (route: string) => {
    const empty = new Response(null, { status: 204 });
    try {
      dataOf(empty, '', route);
      return true;
    } catch {
      return false;
    }
  };
  const wrong = all.filter(({ route, isEmpty }) => isPermitted(route) !== isEmpty);
  expect(wrong).toEqual([]);
});
