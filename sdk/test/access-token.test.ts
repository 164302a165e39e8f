// Offline verification of access tokens: each requirement on its own.
import { createHmac } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { createAdmin } from '../src/admin/index.js';
import { codeOf } from './harness.js';

const baseUrl = 'https://accounts.example.com/api/v2';
const appId = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
const nowSeconds = 1_800_000_000;
const now = () => new Date(nowSeconds * 1_000);

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let es: Pair;
let rs: Pair;
let keySet: { keys: object[] };

beforeAll(async () => {
  [es, rs] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('RS256')]);
  keySet = {
    keys: [
      { ...(await exportJWK(es.publicKey)), kid: 'es', use: 'sig', alg: 'ES256' },
      { ...(await exportJWK(rs.publicKey)), kid: 'rs', use: 'sig', alg: 'RS256' },
      { ...(await exportJWK(es.publicKey)), kid: 'for-encryption', use: 'enc', alg: 'ES256' },
      { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'of-a-later-service', use: 'sig', alg: 'EdDSA' },
    ],
  };
});

/** A key set that is read without a network. */
function newAdmin(answer: () => Response | Promise<Response> = () => Response.json(keySet), at = now) {
  const addresses: string[] = [];
  const fakeFetch = async (input: unknown) => {
    addresses.push(String(input));
    return answer();
  };
  const admin = createAdmin({ baseUrl, appKey: 'pk_test', appId, now: at, fetch: fakeFetch as typeof fetch });
  return { verify: admin.verifyAccessToken, addresses };
}

const claims: JWTPayload = {
  iss: `${baseUrl}/apps/${appId}`,
  aud: appId,
  client_id: appId,
  sub: '01JC4Q7M0RZ9X2V5T8W3Y6K1NC',
  sid: '01JC4Q7M0RZ9X2V5T8W3Y6K1ND',
  jti: 'j',
  iat: nowSeconds - 60,
  exp: nowSeconds + 3_540,
  auth_time: nowSeconds - 600,
  amr: ['pwd'],
  email: 'ada@example.com',
  email_verified: true,
};

const esHeader = { alg: 'ES256', typ: 'at+jwt', kid: 'es' };

/** A token of the service with overrides; `undefined` removes a claim. */
function token(
  changed: Record<string, unknown> = {},
  header: object = {},
  key = es.privateKey,
): Promise<string> {
  return new SignJWT(JSON.parse(JSON.stringify({ ...claims, ...changed })))
    .setProtectedHeader({ ...esHeader, ...header })
    .sign(key);
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a valid token of either algorithm gives its claims', async () => {
  const { verify, addresses } = newAdmin();
  const said = {
    uid: claims.sub,
    sessionId: claims.sid,
    email: 'ada@example.com',
    emailVerified: true,
    claims: {},
    authTime: new Date((nowSeconds - 600) * 1_000),
    issuedAt: new Date((nowSeconds - 60) * 1_000),
    expiresAt: new Date((nowSeconds + 3_540) * 1_000),
    amr: ['pwd'],
  };
  expect(await verify(await token())).toEqual(said);
  expect(await verify(await token({}, { alg: 'RS256', kid: 'rs' }, rs.privateKey))).toEqual(said);
  const withClaims = await verify(await token({ claims: { role: 'editor' } }));
  expect(withClaims.claims).toEqual({ role: 'editor' });
  expect(addresses).toEqual([`${baseUrl}/.well-known/jwks.json`]);
});

test.each<[string, () => Promise<string> | string]>([
  ["another app's", () => token({ aud: 'other', iss: `${baseUrl}/apps/other` })],
  ['for another audience', () => token({ aud: 'other' })],
  // A refresh would not help.
  ['for another audience and expired', () => token({ aud: 'other', exp: nowSeconds - 60 })],
  ['of another issuer', () => token({ iss: `https://elsewhere.example.com/apps/${appId}` })],
  ['without an issuer', () => token({ iss: undefined })],
  ['without an audience', () => token({ aud: undefined })],
  ['of another type', () => token({}, { typ: 'JWT' })],
  ['without a type', () => token({}, { typ: undefined })],
  ['without a user', () => token({ sub: undefined })],
  ['without a session', () => token({ sid: undefined })],
  ['without an expiry', () => token({ exp: undefined })],
  ['without a time of issue', () => token({ iat: undefined })],
  ['not valid yet', () => token({ nbf: nowSeconds + 31 })],
  ['of an unknown key', () => token({}, { kid: 'unknown' })],
  ['without a key id', () => token({}, { kid: undefined })],
  ['of a key for encryption', () => token({}, { kid: 'for-encryption' })],
  ['of a key of another kind', () => token({}, { kid: 'of-a-later-service' })],
  ['signed by ES256, naming the RSA key', () => token({}, { kid: 'rs' })],
  ['signed by RS256, naming the EC key', () => token({}, { alg: 'RS256' }, rs.privateKey)],
  [
    'signed by PS256 with the RSA key',
    async () => (await token()).replace(/^[^.]+/, base64url({ ...esHeader, alg: 'PS256', kid: 'rs' })),
  ],
  ['signed with somebody else’s key', async () => token({}, {}, (await generateKeyPair('ES256')).privateKey)],
  [
    'changed after it was signed',
    async () => (await token()).replace(/\.[^.]+\./, `.${base64url({ ...claims, sub: 'eve' })}.`),
  ],
  ['no token', () => 'rt_opaque'],
  ['empty', () => ''],
  ['that is missing, as without a header', () => undefined as never],
  ['endless', () => `${'a'.repeat(10_000)}.b.c`],
])('a token %s is refused as invalid', async (_, make) => {
  const { verify } = newAdmin();
  await expect(verify(await make())).rejects.toMatchObject({ code: 'auth/invalid-token', status: 401 });
});

test('a token without a signature, or signed by HMAC with the public key, is rejected before a key is looked up', async () => {
  const { verify, addresses } = newAdmin();
  const unsigned = `${base64url({ ...esHeader, alg: 'none' })}.${base64url(claims)}.`;
  expect(await codeOf(verify(unsigned))).toBe('auth/invalid-token');
  for (const secret of [JSON.stringify(keySet.keys[0]), JSON.stringify(keySet.keys[1])]) {
    for (const kid of ['es', 'rs']) {
      const input = `${base64url({ ...esHeader, alg: 'HS256', kid })}.${base64url(claims)}`;
      const signature = createHmac('sha256', secret).update(input).digest('base64url');
      expect(await codeOf(verify(`${input}.${signature}`))).toBe('auth/invalid-token');
    }
  }
  expect(addresses).toEqual([]);
});

test('the clock tolerance is 30 seconds, or as configured', async () => {
  const { verify } = newAdmin();
  const expired = (secondsAgo: number) => token({ exp: nowSeconds - secondsAgo });
  expect(await codeOf(verify(await expired(29)))).toBe('resolved');
  await expect(verify(await expired(30))).rejects.toMatchObject({ code: 'auth/token-expired', status: 401 });
  const exact = { clockToleranceSeconds: 0 };
  expect(await codeOf(verify(await expired(0), exact))).toBe('auth/token-expired');
  expect(await codeOf(verify(await expired(-1), exact))).toBe('resolved');
  const made = (inSeconds: number) => token({ iat: nowSeconds + inSeconds });
  expect(await codeOf(verify(await made(30)))).toBe('resolved');
  expect(await codeOf(verify(await made(31)))).toBe('auth/invalid-token');
  // No token of the service lives longer than a day.
  expect(await codeOf(verify(await token({ iat: nowSeconds - 86_430 })))).toBe('resolved');
  expect(await codeOf(verify(await token({ iat: nowSeconds - 86_431 })))).toBe('auth/token-expired');
});

test('a token of more than 8,192 characters is refused before a key is looked up', async () => {
  const { verify, addresses } = newAdmin();
  const padded = async (characters: number) => (await token()).padEnd(characters, 'A');
  expect(await codeOf(verify(await padded(8_193)))).toBe('auth/invalid-token');
  expect(addresses).toHaveLength(0);
  expect(await codeOf(verify(await padded(8_192)))).toBe('auth/invalid-token');
  expect(addresses).toHaveLength(1);
});

test.each<[string, () => Response | Promise<Response>]>([
  ['nothing', () => Promise.reject(new TypeError('fetch failed'))],
  ['an error', () => new Response('busy', { status: 503 })],
  ["a proxy's page", () => new Response('<html>')],
  ['a redirect', () => Response.redirect('https://elsewhere.example.com')],
  ['no keys', () => Response.json({ keys: [] })],
  ['something else', () => Response.json({ data: {} })],
])(
  'when the key set request returns %s, no key is available, and the next token requests it again',
  async (_, answer) => {
    let given = answer;
    const { verify } = newAdmin(() => given());
    expect(await codeOf(verify(await token()))).toBe('client/network');
    given = () => Response.json(keySet);
    expect(await codeOf(verify(await token()))).toBe('resolved');
  },
);

test.each([
  [{}, 298_999, 1],
  [{}, 299_000, 2],
  [{ Age: '100' }, 198_999, 1],
  [{ Age: '100' }, 199_000, 2],
  [{ Age: 'unknown' }, 298_999, 1],
])(
  'a key set with the headers %j has been requested %d ms later: %d times',
  async (headers, ms, requests) => {
    let atMs = now().getTime();
    const { verify, addresses } = newAdmin(
      () => Response.json(keySet, { headers }),
      () => new Date(atMs),
    );
    await verify(await token());
    atMs += ms;
    await verify(await token());
    expect(addresses).toHaveLength(requests);
  },
);

test('white space around the options, as from a file, is ignored', async () => {
  const around = (text: string) => ` ${text}\r\n`;
  const fetch = (async () => Response.json(keySet)) as typeof globalThis.fetch;
  const options = { baseUrl: around(baseUrl), appKey: 'pk_test', now, fetch };
  for (const more of [{}, { issuer: around(`${baseUrl}/apps/${appId}`) }]) {
    const admin = createAdmin({ ...options, appId: around(appId), ...more });
    expect(await codeOf(admin.verifyAccessToken(await token()))).toBe('resolved');
  }
});

test('without appId verification is rejected', async () => {
  const admin = createAdmin({ baseUrl, appKey: 'pk_test' });
  expect(await codeOf(admin.verifyAccessToken(await token()))).toBe('client/invalid-argument');
});

test('the issuer option sets the issuer of a service with a different public URL', async () => {
  const options = {
    baseUrl: 'http://foyer.internal:3000/api/v2/',
    appKey: 'pk_test',
    appId,
    now,
    fetch: (async (input: unknown) => {
      expect(input).toBe('http://foyer.internal:3000/api/v2/.well-known/jwks.json');
      return Response.json(keySet);
    }) as typeof fetch,
  };
  const issuer = `${baseUrl}/apps/${appId}`;
  expect(await codeOf(createAdmin({ ...options, issuer }).verifyAccessToken(await token()))).toBe('resolved');
  expect(await codeOf(createAdmin(options).verifyAccessToken(await token()))).toBe('auth/invalid-token');
});
