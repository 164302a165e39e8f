// Access tokens over HTTP: their claims, and every token that is not ours.
import { createPublicKey } from 'node:crypto';
import {
  base64url,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { claimsOf, statementLog, testService } from '../../test/harness.js';
import { invalid, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { createApp } from '../apps/create-app.js';
import type { TokenSession } from '../model/session.js';
import { accessTokens } from './access-token.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const { me, spend, start } = sessionScenario(() => service);
const expired = { status: 401, code: 'auth/token-expired' };

async function token(): Promise<string> {
  return (await start()).user.tokens.access_token;
}

/** The header and claims of a token of ours, for signing with another key or with changes. */
function parts(accessToken: string) {
  return {
    header: decodeProtectedHeader(accessToken) as { alg: string; kid: string },
    claims: claimsOf(accessToken),
  };
}

/** The published key with this id. */
async function publicJwk(kid: string) {
  const { json } = await service.call('GET', '/.well-known/jwks.json', { appKey: null });
  return json.keys.find((key: { kid: string }) => key.kid === kid);
}

describe('an access token', () => {
  test('is an ES256 JWT of type at+jwt whose key id is in the key set', async () => {
    const accessToken = await token();
    const { header } = parts(accessToken);
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    const jwk = await publicJwk(header.kid);
    const [x, y] = [expect.any(String), expect.any(String)];
    expect(jwk).toEqual({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', kid: header.kid, x, y });
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    await jwtVerify(accessToken, publicKey, { currentDate: service.clock.now(), typ: 'at+jwt' });
  });

  test('contains the documented claims, and no others', async () => {
    const { user, sid } = await start();
    const { id } = service.app.app;
    const now = Math.floor(service.clock.now().getTime() / 1_000);
    expect(claimsOf(user.tokens.access_token)).toEqual({
      iss: `https://accounts.test/api/v2/apps/${id}`,
      aud: id,
      client_id: id,
      sub: user.uid,
      sid,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      iat: now,
      exp: now + 3_600,
      auth_time: now,
      amr: ['pwd'],
      email: user.email,
      email_verified: false,
    });
  });

  test('has its own jti, even within one second', async () => {
    const { first } = await start();
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.refresh(first)));
    expect(new Set(answers.map((answer) => claimsOf(answer.data.access_token).jti)).size).toBe(10);
  });

  test('contains custom claims and the current email state from the next refresh on', async () => {
    const { user, first } = await start();
    const where = { appId_id: { appId: service.app.app.id, id: user.uid } };
    const data = { claims: { role: 'editor', teams: [1, 2] }, emailVerified: true };
    await service.database.prisma.user.update({ where, data });
    expect(claimsOf(user.tokens.access_token).claims).toBeUndefined();
    const answer = await service.refresh(first);
    expect(claimsOf(answer.data.access_token)).toMatchObject({ claims: data.claims, email_verified: true });
  });

  test('has the lifetime that its app sets', async () => {
    const { deps } = service;
    const app = await createApp(deps, { name: 'Short', accessTokenSeconds: 300 });
    const user = await service.signUp({ appKey: app.app.appKey });
    expect(user.tokens.expires_in).toBe(300);
    const { iat, exp } = claimsOf(user.tokens.access_token);
    expect(exp - iat).toBe(300);
  });

  test('is verified by an instance that has not issued it, the first time and later', async () => {
    const accessToken = await token();
    const other = await service.secondInstance();
    const changed = `${accessToken.slice(0, -9)}${accessToken.at(-9) === 'A' ? 'B' : 'A'}${accessToken.slice(-8)}`;
    for (const _time of [1, 2]) {
      expect(await other.call('GET', '/me', { token: changed })).toMatchObject(invalid);
      expect((await other.call('GET', '/me', { token: accessToken })).status).toBe(200);
    }
    await other.stop();
  });
});

/** Processes with one signing key, which count how often its public half verifies a signature. */
function verifiers() {
  const { app, deps, clock } = service;
  const current = deps.signingKeys.current('ES256');
  const publicKey = vi.fn(() => current.publicKey);
  const key = Object.defineProperty({ ...current }, 'publicKey', { get: publicKey });
  const signingKeys = { ...deps.signingKeys, current: () => key, byHeader: () => key };
  const user = { uid: 'u', sessionId: 's', email: 'ada@example.com', emailVerified: true, claims: {} };
  const session = { ...user, authTime: clock.now(), amr: ['pwd'] } as unknown as TokenSession;
  function newProcess() {
    const tokens = accessTokens({ ...deps, signingKeys });
    return {
      sign: () => tokens.sign(app.app, session),
      verify: (token: string) => tokens.verify(app.app, token, clock.now()),
    };
  }
  return { newProcess, publicKey };
}

test('a new process verifies no signature of the first 15,000 tokens that it issues', () => {
  const { newProcess, publicKey } = verifiers();
  const { sign, verify } = newProcess();
  const issued = Array.from({ length: 15_000 }, sign);
  for (const token of issued) expect(verify(token)).toMatchObject({ sub: 'u' });
  expect(publicKey).not.toHaveBeenCalled();
});

test('a process verifies the signature of a token of another one once', () => {
  const { newProcess, publicKey } = verifiers();
  const token = newProcess().sign();
  const { verify } = newProcess();
  for (const _time of [1, 2, 3]) expect(verify(token)).toMatchObject({ sub: 'u' });
  expect(publicKey).toHaveBeenCalledTimes(1);
});

describe('time', () => {
  test('a token works until the millisecond before its exp, and is expired from then on', async () => {
    const accessToken = await token();
    service.clock.set(new Date(claimsOf(accessToken).exp * 1_000 - 1));
    expect((await me(accessToken)).status).toBe(200);
    service.clock.advance(1);
    expect(await me(accessToken)).toMatchObject(expired);
    service.clock.advance(1);
    expect(await me(accessToken)).toMatchObject(expired);
  });

  test('an expired token answers auth/token-expired on every signed-in call, and changes nothing', async () => {
    const { user, first } = await start();
    service.clock.advance(3_600_000);
    for (const [method, path] of [
      ['POST', '/auth/sign-out'],
      ['POST', '/auth/sign-out-all'],
      ['GET', '/me/sessions'],
    ] as const) {
      expect(await service.call(method, path, { token: user.tokens.access_token })).toMatchObject(expired);
    }
    await spend(first);
  });

  test('WWW-Authenticate names an error only where the request had a token (RFC 6750)', async () => {
    const { user } = await start();
    const own = { token: user.tokens.access_token };
    const password = { body: { email: user.email, password: 'not the password' } };
    const challengeOf = async (...call: Parameters<typeof service.call>) =>
      (await service.call(...call)).headers.get('www-authenticate');
    expect(await challengeOf('GET', '/me')).toBe('Bearer realm="foyer"');
    expect(await challengeOf('POST', '/auth/sign-in', password)).toBe('Bearer realm="foyer"');
    const invalid = 'Bearer realm="foyer", error="invalid_token"';
    expect(await challengeOf('GET', '/me', { token: 'not-a-token' })).toBe(invalid);
    expect(await challengeOf('GET', '/me', { token: 'not-a-token', version: 'v1' })).toBe(invalid);
    service.clock.advance(3_600_000);
    expect(await challengeOf('GET', '/me', own)).toBe(invalid);
    expect(await challengeOf('GET', '/config')).toBeNull();
  });
});

type CryptoKeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

describe('a token that is not ours', () => {
  let good: string;
  let foreign: CryptoKeyPair;
  beforeAll(async () => {
    good = await token();
    foreign = await generateKeyPair('ES256', { extractable: true });
  });

  type Forgery = () => string | Promise<string>;
  test.each<[string, Forgery]>([
    ['signed with another key under our key id', () => signForeign({})],
    ['signed with a key nobody knows', () => signForeign({ kid: 'unknown' })],
    [
      'that brings its own key in the header',
      async () => signForeign({ jwk: await exportJWK(foreign.publicKey) }),
    ],
    ['that says where its key is', () => signForeign({ jku: 'https://evil.example/jwks.json' })],
    ['without a signature (alg none)', () => new UnsecuredJWT(parts(good).claims).encode()],
    ['with its signature taken away', () => `${good.split('.').slice(0, 2).join('.')}.`],
    [
      'signed by HS256 with our public key as the secret',
      async () => {
        const { header } = parts(good);
        const key = createPublicKey({ key: await publicJwk(header.kid), format: 'jwk' });
        const secret = Buffer.from(key.export({ format: 'pem', type: 'spki' }));
        return sign(secret, { ...header, alg: 'HS256' });
      },
    ],
    ['with another user in it', () => withClaims({ sub: service.deps.random.ulid(service.clock.now()) })],
    ['with another type', () => withHeader({ ...parts(good).header, typ: 'JWT' })],
    ['with its header written in another order', () => withHeader(reversed(parts(good).header))],
    ['with a part more', () => `${good}.e30`],
    ['with a part less', () => good.split('.').slice(0, 2).join('.')],
    ['padded', () => `${good}=`],
    ['with a signature in another alphabet', () => good.slice(0, -1) + (good.endsWith('A') ? '+' : '/')],
    ['that is a refresh token', async () => (await start()).first],
    ['that is no token at all', () => 'x'],
    ['of dots alone', () => '..'],
    ['longer than any', () => `${good}${'A'.repeat(9_000)}`],
  ])('a token %s is invalid, and its session stays live', async (_what, forge) => {
    const forged = await forge();
    expect(forged).not.toBe(good);
    expect(await me(forged)).toMatchObject(invalid);
    expect((await me(good)).status).toBe(200);
  });

  test('a token with any changed character is invalid', async () => {
    const places = Array.from({ length: Math.ceil(good.length / 7) }, (_, place) => place * 7);
    // Concurrently: for a changed key id the service queries unknown keys once a second.
    const codes = await Promise.all(
      places.map(async (at) => {
        const changed = good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
        return [at, (await me(changed)).code];
      }),
    );
    expect(codes).toEqual(places.map((at) => [at, 'auth/invalid-token']));
    expect((await me(good)).status).toBe(200);
  });

  test('a signature with changed spare bits is invalid', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet[alphabet.indexOf(good.slice(-1)) ^ 1];
    expect(await me(good.slice(0, -1) + last)).toMatchObject(invalid);
  });

  test('a token of another issuer is invalid, with the same keys and the same app', async () => {
    const moved = await service.secondInstance({ config: { baseUrl: 'https://elsewhere.test' } });
    expect(await moved.call('GET', '/me', { token: good })).toMatchObject(invalid);
    const user = await moved.signUp();
    expect(await me(user.tokens.access_token)).toMatchObject(invalid);
    await moved.stop();
  });

  test.each([
    ['an audience that is not this app', () => ({ aud: service.deps.random.ulid(service.clock.now()) })],
    ['an issuer that is not this app', () => ({ iss: 'https://accounts.test/api/v2/apps/another' })],
    ["another user than its session's", () => ({ sub: service.deps.random.ulid(service.clock.now()) })],
    ['a session that never was', () => ({ sid: service.deps.random.ulid(service.clock.now()) })],
  ])('a token signed with our own key for %s is invalid', async (_what, change) => {
    const { header, claims } = parts(good);
    const { privateKey } = service.deps.signingKeys.current('ES256');
    const signed = (more: Record<string, unknown>) =>
      new SignJWT({ ...claims, ...more })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: header.kid })
        .sign(privateKey);
    expect((await me(await signed({}))).status).toBe(200);
    expect(await me(await signed(change()))).toMatchObject(invalid);
  });

  test('malformed tokens cause no query', async () => {
    await me(good);
    const garbage = ['x', 'a.b.c', good.slice(1), `${good}x`, new UnsecuredJWT(parts(good).claims).encode()];
    const kid = 'x'.repeat(42);
    garbage.push(withHeader({ ...parts(good).header, kid }), withHeader({ alg: 'none', kid: `${kid}x` }));
    const many = Array.from({ length: 40 }, (_, place) => garbage[place % garbage.length] as string);
    expect(await statements.during(() => Promise.all(many.map(me)))).toEqual([]);
  });

  test('tokens with invented keys cause one query per second, and none when repeated', async () => {
    service.clock.advance(5_000);
    await me(good);
    const kids = Array.from({ length: 40 }, (_, place) => String(place).padStart(43, 'x'));
    const madeUp = kids.map((kid) => withHeader({ ...parts(good).header, kid }));
    const ask = (tokens: string[]) => statements.during(() => Promise.all(tokens.map(me)));
    const began = performance.now();
    const looks = await ask(madeUp);
    const seconds = Math.floor((performance.now() - began) / 1_000);
    expect(looks.every((sql) => sql.includes('signing_keys'))).toBe(true);
    // The first queries at once; all that arrive meanwhile share the second. On a busy machine some arrive later.
    expect(looks.length).toBeLessThanOrEqual(1 + Math.max(1, seconds));
    service.clock.advance(60_000);
    await me(good);
    expect(await ask(madeUp)).toEqual([]);
  });

  test('at most a thousand calls wait for a key query, and further ones answer 503', async () => {
    const { reloadFor } = service.deps.signingKeys;
    const looks = Array.from({ length: 1_001 }, (_, place) => reloadFor(`made up, and no. ${place}`));
    const answers = await Promise.allSettled(looks);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_000);
    expect(answers.at(-1)).toMatchObject({ reason: { code: 'request/unavailable' } });
  });

  function sign(key: CryptoKeyPair['privateKey'] | Uint8Array, header: { alg: string }): Promise<string> {
    return new SignJWT(parts(good).claims).setProtectedHeader(header).sign(key);
  }

  function signForeign(header: Record<string, unknown>): Promise<string> {
    return sign(foreign.privateKey, { ...parts(good).header, ...header });
  }

  function withClaims(change: Record<string, unknown>): string {
    const [header, , signature] = good.split('.');
    const claims = { ...parts(good).claims, ...change };
    return [header, base64url.encode(JSON.stringify(claims)), signature].join('.');
  }

  function withHeader(header: Record<string, unknown>): string {
    return [base64url.encode(JSON.stringify(header)), ...good.split('.').slice(1)].join('.');
  }
});

function reversed(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).reverse());
}
