// The requests that `cookieSession` sends to the app's backend are those of the contract that issue or end the tokens of an app's
// user, and the backend answers each of them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cookieSession } from '../src/features/cookie-session.js';
import { createCookieSessions } from '../src/server/index.js';

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
