// The answers that have `RateLimit` and `RateLimit-Policy`, compared with the OpenAPI document.
import { readDocument } from '@foyer/openapi';
import { expect, test } from 'vitest';
import { limitedService } from './limited-service.js';
import { shared } from './shared.js';

type Response = { $ref?: string; headers?: object };
type Documented = {
  paths: Record<string, Record<string, { responses: Record<number, Response> }>>;
  components: { responses: Record<string, Response> };
};

const service = shared(limitedService);

test('documents, probes, preflights and calls without a known app have no rate limit headers', async () => {
  const answers = [
    await service.call('GET', '/.well-known/jwks.json', { appKey: null }),
    await service.call('GET', `/apps/${service.app.app.id}/.well-known/openid-configuration`, {
      appKey: null,
    }),
    await service.call('POST', '/auth/sign-in', { appKey: 'unknown', body: {} }),
    await service.call('GET', '/nothing'),
  ];
  expect(answers.map(({ headers }) => headers.get('ratelimit'))).toEqual([null, null, null, null]);
});

test('an error has rate limit headers once its call was counted, and the document declares them', async () => {
  const { tokens } = await service.newUser();
  const { paths, components } = readDocument('v2') as unknown as Documented;
  for (const [method, path, options, status, counted] of [
    ['GET', '/config', { appKey: 'pk_unknown' }, 401, false],
    ['GET', '/me', {}, 401, true],
    ['PATCH', '/me', { body: '{', token: tokens.access_token }, 400, true],
    ['PATCH', '/me', { body: { first_name: 1 }, token: tokens.access_token }, 422, true],
    ['POST', '/auth/sign-in', { body: { email: 'a@b.cd', password: 'x' } }, 401, true],
    ['POST', '/auth/token/refresh', { body: { refresh_token: 'x' } }, 401, true],
    ['POST', '/auth/sign-in', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415, true],
  ] as const) {
    const answer = await service.call(method, path, options);
    const declared = paths[path]?.[method.toLowerCase()]?.responses[status];
    const headers =
      declared?.headers ?? components.responses[declared?.$ref?.split('/').at(-1) ?? '']?.headers;
    for (const name of ['RateLimit', 'RateLimit-Policy']) {
      const found = { sent: answer.headers.has(name), declared: name in (headers ?? {}) };
      expect([path, answer.status, found]).toEqual([path, status, { sent: counted, declared: counted }]);
    }
  }
});
