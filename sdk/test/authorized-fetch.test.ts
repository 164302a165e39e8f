// `authorizedFetch(client)`: requests to the app's own backend with the user's token.
import { describe, expect, test, vi } from 'vitest';
import { authorizedFetch } from '../src/features/authorized-fetch.js';
import {
  codeOf,
  expiredClient,
  movingClock,
  signedInClient,
  stopClock,
  useScriptedService,
} from './harness.js';
import { answers, lostRequest } from './mishaps.js';
import { refreshRoute } from './scripted-service.js';

const service = useScriptedService();
const backend = () => `${service.origin}/backend`;
const bodies = () => service.sent('POST /backend').map(({ body }) => body);

describe('a rejected token', () => {
  test.each<[string, () => BodyInit]>([
    ['JSON', () => JSON.stringify({ order: 1, text: 'ü' })],
    ['a Blob', () => new Blob([new Uint8Array([0, 1, 254, 255])])],
    ['bytes', () => new Uint8Array([0, 1, 254, 255])],
    ['a form', () => new URLSearchParams({ a: '1', b: 'ü' })],
  ])('%s is sent again byte for byte', async (_, body) => {
    const client = await expiredClient();
    const response = await authorizedFetch(client)(backend(), { method: 'POST', body: body() });
    expect(response.status).toBe(200);
    const [first, second] = bodies();
    expect(second!.length).toBeGreaterThan(0);
    expect(second).toEqual(first);
    expect(service.count(refreshRoute)).toBe(1);
  });

  test('FormData is retried with the same parts', async () => {
    const client = await expiredClient();
    const form = new FormData();
    form.set('name', 'Ada');
    form.set('file', new Blob([new Uint8Array([0, 255])]), 'a.bin');
    const response = await authorizedFetch(client)(backend(), { method: 'POST', body: form });
    expect(response.status).toBe(200);
    // The platform generates a new boundary for each request.
    const [first, second] = bodies().map((body) => body.toString('latin1').replace(/-{4,}\S+/g, '--'));
    expect(second).toBe(first);
    expect(second).toContain('name="file"; filename="a.bin"');
  });

  test.each<[string, () => unknown]>([
    ['stream', () => new Blob(['once']).stream()],
    [
      'generator',
      async function* () {
        yield new TextEncoder().encode('once');
      },
    ],
  ])(
    'a %s is not retried: the call rejects with the code, and the next one has a new token',
    async (_, made) => {
      const client = await expiredClient();
      const body = made();
      const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
      expect(await codeOf(authorizedFetch(client)(backend(), init))).toBe('auth/token-expired');
      expect(bodies()).toHaveLength(1);
      expect(service.count(refreshRoute)).toBe(1);
      expect((await authorizedFetch(client)(backend())).status).toBe(200);
      expect(service.count(refreshRoute)).toBe(1);
    },
  );

  test('an expiring token is refreshed before a stream is sent', async () => {
    stopClock();
    const client = await movingClock(signedInClient());
    await vi.advanceTimersByTimeAsync(3_550_000);
    const body = new Blob(['once']).stream();
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect((await authorizedFetch(client)(backend(), init)).status).toBe(200);
    expect(bodies().map(String)).toEqual(['once']);
    expect(service.count(refreshRoute)).toBe(1);
  });

  test('WWW-Authenticate of a standard middleware triggers a refresh', async () => {
    const client = await signedInClient();
    const header = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    service.next('GET /backend', answers(401, 'Unauthorized', header));
    expect((await authorizedFetch(client)(backend())).status).toBe(200);
    expect(service.count(refreshRoute)).toBe(1);
  });
});

test('the body of the response that rejects a token is not read, and does not keep the connection', async () => {
  const client = await signedInClient({
    fetch: async (input, init) => {
      if (!String(input).endsWith('/backend') || rejections.length > 0) return fetch(input, init);
      const body = new ReadableStream({ cancel: () => void rejections.push('canceled') });
      const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
      return new Response(body, { status: 401, headers });
    },
  });
  const rejections: string[] = [];
  expect((await authorizedFetch(client)(backend())).status).toBe(200);
  expect(rejections).toEqual(['canceled']);
});

describe('in all other respects it behaves as fetch', () => {
  test('a 401 for another reason is returned unread, without a refresh', async () => {
    const client = await signedInClient();
    service.next('GET /backend', answers(401, { reason: 'no such order' }));
    const response = await authorizedFetch(client)(backend());
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ reason: 'no such order' });
    expect(service.count(refreshRoute)).toBe(0);
  });

  test('a token that a retry obtained is renewed too, once the backend rejects it later', async () => {
    const send = authorizedFetch(await expiredClient());
    expect((await send(backend())).status).toBe(200);
    service.expireAccessTokens();
    expect((await send(backend())).status).toBe(200);
    expect(service.count(refreshRoute)).toBe(2);
  });

  test('a second rejection is returned', async () => {
    const client = await signedInClient();
    const refusal = answers(401, { error: { code: 'auth/invalid-token' } });
    service.always.set('GET /backend', refusal);
    expect((await authorizedFetch(client)(backend())).status).toBe(401);
    expect(service.count('GET /backend')).toBe(2);
  });

  test('a backend that refuses every token costs one refresh per token, and the user stays signed in', async () => {
    const client = await signedInClient();
    service.always.set('GET /backend', answers(401, { error: { code: 'auth/invalid-token' } }));
    for (let calls = 0; calls < 5; calls++)
      expect((await authorizedFetch(client)(backend())).status).toBe(401);
    expect(service.count(refreshRoute)).toBe(1);
    service.always.clear();
    expect((await authorizedFetch(client)(backend())).status).toBe(200);
    expect(client.auth.state).toMatchObject({ status: 'signedIn' });
  });

  test('a Request keeps its method, headers and body, also when it is repeated', async () => {
    const client = await expiredClient();
    const headers = { 'X-Trace': 'abc', 'Content-Type': 'text/csv' };
    const request = new Request(backend(), { method: 'POST', headers, body: 'a,b' });
    expect((await authorizedFetch(client)(request)).status).toBe(200);
    expect(bodies().map(String)).toEqual(['a,b', 'a,b']);
    expect(service.requests.at(-1)?.headers).toMatchObject({ 'x-trace': 'abc', 'content-type': 'text/csv' });
  });

  test('a URL is accepted, and the function has the type of fetch', async () => {
    const client = await signedInClient();
    const asFetch: typeof fetch = authorizedFetch(client);
    expect((await asFetch(new URL(backend()))).status).toBe(200);
  });

  test('headers and method are kept; the app key is not sent', async () => {
    const client = await signedInClient();
    const fetch = authorizedFetch(client);
    await fetch(backend(), { method: 'PUT', headers: [['X-Trace', 'abc']] });
    const { headers, route } = service.requests.at(-1)!;
    expect(route).toBe('PUT /backend');
    expect(headers).toMatchObject({ 'x-trace': 'abc' });
    expect(headers).not.toHaveProperty('x-app-key');
  });

  test("the platform's error is thrown when the backend is unreachable, and the state stays online", async () => {
    const client = await signedInClient();
    service.next('GET /backend', lostRequest);
    await expect(authorizedFetch(client)(backend())).rejects.toBeInstanceOf(TypeError);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
  });
});
