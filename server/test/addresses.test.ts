// Paths, methods and queries: what exists, what does not, and that the error envelope reports it.
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestUser, testService } from './harness.js';
import { rawCall } from './raw-http.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

let user: TestUser;
const service = shared(() => testService());
beforeAll(async () => {
  user = await service.signUp();
});

/** A raw request line and headers, with the app key and the access token unless `headers` overrides them. */
function raw(method: string, target: string, headers?: string[]) {
  const given = headers ?? [`X-App-Key: ${key()}`, `Authorization: Bearer ${user.tokens.access_token}`];
  return rawCall(service.listening.port, method, target, given);
}

const key = () => service.app.app.appKey;

describe('paths', () => {
  test.each([
    ['/api/v2/nothing', 'an unknown path'],
    ['/api/v2/me/', 'a slash at the end'],
    ['/api/v2//me', 'a doubled slash'],
    ['/api/v2/ME', 'other case'],
    ['/API/V2/me', 'other case in the prefix'],
    ['/api/v2/me/sessions/', 'an id that is missing'],
    ['/api/v2/me/sessions/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/more', 'a path that goes on'],
    ['/api/v2/constructor', 'a name that every object has'],
    ['/api/v2/me%2Fsessions', 'a slash in percent-encoding'],
    ['/healthz/', 'a probe with a slash at the end'],
    ['/HEALTHZ', 'a probe in other case'],
    ['/api/v3/me', 'another version'],
  ])('GET %s answers request/not-found: %s is not a path of the API', async (target) => {
    expectRefusal(await raw('GET', target), 'request/not-found');
  });

  test('an absolute-form request target is the same path', async () => {
    expect((await raw('GET', `http://accounts.test/api/v2/me`)).status).toBe(200);
    expectRefusal(await raw('GET', 'http://accounts.test/api/v2/nothing'), 'request/not-found');
    expectRefusal(await raw('OPTIONS', '*'), 'request/not-found');
  });

  test.each(['%', '%zz', '%ff', '%c3', '%ED%A0%80', 'a%'])(
    'broken percent-encoding in a path (%s) is refused with 422 and the field `path`',
    async (id) => {
      const answer = await raw('DELETE', `/api/v2/me/sessions/${id}`);
      expectRefusal(answer, 'request/validation-failed', { path: [expect.any(String)] });
    },
  );

  test('U+0000 in a path is refused and the error names the parameter', async () => {
    const answer = await raw('DELETE', '/api/v2/me/sessions/01JC4Q%00');
    expectRefusal(answer, 'request/validation-failed', { id: [expect.any(String)] });
  });

  test('the contract refuses a path parameter of any length and script before it reaches the database', async () => {
    for (const id of [
      'x'.repeat(8_000),
      '%F0%9F%92%A9',
      "'; DROP TABLE users; --".replaceAll(' ', '%20'),
      '..',
      '0',
    ]) {
      const answer = await raw('DELETE', `/api/v2/me/sessions/${id}`);
      expectRefusal(answer, 'request/validation-failed', { id: [expect.any(String)] });
    }
  });
});

describe('methods', () => {
  test.each([
    ['PUT', '/api/v2/me', 'GET, HEAD, PATCH, DELETE'],
    ['POST', '/api/v2/me', 'GET, HEAD, PATCH, DELETE'],
    ['GET', '/api/v2/auth/sign-in', 'POST'],
    ['HEAD', '/api/v2/auth/sign-in', 'POST'],
    ['PUT', '/api/v2/me/sessions', 'GET, HEAD'],
    ['GET', '/api/v2/me/sessions/01JC4Q7M0RZ9X2V5T8W3Y6K1NB', 'DELETE'],
    ['POST', '/api/v2/.well-known/jwks.json', 'GET, HEAD'],
    ['PUT', '/api/v2/apps/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/.well-known/openid-configuration', 'GET, HEAD'],
    ['TRACE', '/api/v2/me', 'GET, HEAD, PATCH, DELETE'],
    ['PROPFIND', '/api/v2/me', 'GET, HEAD, PATCH, DELETE'],
    ['OPTIONS', '/api/v2/me', 'GET, HEAD, PATCH, DELETE'],
    ['QUERY', '/api/v2/me', 'GET, HEAD, PATCH, DELETE'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/readyz', 'GET, HEAD'],
  ])('%s %s answers 405 with Allow: %s', async (method, target, allow) => {
    const answer = await raw(method, target);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    if (method !== 'HEAD') expectRefusal(answer, 'request/method-not-allowed');
  });

  test('a method on a path that does not exist answers request/not-found', async () => {
    for (const method of ['POST', 'TRACE', 'OPTIONS', 'DELETE']) {
      expectRefusal(await raw(method, '/api/v2/nothing'), 'request/not-found');
    }
  });

  test('HEAD answers like GET without the body', async () => {
    for (const target of ['/api/v2/me', '/api/v2/me/sessions', '/api/v2/.well-known/jwks.json', '/healthz']) {
      const [get, head] = [await raw('GET', target), await raw('HEAD', target)];
      expect(head.status).toBe(get.status);
      for (const name of ['content-type', 'content-length', 'cache-control']) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      }
    }
    const refused = await raw('HEAD', '/api/v2/me', [`X-App-Key: ${key()}`]);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      401,
      'application/json; charset=utf-8',
    ]);
  });

  test('a method override in a header or query has no effect', async () => {
    const headers = [`X-App-Key: ${key()}`, 'X-HTTP-Method-Override: DELETE', 'X-Method-Override: DELETE'];
    expectRefusal(await raw('POST', '/api/v2/me?_method=PATCH', headers), 'request/method-not-allowed');
  });

  test('the body of a call without a declared body is not read', async () => {
    for (const [method, target, status] of [
      ['GET', '/api/v2/me', 200],
      ['GET', '/api/v2/me/sessions', 200],
      ['GET', '/api/v2/.well-known/jwks.json', 200],
    ] as const) {
      const answer = await raw(method, target, [
        `X-App-Key: ${key()}`,
        `Authorization: Bearer ${user.tokens.access_token}`,
        'Content-Type: application/json',
        'Content-Length: 5',
        '',
        '{"a":',
      ]);
      expect(answer.status).toBe(status);
    }
    const other = await service.signUp();
    const out = await service.call('POST', '/auth/sign-out', {
      token: other.tokens.access_token,
      body: 'not json at all',
      headers: { 'content-type': 'text/plain' },
    });
    expect(out.status).toBe(204);
  });
});

describe('queries', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=', 'limit'],
    ['limit=2.5', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit=1e400', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=0xa', 'limit'],
    ['limit=%2B5', 'limit'],
    ['limit=5.0', 'limit'],
    ['limit=05', 'limit'],
    ['limit=+5', 'limit'],
    ['limit=5%0A', 'limit'],
    ['limit=%00', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=', 'cursor'],
    ['cursor=a&cursor=b', 'cursor'],
    ['cursor=%00', 'cursor'],
    [`cursor=${'x'.repeat(2_000)}`, 'cursor'],
    ['cursor=%ff', 'cursor'],
    ['cursor=%ED%A0%80', 'cursor'],
    ['cursor=%', 'cursor'],
    ['other=%00', 'other'],
    ['other=%zz', 'other'],
  ])('GET /me/sessions?%s is refused and the error names the field %s', async (query, field) => {
    const answer = await raw('GET', `/api/v2/me/sessions?${query}`);
    expectRefusal(answer, 'request/validation-failed', { [field]: [expect.any(String)] });
  });

  test.each([
    ['limit=0', 'must be at least 1'],
    ['limit=101', 'must be at most 100'],
    ['limit=1e1', 'must be a whole number in decimal digits'],
  ])('the error of GET /me/sessions?%s says: %s', async (query, sentence) => {
    const answer = await raw('GET', `/api/v2/me/sessions?${query}`);
    expectRefusal(answer, 'request/validation-failed', { limit: [sentence] });
  });

  test('U+0000 or broken percent-encoding in the name of a parameter is refused', async () => {
    for (const name of ['%00', 'a%00b', '%zz', '%ff']) {
      const answer = await raw('GET', `/api/v2/me/sessions?${name}=1`);
      expectRefusal(answer, 'request/validation-failed', { query: [expect.any(String)] });
    }
  });

  test.each([
    ['x=1', 422],
    ['__proto__=1', 422],
    ['constructor=1', 422],
    ['limit[]=1', 422],
    ['limit[$gt]=1', 422],
    ['100%25', 422],
    ['=', 422],
    ['&&&', 200],
  ])('a parameter that the endpoint does not declare is refused: %s answers %i', async (query, status) => {
    expect((await raw('GET', `/api/v2/me/sessions?${query}`)).status).toBe(status);
  });

  test.each(['/me', '/me/loyalty', '/data/places'])(
    'the refusal of an unknown query parameter of %s names it',
    async (path) => {
      const answer = await raw('GET', `/api/v2${path}?expand=all`);
      const fields = { query: ['has an unknown key: "expand"'] };
      expectRefusal(answer, 'request/validation-failed', fields);
    },
  );
});
