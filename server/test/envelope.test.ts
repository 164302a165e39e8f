// Invalid app keys and access tokens of every kind, and the headers of every answer.
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestUser, testService } from './harness.js';
import { rawAnswer, rawCall } from './raw-http.js';
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

describe('app keys', () => {
  test.each([
    ['missing', []],
    ['empty', ['X-App-Key:']],
    ['unknown', ['X-App-Key: pk_unknown']],
    ['in other case', (own: string) => [`X-App-Key: ${own.toUpperCase()}`]],
    ['with more behind it', (own: string) => [`X-App-Key: ${own}x`]],
    ['one of two', (own: string) => [`X-App-Key: ${own}`, 'X-App-Key: pk_other']],
    ['the second of two', (own: string) => ['X-App-Key: pk_other', `X-App-Key: ${own}`]],
    ['beside an empty one', (own: string) => [`X-App-Key: ${own}`, 'X-App-Key:']],
    ['a name that every object has', ['X-App-Key: __proto__']],
    ['a hundred times too long', [`X-App-Key: ${'k'.repeat(5_000)}`]],
    ['not ASCII', ['X-App-Key: pk_\u00ff\u00fe']],
    ['in the query', (own: string) => [`X-Other: ${own}`]],
  ] as [string, string[] | ((own: string) => string[])][])(
    'an app key that is %s is refused',
    async (_, headers) => {
      const lines = typeof headers === 'function' ? headers(key()) : headers;
      for (const [method, target] of [
        ['GET', `/api/v2/me?x-app-key=${key()}`],
        ['POST', '/api/v2/auth/sign-in'],
        ['DELETE', '/api/v2/me/sessions/01JC4Q7M0RZ9X2V5T8W3Y6K1NB'],
      ] as const) {
        expectRefusal(await raw(method, target, lines), 'request/invalid-app-key');
      }
    },
  );

  test('spaces around an app key are ignored, as in HTTP, and so is a proxy that sends it again', async () => {
    for (const lines of [
      [`X-App-Key:   ${key()}  `],
      [`X-App-Key:\t${key()}\t`],
      [`X-App-Key: ${key()}`, `x-app-key: ${key()}`],
      [`X-App-Key: ${key()} , ${key()}`],
    ]) {
      const headers = [...lines, `Authorization: Bearer ${user.tokens.access_token}`];
      expect([lines, (await raw('GET', '/api/v2/me', headers)).status]).toEqual([lines, 200]);
    }
  });

  test('the key of a disabled app is refused, and works again once the app is enabled', async () => {
    const { app } = await service.newApp();
    const owner = await service.signUp({ appKey: app.appKey });
    const call = () => service.call('GET', '/me', { appKey: app.appKey, token: owner.tokens.access_token });
    expect((await call()).status).toBe(200);
    await service.database.prisma.app.update({ where: { id: app.id }, data: { enabled: false } });
    await service.advance(5_000);
    expectRefusal(await call(), 'request/invalid-app-key');
    await service.database.prisma.app.update({ where: { id: app.id }, data: { enabled: true } });
    await service.advance(5_000);
    expect((await call()).status).toBe(200);
  });

  test('endpoints that need no app key answer without one', async () => {
    for (const target of [
      '/api/v2/.well-known/jwks.json',
      `/api/v2/apps/${service.app.app.id}/.well-known/openid-configuration`,
      '/healthz',
      '/readyz',
    ]) {
      expect([target, (await raw('GET', target, [])).status]).toEqual([target, 200]);
    }
  });

  test('the discovery document of an app that does not exist is not found', async () => {
    const path = '/api/v2/apps/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/.well-known/openid-configuration';
    expectRefusal(await raw('GET', path, []), 'request/not-found');
    const malformed = await raw('GET', '/api/v2/apps/x/.well-known/openid-configuration', []);
    expectRefusal(malformed, 'request/validation-failed', { app_id: [expect.any(String)] });
  });
});

describe('access tokens', () => {
  test.each([
    ['no header', () => []],
    ['an empty header', () => ['Authorization:']],
    ['the scheme alone', () => ['Authorization: Bearer']],
    ['another scheme', (own) => [`Authorization: Basic ${own}`]],
    ['no scheme', (own) => [`Authorization: ${own}`]],
    ['a word too many', (own) => [`Authorization: Bearer ${own} more`]],
    ['a comma behind it', (own) => [`Authorization: Bearer ${own},`]],
    ['the token twice', (own) => [`Authorization: Bearer ${own}, Bearer ${own}`]],
  ] as [string, (own: string) => string[]][])('a signed-in call with %s is refused', async (_, lines) => {
    const headers = [`X-App-Key: ${key()}`, ...lines(user.tokens.access_token)];
    expectRefusal(await raw('GET', '/api/v2/me', headers), 'auth/invalid-token');
  });

  test.each(['bEARER ', 'Bearer  ', 'bearer\t', 'Bearer \t '])(
    'the authentication scheme is case-insensitive, and white space follows it: %j',
    async (scheme) => {
      const ask = (path: string, token: string) =>
        raw('GET', `/api/v2${path}`, [`X-App-Key: ${key()}`, `authorization: ${scheme}${token}  `]);
      expect((await ask('/me', user.tokens.access_token)).status).toBe(200);
      expect((await ask('/admin/users', service.app.secretKey)).status).toBe(200);
    },
  );

  test('of two Authorization headers the first is used, and the second grants nothing', async () => {
    const own = `Authorization: Bearer ${user.tokens.access_token}`;
    const other = 'Authorization: Bearer other';
    expect((await raw('GET', '/api/v2/me', [`X-App-Key: ${key()}`, own, other])).status).toBe(200);
    const refused = await raw('GET', '/api/v2/me', [`X-App-Key: ${key()}`, other, own]);
    expectRefusal(refused, 'auth/invalid-token');
  });
});

describe('the headers of every answer', () => {
  test('every answer has its own request id, regardless of the id that the client sends', async () => {
    const seen = new Set<string>();
    for (const target of ['/api/v2/me', '/api/v2/nothing', '/healthz', '/api/v2/.well-known/jwks.json']) {
      const id = (await raw('GET', target, ['X-Request-Id: mine'])).headers.get('x-request-id');
      expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      seen.add(id as string);
    }
    expect(seen.size).toBe(4);
  });

  test('every answer has X-Content-Type-Options: nosniff', async () => {
    const answers = [
      await raw('GET', '/api/v2/me'),
      await raw('GET', '/api/v2/nothing'),
      await raw('GET', '/api/v1/me'),
      await raw('GET', '/healthz'),
      await raw('GET', '/api/v2/openapi.json'),
      await rawAnswer(service.listening.port, 'nonsense\r\n\r\n'),
    ];
    for (const answer of answers) expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('no answer reveals the server software', async () => {
    const answer = await raw('GET', '/api/v2/me');
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('server')).toBeNull();
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('answers with user data and refusals have Cache-Control: no-store', async () => {
    const signedIn = await raw('GET', '/api/v2/me');
    const signIn = await service.call('POST', '/auth/sign-in', {
      body: { email: user.email, password: user.password },
    });
    const refreshed = await service.refresh(signIn.json.data.refresh_token);
    const gone = await service.call('POST', '/auth/sign-out', { token: refreshed.data.access_token });
    const refusals = [
      await raw('GET', '/api/v2/nothing'),
      await raw('POST', '/api/v2/me'),
      await raw('GET', '/api/v2/me', []),
      await raw('GET', '/api/v2/me', [`X-App-Key: ${key()}`]),
      await raw('GET', '/api/v2/apps/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/.well-known/openid-configuration', []),
      await raw('DELETE', '/api/v2/me/sessions/%ff'),
    ];
    for (const answer of [signedIn, signIn, refreshed, gone, ...refusals]) {
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([answer.status, 'no-store']);
    }
    for (const target of ['jwks.json']) {
      const answer = await raw('GET', `/api/v2/.well-known/${target}`, []);
      expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    }
  });
});
