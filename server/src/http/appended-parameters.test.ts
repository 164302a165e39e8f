// Parameters that others append to a URL change nothing, on every endpoint; those of the caller are checked.
import { contract } from '@foyer/contract';
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import { beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { fileScenario } from '../../test/file-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { isAppended } from './appended-parameters.js';

const scenario = shared(() => fileScenario('disk'));
const get = (url: string) => scenario.service.call('GET', url, { token: scenario.service.app.secretKey });
/** The bytes of a file are no JSON. */
async function read(url: string) {
  const headers = { 'x-app-key': scenario.service.app.app.appKey };
  const answer = await fetch(`${scenario.service.url}/api/v2${url}`, { headers });
  return { status: answer.status, text: await answer.text() };
}

const appended = [
  'fbclid=IwAR0x',
  'gclid=EAIaI',
  'utm_source=news&utm_medium=email&utm_campaign=a%20b',
  '_=1700000000000',
  'v=1.2.3',
  'msclkid=1&ttclid=2&mc_eid=3&_hsenc=4',
  // As trackers write another encoding, and twice.
  'utm_term=%E9t%E9',
  '_=1&_=2',
];

describe('the public documents', () => {
  let urls: string[];
  beforeAll(async () => {
    const { service } = scenario;
    const { tokens } = await service.signUp();
    const shown = await scenario.upload({ token: tokens.access_token, visibility: 'public' });
    const hidden = await scenario.upload({ token: tokens.access_token });
    const signed = await service.call<{ url: string }>('GET', `/files/${hidden.data.id}/url`, {
      token: tokens.access_token,
    });
    urls = [
      '/.well-known/jwks.json',
      `/apps/${service.app.app.id}/.well-known/openid-configuration`,
      `/apps/${service.app.app.id}/files/${shown.data.id}/content`,
      signed.data.url.slice(signed.data.url.indexOf('/apps/')),
      '/config',
      '/openapi.json',
    ];
  });

  test.each([...appended, 'ref=home', 'x=1&y='])('are the same with %s', async (query) => {
    for (const url of urls) {
      const { status, text } = await read(`${url}${url.includes('?') ? '&' : '?'}${query}`);
      expect([url, status, text]).toEqual([url, 200, (await read(url)).text]);
    }
  });
});

test.each(appended)('a list and a call with parameters of its own ignore %s', async (query) => {
  expect((await get(`/admin/users?limit=1&${query}`)).status).toBe(200);
  expect((await get(`/admin/stats?${query}`)).status).toBe(200);
  const published = await scenario.service.call('PUT', `/admin/config?validate_only=true&${query}`, {
    token: scenario.service.app.secretKey,
    headers: { 'if-match': '*' },
    body: { parameters: {} },
  });
  expect(published.status).toBe(200);
});

test.each(['emial=a@b.cd', 'utm=1', 'x_=1', 'fbclid_=1', 'vv=1'])('a list refuses %s', async (query) => {
  expectRefusal(await get(`/admin/users?${query}`), 'request/validation-failed', null);
});

test('no endpoint has a parameter of such a name', () => {
  const routesOf = (router: AppRouter): AppRoute[] =>
    Object.values(router).flatMap((part) => (isAppRoute(part) ? [part] : routesOf(part)));
  const names = routesOf(contract).flatMap(({ query }) => Object.keys((query as z.ZodObject).shape));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter(isAppended)).toEqual([]);
});
