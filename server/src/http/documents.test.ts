import { contract } from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.stop());

test('the OpenAPI document is served without an app key, with the address of this installation', async () => {
  const answer = await service.call('GET', '/openapi.json', { appKey: null });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.json.openapi).toMatch(/^3\.1/);
  expect(JSON.stringify(answer.json.servers)).toContain('https://accounts.test/api/v2');
  expect(answer.json.paths[contract.signIn.signUp.path].post.operationId).toBe('signIn.signUp');
});

test('the documentation page and all it loads come from the service, under a policy that allows nothing else', async () => {
  const page = await fetch(`${service.url}/docs`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src '(self|none)'/);
  const html = await page.text();
  const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
  const loaded = sources.filter((source) => !source.startsWith('data:'));
  expect(loaded.length).toBeGreaterThan(0);
  for (const source of loaded) {
    const part = await fetch(new URL(source, `${service.url}/docs`));
    expect([source, part.status, new URL(part.url).origin]).toEqual([source, 200, service.url]);
  }
});

describe('the bare address', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('leads a browser to the documentation page', async () => {
    for (const method of ['GET', 'HEAD']) {
      const headers = { accept: browser };
      const answer = await fetch(service.url, { method, headers, redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
      expect(answer.headers.get('vary')).toBe('Accept');
    }
    const page = await fetch(service.url, { headers: { accept: browser } });
    expect([page.status, page.url]).toEqual([200, `${service.url}/docs`]);
  });

  test.each([['*/*'], ['application/json'], ['application/json, text/html']])(
    'is no address of the API: a program that accepts %s is answered request/not-found',
    async (accept) => {
      const answer = await fetch(service.url, { headers: { accept } });
      const { status, headers } = answer;
      expectRefusal({ status, headers, text: await answer.text() }, 'request/not-found');
      expect(headers.get('vary')).toBe('Accept');
    },
  );
});

test.each(['/api/v2/openapi.json', '/docs', '/healthz', '/readyz'])(
  '%s refuses every other method with Allow, OPTIONS too, and lets a preflight pass',
  async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(`${service.url}${path}`, { method });
      const { status, headers } = answer;
      expectRefusal({ status, headers, text: await answer.text() }, 'request/method-not-allowed');
      expect(headers.get('allow')).toBe('GET, HEAD');
    }
    const asks = { 'access-control-request-method': 'GET' };
    const preflight = await fetch(`${service.url}${path}`, { method: 'OPTIONS', headers: asks });
    expect([preflight.status, await preflight.text()]).toEqual([204, '']);
  },
);
