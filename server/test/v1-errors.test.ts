// Every error of v1 has the form of v1, in every part of the service: one sentence, as JSON, and no code. Each status is
// reached in v1-headers.test.ts.
import { v1Contract } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestUser, testService } from './harness.js';
import { rawAnswer, rawCall } from './raw-http.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { expectV1Refusal, v1Scenario } from './v1-scenario.js';

const lines: string[] = [];
const service = shared(() => testService({ onLogLine: (line) => lines.push(line) }));
let user: TestUser;
let token: string;
beforeAll(async () => {
  user = await service.signUp();
  token = await v1.logIn(user);
});

const v1 = v1Scenario(() => service);
const key = () => service.app.app.appKey;
const raw = (method: string, target: string, ...headers: string[]) =>
  rawCall(service.listening.port, method, target, [`X-App-Key: ${key()}`, ...headers]);

describe('paths and methods', () => {
  test.each([
    '/api/v1/nothing',
    '/api/v1/me/',
    '/api/v1/ME',
    '/api/v1//me',
    '/api/v1/%zz',
    '/api/v1/%00',
    '/api/v1/auth/sign-in',
    'http://accounts.test/api/v1/nothing',
  ])('GET %s answers 404', async (target) => {
    expectV1Refusal(await raw('GET', target), 404, 'There is no such endpoint.');
  });

  test('paths outside of the prefix have the form of v2', async () => {
    for (const target of ['/api/v10/me', '/API/V1/me', '/v1/me', '/api']) {
      expect((await raw('GET', target)).json.error.code).toBe('request/not-found');
    }
  });

  test.each([
    ['GET', '/api/v1/login', 'POST'],
    ['PUT', '/api/v1/me', 'GET, HEAD'],
    ['POST', '/api/v1/account/delete', 'DELETE'],
    ['OPTIONS', '/api/v1/me', 'GET, HEAD'],
    ['POST', '/api/v1/openapi.json', 'GET, HEAD'],
    ['OPTIONS', '/api/v1/openapi.json', 'GET, HEAD'],
  ])('%s %s answers 405 with Allow: %s', async (method, target, allow) => {
    const answer = await raw(method, target);
    expectV1Refusal(answer, 405);
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test.each([
    ['x=%zz', 'The x is not percent-encoded UTF-8.'],
    ['x=%00', 'The x must not hold U+0000 or half of a surrogate pair.'],
    ['constructor=%00', 'The constructor must not hold U+0000 or half of a surrogate pair.'],
    ['%ff=1', 'The query is not percent-encoded UTF-8.'],
  ])('the query %s answers 422: %s', async (query, message) => {
    const answer = await raw('GET', `/api/v1/me?${query}`, `Authorization: Bearer ${token}`);
    expectV1Refusal(answer, 422, message);
  });

  test('HEAD answers like GET', async () => {
    const [get, head] = [await v1.me(token), await v1.call('HEAD', '/me', { token })];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });
});

describe('callers', () => {
  const refused = 'The X-App-Key header is missing or unknown, or its app is disabled.';

  test('a missing, wrong or disabled app key answers 401', async () => {
    const { app } = await service.newApp();
    await service.database.prisma.app.update({ where: { id: app.id }, data: { enabled: false } });
    for (const appKey of [null, '', 'pk_unknown', app.appKey]) {
      expectV1Refusal(await v1.call('GET', '/me', { appKey, token }), 401, refused);
      expectV1Refusal(await v1.call('POST', '/login', { appKey, body: user }), 401, refused);
    }
  });

  test('an origin that the app does not allow answers 403 without CORS', async () => {
    const { app } = await service.newApp();
    const data = { allowedOrigins: ['https://app.example'] };
    await service.database.prisma.app.update({ where: { id: app.id }, data });
    const options = { appKey: app.appKey, headers: { origin: 'https://evil.example' } };
    const answer = await v1.call('POST', '/login', { ...options, body: user });
    expectV1Refusal(answer, 403, 'This app does not allow calls from the origin of this page.');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a preflight is answered, and pages may read answers with the documented headers', async () => {
    const preflight = await raw('OPTIONS', '/api/v1/login', 'Access-Control-Request-Method: POST');
    expect(preflight.status).toBe(204);
    const answer = await v1.me(token);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/Sunset, Link, Deprecation/);
  });

  test('a token of v2 and a secret key are refused', async () => {
    for (const wrong of [user.tokens.access_token, user.tokens.refresh_token, service.app.secretKey]) {
      expectV1Refusal(await v1.me(wrong), 401);
    }
  });
});

describe('bodies', () => {
  const wrongType = 'The body must be sent as application/json in UTF-8.';
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    v1.call('POST', '/login', { body, headers });

  test.each([
    ['malformed JSON', '{"email":', {}, 400, 'The body is not valid JSON.'],
    ['another media type', '{}', { 'content-type': 'text/plain' }, 415, wrongType],
    ['another charset', '{}', { 'content-type': 'application/json; charset=latin1' }, 415, wrongType],
    ['an unknown encoding', '{}', { 'content-encoding': 'x' }, 415, wrongType],
    ['too much of it', { filling: 'x'.repeat(110_000) }, {}, 413, undefined],
    ['no object', '[]', {}, 422, 'The body must be an object.'],
    ['U+0000', { email: 'a\u0000' }, {}, 422, 'The email must not hold U+0000 or half of a surrogate pair.'],
    ['half a surrogate pair', '{"email":"\\ud800"}', {}, 422, undefined],
    ['a missing field', { email: 'a@b.cd' }, {}, 422, 'The password is missing.'],
    ['a field of another type', { email: 7, password: 'x' }, {}, 422, 'The email must be a string.'],
  ] as [string, unknown, Record<string, string>, number, string | undefined][])(
    '%s',
    async (_, body, headers, status, message) => {
      expectV1Refusal(await post(body, headers), status, message);
    },
  );

  test('the contract refuses a missing body', async () => {
    expectV1Refusal(await v1.call('POST', '/login'), 422, 'The body is missing.');
  });

  test('unknown keys are ignored', async () => {
    expect((await post({ email: user.email, password: user.password, remember: true })).status).toBe(200);
  });
});

test('a missing mail server answers 503 for every email alike', async () => {
  const mute = await service.secondInstance({ config: { databaseUrl: 'postgresql://elsewhere' } });
  const scenario = v1Scenario(() => mute);
  for (const email of [user.email, 'nobody@example.com']) {
    expectV1Refusal(await scenario.call('POST', '/password/forgot', { body: { email } }), 503);
  }
  await mute.stop();
});

describe('invalid HTTP', () => {
  const broken = 'The request is not valid HTTP.';
  const large = 'The request is larger than this endpoint accepts.';
  const whole = (line: string, ...headers: string[]) => [line, 'Host: a', ...headers, '', ''].join('\r\n');
  const x = 'x'.repeat(40_000);
  const twoEnds = ['Content-Length: 4', 'Transfer-Encoding: chunked'];

  test.each([
    ['too long a query', whole(`GET /api/v1/me?x=${x} HTTP/1.1`), 413, large],
    ['too long a query by the whole address', whole(`GET http://a/api/v1?x=${x} HTTP/1.1`), 413, large],
    ['too long a header', whole('GET /api/v1/me HTTP/1.1', `X-A: ${x}`), 413, large],
    ['Content-Length and Transfer-Encoding', whole('POST /api/v1/login HTTP/1.1', ...twoEnds), 400, broken],
    ['an unknown method', whole('FOO /api/v1/me HTTP/1.1'), 400, broken],
    ['an unknown version', whole('GET /api/v1 HTTP/9.9'), 400, broken],
    ['a space before the colon', whole('GET /api/v1/me HTTP/1.1', 'X-A : b'), 400, broken],
    ['no Host, on an unknown path', 'GET /api/v1/nothing HTTP/1.1\r\nX-A: b\r\n\r\n', 400, broken],
  ])('%s is refused in the form of v1', async (_, bytes, status, message) => {
    expectV1Refusal(await rawAnswer(service.listening.port, bytes), status, message);
  });

  test('paths outside the prefix have the form of v2', async () => {
    for (const target of ['/api/v10/me', '/api/v1x', '/x/api/v1/me', '/api/v2/me?/api/v1/', 'api/v1/me']) {
      const answer = await rawAnswer(service.listening.port, whole(`FOO ${target} HTTP/1.1`));
      expectRefusal(answer, 'request/malformed-http');
    }
  });
});

test('a request of v1 is logged under its route name with its user', async () => {
  lines.length = 0;
  await v1.me(token);
  await v1.call('GET', '/nothing', { token });
  const [known, unknown] = lines.map((line) => JSON.parse(line));
  expect(known).toMatchObject({
    route: 'GET /api/v1/me',
    status: 200,
    uid: user.uid,
    app_id: service.app.app.id,
  });
  expect(unknown).toMatchObject({ route: null, status: 404 });
});

test('the document is served without an app key and names the URL of this installation', async () => {
  const answer = await v1.call('GET', '/openapi.json', { appKey: null });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(JSON.stringify(answer.json.servers)).toContain('https://accounts.test/api/v1');
  expect(answer.json.paths[v1Contract.accounts.logIn.path].post.operationId).toBe('accountsLogIn');
});

test('answers with user data may not be cached', async () => {
  for (const answer of [
    await v1.me(token),
    await v1.call('POST', '/login', { body: user }),
    await v1.call('POST', '/password/forgot', { body: { email: user.email } }),
  ]) {
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  }
});
