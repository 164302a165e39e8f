// What public reports about other services' verification of ID tokens describe: key confusion, odd key sets, claims that
// almost match, signatures of zeros, and tokens made to exhaust the parser. Over HTTP, against each kind of provider.
import { sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ProviderKey, providerKey } from '../../test/identity-provider.js';
import { clients, contoso, nonce, providerScenario, sha256Hex } from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';

const scenario = shared(() => providerScenario());
let encryption: ProviderKey;
let elliptic: ProviderKey;
beforeAll(async () => {
  encryption = await providerKey('encryption');
  elliptic = await providerKey('elliptic', 'ES256');
  await scenario.set({ providers: { [contoso]: { ...scenario.contosoSettings, trusts_email: true } } });
  const { kid: _, ...withoutId } = elliptic.publicJwk;
  for (const provider of [scenario.a, scenario.b, scenario.c]) {
    provider.keys.push(
      { ...encryption, publicJwk: { ...encryption.publicJwk, use: 'enc' } },
      elliptic,
      // What must not disturb the others: the id of another key, no id, no modulus, a secret, too few bits, no key.
      { ...elliptic, publicJwk: { ...withoutId, kid: 'first' } },
      { ...elliptic, publicJwk: withoutId },
      { ...elliptic, publicJwk: { kty: 'RSA', kid: 'broken', e: 'AQAB' } },
      { ...elliptic, publicJwk: { kty: 'oct', kid: 'secret', k: 'c2VjcmV0', alg: 'HS256' } },
      { ...elliptic, publicJwk: { kty: 'RSA', kid: 'short', e: 'AQAB', n: 'AQAB', alg: 'RS256' } },
      { ...elliptic, publicJwk: null as never },
    );
  }
});

let owners = 0;

const encoded = (part: string | object) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

describe.each(['a', 'b', 'c'] as const)('provider %s:', (name) => {
  const provider = () => scenario[name];
  const right = () => ({ nonce: name === 'b' ? sha256Hex(nonce) : nonce });
  const token = (claims: object = {}, more: { header?: object; key?: ProviderKey } = {}) =>
    provider().idToken({ claims: { ...right(), ...claims }, ...more });
  const send = (idToken: string) =>
    name === 'b'
      ? scenario.signInB({ identity_token: idToken, authorization_code: 'code', nonce })
      : scenario[`signIn${name === 'a' ? 'A' : 'C'}`]({ id_token: idToken, nonce });
  /** Signed by the provider, whatever the payload is. */
  const signed = (payload: string, header: object = { alg: 'RS256', kid: 'first' }) => {
    const input = `${encoded(header)}.${encoded(payload)}`;
    return `${input}.${sign('sha256', Buffer.from(input), provider().key.privateKey).toString('base64url')}`;
  };
  const claimsOf = async (claims: object = {}) =>
    Buffer.from((await token(claims)).split('.')[1] as string, 'base64url').toString();

  test('odd keys in the key set disturb neither RS256 nor ES256', async () => {
    expect((await send(await token())).status).toBe(200);
    expect((await send(await token({}, { key: elliptic }))).status).toBe(200);
  });

  test.each<[string, () => Promise<string>]>([
    ['a key for encryption', () => token({}, { key: encryption })],
    ['a key of another type under its id', () => token({}, { key: elliptic, header: { kid: 'first' } })],
    ['a broken key', () => token({}, { header: { kid: 'broken' } })],
    ['a short key', () => token({}, { header: { kid: 'short' } })],
    ['a secret in the key set', () => token({}, { header: { kid: 'secret' } })],
    ['an id that is a path', () => token({}, { header: { kid: '../../keys' } })],
    ['an id of the prototype', () => token({}, { header: { kid: '__proto__' } })],
    ['an empty id', () => token({}, { header: { kid: '' } })],
    [
      'zeros',
      async () =>
        `${encoded({ alg: 'ES256', kid: 'elliptic' })}.${encoded(await claimsOf())}.${encoded(Buffer.alloc(64).toString('latin1'))}`,
    ],
    ['nothing', async () => `${encoded({ alg: 'ES256', kid: 'elliptic' })}.${encoded(await claimsOf())}.`],
  ])('a token signed with %s is accepted only with the key that it names', async (what, make) => {
    const { status, code } = await send(await make());
    // The key set publishes the elliptic key under that id, too.
    if (what === 'a key of another type under its id') expect(status).toBe(200);
    else expect([status, code]).toEqual([401, 'auth/invalid-credential']);
  });

  const issuer = () => provider().issuer;
  const audience = () => ({ a: clients.web, b: clients.bundle, c: clients.contoso })[name];
  test.each<[string, () => object]>([
    ['an issuer with a slash at the end', () => ({ iss: `${issuer()}/` })],
    ['an issuer in capitals', () => ({ iss: issuer().toUpperCase() })],
    ['an issuer in a list', () => ({ iss: [issuer()] })],
    ['an issuer with a user', () => ({ iss: issuer().replace('://', '://evil@') })],
    ['an audience with a space', () => ({ aud: `${audience()} ` })],
    ['an audience in capitals', () => ({ aud: audience().toUpperCase() })],
    ['an audience that begins right', () => ({ aud: `${audience()}.evil` })],
    ['an audience of several in one text', () => ({ aud: `${audience()} evil` })],
    ['an audience beside that of another', () => ({ aud: [audience(), 'evil'] })],
    ['an audience as an object', () => ({ aud: { 0: audience(), length: 1 } })],
    ['an authorized party in a list', () => ({ azp: [audience()] })],
    ['times in milliseconds', () => ({ iat: Date.now(), exp: Date.now() + 3_600_000 })],
    ['an expiry before it was made', () => ({ exp: 1 })],
    ['a time of issue in the text', () => ({ iat: `${Math.floor(Date.now() / 1_000)}` })],
    ['a start in the text', () => ({ nbf: '0' })],
    ['a subject of a number', () => ({ sub: 1 })],
    ['a subject with a zero', () => ({ sub: 'person-1\u0000' })],
    ['a nonce in other letters', () => ({ nonce: right().nonce.toUpperCase() })],
    ['a nonce in a list', () => ({ nonce: [right().nonce] })],
  ])('a token with %s is refused', async (_what, claims) => {
    const { status, code } = await send(await token(claims()));
    expect([status, code]).toEqual([401, 'auth/invalid-credential']);
  });

  test.each(['[]', 'null', '"text"', '1', '', '{', '[[1]]', '{"iss":', '\ufeff{}'])(
    'a signed payload %j is refused',
    async (payload) => {
      const { status, code } = await send(signed(payload));
      expect([status, code]).toEqual([401, 'auth/invalid-credential']);
    },
  );

  test('of a claim that is there twice the last counts, for every check', async () => {
    const twice = (first: string, claims: string) => `{${first},${claims.slice(1)}`;
    const claims = await claimsOf({ sub: `twice-${name}`, email: `twice-${name}@example.com` });
    const evil = '"iss":"https://evil.example","aud":"evil","sub":"victim","nonce":"n","exp":1';
    expect((await send(signed(twice(evil, claims)))).status).toBe(200);
    expect((await send(signed(`${claims.slice(0, -1)},${evil}}`))).status).toBe(401);
    const subjects = await scenario.service.database.prisma.identity.findMany({ select: { subject: true } });
    expect(subjects.map(({ subject }) => subject)).not.toContain('victim');
  });

  test('a nested, a long and a padded token are refused within a second of processor time', async () => {
    const deep = `{"iss":"${issuer()}","a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const header = encoded({ alg: 'RS256', kid: 'first' });
    const began = process.cpuUsage();
    for (const text of [
      `${header}.${encoded(deep)}.AAAA`,
      `${header}.${encoded(`{"iss":"${issuer()}","a":"${'x'.repeat(60_000)}"}`)}.AAAA`,
      `${encoded({ alg: 'RS256', kid: 'x'.repeat(60_000) })}.${encoded('{}')}.AAAA`,
      '.'.repeat(90_000),
      `${header}.${encoded('{}')}.${'A'.repeat(90_000)}`,
      `${header}.${encoded('{}')}.AAAA${'='.repeat(1_000)}`,
    ]) {
      expect([401, 422]).toContain((await send(text)).status);
    }
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(10_000);
  });

  test.each<[unknown, boolean]>([
    [true, true],
    ['true', name !== 'a'],
    ['TRUE', false],
    ['1', false],
    [1, false],
    [['true'], false],
    [{ toString: 'true' }, false],
    [null, false],
    ['false', false],
  ])(
    'an email that the provider calls verified by %j takes over an account only if that is true',
    async (verified, may) => {
      owners += 1;
      const email = `owner-${owners}@example.com`;
      await scenario.verifiedUser(email);
      const { status } = await send(await token({ sub: `of-${email}`, email, email_verified: verified }));
      expect(status === 200).toBe(may);
    },
  );

  test.each([
    'ada@EXAMPLE.com ',
    'ＡＤＡ@example.com',
    'ada@exa\u00admple.com',
    'ada\u212a@example.com',
    'ada@xn--e1afmkfd.example',
    'a@b@example.com',
    'ada@example.com\u0000',
    '"ada"@example.com',
  ])('an email %j is that of no other account', async (email) => {
    const before = await scenario.service.database.prisma.user.count();
    const answer = await send(await token({ sub: `odd-${email.length}-${email.charCodeAt(3)}`, email }));
    expect([200, 401, 403, 409, 422]).toContain(answer.status);
    const after = await scenario.service.database.prisma.user.count();
    expect(after - before).toBeLessThanOrEqual(1);
  });
});
