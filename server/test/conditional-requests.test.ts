// Conditional requests through a proxy that compresses: it alters the tags of responses and does not restore them. Every
// resource with an ETag answers 304 to a client that has it, and accepts a change from a client that has seen it.
import { contract, metadataOf } from '@foyer/contract';
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { asBackend, newCollection } from './data-scenario.js';
import { fileScenario } from './file-scenario.js';
import type { Answer } from './harness.js';
import { shared } from './shared.js';

const scenario = shared(() => fileScenario('disk'));
let urls: Record<string, string>;
beforeAll(async () => {
  const { service } = scenario;
  const collection = await newCollection(service);
  await asBackend(service).put(collection, 'one', { a: 1 });
  const { tokens } = await service.signUp();
  const file = await scenario.upload({ token: tokens.access_token, visibility: 'public' });
  urls = {
    'GET /auth/methods': '/auth/methods',
    'GET /config': '/config',
    'GET /admin/config': '/admin/config',
    'GET /data/:collection/:id': `/data/${collection}/one`,
    'GET /.well-known/jwks.json': '/.well-known/jwks.json',
    'GET /apps/:app_id/.well-known/openid-configuration': `/apps/${service.app.app.id}/.well-known/openid-configuration`,
    'GET /apps/:app_id/files/:id/content': `/apps/${service.app.app.id}/files/${file.data.id}/content`,
    'GET /openapi.json': '/openapi.json',
  };
});

const record = () => urls['GET /data/:collection/:id'] as string;

/** As nginx, Apache, Jetty and Caddy alter it; without quotes, as some clients do. */
const altered = (tag: string) => [
  tag,
  `W/${tag}`,
  tag.replace(/"$/, '-gzip"'),
  tag.replace(/"$/, '--gzip"'),
  tag.replace(/"$/, ';gzip"'),
  `W/${tag.replace(/"$/, '-br"')}`,
  tag.slice(1, -1),
  `"other", ${tag}`,
];
/** `no-cache` as fetch adds it; no coding, because each of the service's own has a tag of its own. */
const get = (url: string, headers: Record<string, string>) =>
  fetch(`${scenario.service.url}/api/v2${url}`, {
    headers: {
      'x-app-key': scenario.service.app.app.appKey,
      authorization: `Bearer ${scenario.service.app.secretKey}`,
      'accept-encoding': 'identity',
      'cache-control': 'no-cache',
      ...headers,
    },
  });

const routesOf = (router: AppRouter): AppRoute[] =>
  Object.values(router).flatMap((part) => (isAppRoute(part) ? [part] : routesOf(part)));
const tagged = routesOf(contract).filter(
  (route) => route.method === 'GET' && metadataOf(route).etag === true,
);

describe.each([...tagged.map(({ path }) => `GET ${path}`), 'GET /openapi.json'])('%s', (name) => {
  test('answers 304 without a body for its tag in every form that proxies and clients give it', async () => {
    const url = urls[name] as string;
    const etag = (await get(url, {})).headers.get('etag') as string;
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const header of [...altered(etag), '*']) {
      const answer = await get(url, { 'if-none-match': header });
      expect([header, answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([
        header,
        304,
        '',
        etag,
      ]);
    }
    for (const header of ['"other"', 'W/"other-gzip"', etag.slice(0, -1), '"']) {
      const answer = await get(url, { 'if-none-match': header });
      expect([header, answer.status]).toEqual([header, 200]);
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
    }
  });
});

test('every GET with an ETag documents its 304', () => {
  for (const { path, responses } of tagged) expect([path, 304 in responses]).toEqual([path, true]);
});

describe.each([
  ['PUT /admin/config', (): string => '/admin/config', { parameters: {} }, 'config/version-conflict'],
  [
    'POST /admin/config/rollback',
    (): string => '/admin/config/rollback',
    { version: 1 },
    'config/version-conflict',
  ],
  ['PUT a record', (): string => record(), { fields: { b: 2 } }, 'data/precondition-failed'],
  ['PATCH a record', (): string => record(), { fields: {} }, 'data/precondition-failed'],
] as const)('%s', (name, url, body, refusal) => {
  test('accepts the current tag in every such form, and refuses each form of an earlier one', async () => {
    const method = name.split(' ')[0] as string;
    const change = (ifMatch: string): Promise<Answer> =>
      scenario.service.call(method, url(), {
        token: scenario.service.app.secretKey,
        headers: { 'if-match': ifMatch },
        body,
      });
    const earlier = (await get(url().replace(/\/rollback$/, ''), {})).headers.get('etag') as string;
    let current = earlier;
    for (let form = 0; form < altered(earlier).length; form += 1) {
      const answer = await change(altered(current)[form] as string);
      expect([altered(current)[form], answer.status]).toEqual([altered(current)[form], 200]);
      current = answer.headers.get('etag') as string;
      expect((await change(altered(earlier)[form] as string)).code).toBe(refusal);
    }
  });
});

test('a record is deleted with the current tag in every such form, and not with an earlier one', async () => {
  const { service } = scenario;
  const token = service.app.secretKey;
  const url = record().replace(/one$/, 'deleted');
  const put = async (body: object) =>
    (await service.call('PUT', url, { token, body })).headers.get('etag') as string;
  const remove = (ifMatch: string) =>
    service.call('DELETE', url, { token, headers: { 'if-match': ifMatch } });
  for (const form of altered('"x"').keys()) {
    const earlier = await put({ fields: { form } });
    const current = await put({ fields: { form, later: true } });
    expect((await remove(altered(earlier)[form] as string)).code).toBe('data/precondition-failed');
    expect((await remove(altered(current)[form] as string)).status).toBe(204);
  }
});
