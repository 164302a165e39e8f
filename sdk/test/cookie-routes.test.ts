// The requests that `cookieSession` sends to the app's backend are those of the contract that issue or end the tokens of an app's
// user, and the backend answers each of them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cookieSession } from '../src/features/cookie-session.js';
import { createCookieSessions } from '../src/server/index.js';
import { stopClock } from './harness.js';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  anyOf?: Schema[];
}
interface Operation {
  tags: string[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const origin = 'https://app.example.com';
const connection = { baseUrl: 'https://foyer.example/api/v2', appKey: 'pk_test' };
const document = JSON.parse(readFileSync(new URL('../../openapi/v2.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

function hasRefreshToken({ $ref, properties = {}, allOf = [], anyOf = [] }: Schema): boolean {
  if ($ref) return hasRefreshToken(document.components.schemas[$ref.split('/').at(-1)!]!);
  const data = properties.data ? [properties.data] : [];
  return 'refresh_token' in properties || [...allOf, ...anyOf, ...data].some(hasRefreshToken);
}

/** The paths of an app's calls, each with whether its response contains a refresh token. */
const paths = Object.entries(document.paths)
  .filter(([path]) => !path.startsWith('/console/'))
  .map(([path, methods]) => {
    const schemas = Object.values(methods)
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, { content = {} }]) => Object.values(content))
      .map(({ schema }) => schema);
    return { path, issuesTokens: schemas.some(hasRefreshToken) };
  });

test('exactly the requests that issue tokens, or end the session in use, go to the backend, which answers each', async () => {
  const expected = paths.filter(({ path, issuesTokens }) => issuesTokens || /^\/auth\/sign-out/.test(path));
  expect(expected).toHaveLength(14);
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    sent.push(String(url));
    return new Response('{}');
  };
  const browser = cookieSession({ fetch });
  for (const { path } of paths) await browser.fetch!(connection.baseUrl + path, { method: 'POST' });
  const toBackend = sent.filter((url) => url.startsWith('/'));
  expect(toBackend.sort()).toEqual(expected.map(({ path }) => path.replace('/auth/', '/api/auth/')).sort());

  const backend = createCookieSessions({ ...connection, origin, fetch });
  const headers = { 'Content-Type': 'application/json', Origin: origin, 'Sec-Fetch-Site': 'same-origin' };
  const answered: string[] = [];
  for (const { path } of paths) {
    const url = origin + path.replace('/auth/', '/api/auth/');
    const { status } = await backend.handle(new Request(url, { method: 'POST', headers, body: '{}' }));
    if (status !== 404) answered.push(path);
  }
  expect(answered.sort()).toEqual(expected.map(({ path }) => path).sort());
});

/** Sends a sign-in of a browser with a session to the backend, and lists what the service receives. */
async function signInBeside(sid: string, sentHeaders: Record<string, string> = {}, refreshToken = 'rt_new') {
  const received: string[] = [];
  const claims = Buffer.from(JSON.stringify({ sid })).toString('base64url');
  const data = {
    access_token: `h.${claims}.s`,
    expires_in: 3_600,
    refresh_token: refreshToken,
    user: { uid: 'u' },
  };
  const fetch: typeof globalThis.fetch = async (url) => {
    received.push(String(url).replace(connection.baseUrl, ''));
    return Response.json({ data }, { headers: sentHeaders });
  };
  const cookie = 'session.rt_old; __Host-foyer.pk_test.user=session.u';
  const headers = {
    ...{ 'Content-Type': 'application/json', Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
    Cookie: `__Host-foyer.pk_test.refresh=${cookie}`,
  };
  const request = new Request(`${origin}/api/auth/sign-in`, { method: 'POST', headers, body: '{}' });
  const response = await createCookieSessions({ ...connection, origin, fetch }).handle(request);
  return { response, received };
}

test('a sign-in ends the session that it replaces, and not one that it continues', async () => {
  expect((await signInBeside('another')).received).toEqual([
    '/auth/sign-in',
    '/auth/token/refresh',
    '/auth/sign-out',
  ]);
  expect((await signInBeside('session')).received).toEqual(['/auth/sign-in']);
});

test('a page that is loaded again receives the access token of the cookies with the time that is left of it', async () => {
  stopClock();
  const fetch: typeof globalThis.fetch = async () => Response.json({ data: { uid: 'u' } });
  const name = '__Host-foyer.pk_test';
  const cookies = [
    'refresh=session.rt_1',
    `access=session.${Date.now() + 3_600_000}.h.c.s`,
    'user=session.u',
  ];
  const headers = {
    ...{ 'Content-Type': 'application/json', Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
    Cookie: cookies.map((cookie) => `${name}.${cookie}`).join('; '),
  };
  const body = JSON.stringify({ refresh_token: 'session.handle' });
  const request = new Request(`${origin}/api/auth/token/refresh`, { method: 'POST', headers, body });
  const response = await createCookieSessions({ ...connection, origin, fetch }).handle(request);
  expect((await response.json()).data).toEqual({
    ...{ access_token: 'h.c.s', token_type: 'Bearer', expires_in: 3_600, user: { uid: 'u' } },
    refresh_token: expect.stringMatching(/^session\./),
  });
});

test('a body that is too large is not read to its end', async () => {
  let isCanceled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(100 * 1_024 + 1)),
    cancel() {
      isCanceled = true;
    },
  });
  const headers = { 'Content-Type': 'application/json', Origin: origin };
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
  const sessions = createCookieSessions({ ...connection, origin });
  const { status } = await sessions.handle(new Request(`${origin}/api/auth/sign-in`, init));
  expect([status, isCanceled]).toEqual([413, true]);
});

test('the service learns the language of the browser, in which it mails the user', async () => {
  const received: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    received.push(new Headers(init?.headers).get('Accept-Language'));
    return Response.json({}, { status: 401 });
  };
  const headers = { 'Content-Type': 'application/json', Origin: origin, 'Accept-Language': 'pl, en;q=0.5' };
  const request = new Request(`${origin}/api/auth/sign-in`, { method: 'POST', headers, body: '{}' });
  await createCookieSessions({ ...connection, origin, fetch }).handle(request);
  expect(received).toEqual(['pl, en;q=0.5']);
});

test('a refresh token that no cookie can hold is a defect, and not answered as an outage', async () => {
  await expect(signInBeside('session', {}, 'rt_\n')).rejects.toThrow(TypeError);
});

test('the page receives the device token of a sign-in, if there is one', async () => {
  const sent = { 'X-Device-Token': 'dt_1' };
  expect((await signInBeside('session', sent)).response.headers.get('X-Device-Token')).toBe('dt_1');
  expect((await signInBeside('session')).response.headers.has('X-Device-Token')).toBe(false);
});

test.each(['a.b', 'a; Domain=example.com', ''])(
  'an answer whose session has the id %j sets no cookie',
  async (sid) => {
    const { response } = await signInBeside(sid);
    expect([response.status, response.headers.getSetCookie()]).toEqual([503, []]);
  },
);
