// Refused provider tokens: forged, misdirected, expired and used ones. Every failure answers alike, creates nothing and
// contacts only the provider.
import { createHmac, createPublicKey, sign } from 'node:crypto';
import { exportJWK } from 'jose';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  down,
  json,
  type ProviderKey,
  providerKey,
  type TokenOptions,
} from '../../test/identity-provider.js';
import {
  clients,
  contoso,
  nonce,
  type ProviderAAnswer,
  providerScenario,
  settings,
  sha256Hex,
} from '../../test/provider-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import { purge } from '../retention.js';

const logged: string[] = [];
const scenario = shared(() => providerScenario({ onLogLine: (line) => logged.push(line) }));
let attacker: ProviderKey;
let elliptic: ProviderKey;
beforeAll(async () => {
  attacker = await providerKey('first');
  elliptic = await providerKey('elliptic', 'ES256');
  for (const provider of [scenario.a, scenario.b, scenario.c]) provider.keys.push(elliptic);
  // The person of the tokens has an account by provider A.
  await scenario.set({ providers: { [contoso]: { ...scenario.contosoSettings, trusts_email: true } } });
});

const minute = 60_000;
const counts = async () => {
  const { prisma } = scenario.service.database;
  return [await prisma.user.count(), await prisma.identity.count(), await prisma.session.count()];
};
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
/** A token with this header, signed by the provider whatever the header says. */
const signed = (key: ProviderKey, header: object, payload: string | undefined) => {
  const input = `${encoded(header)}.${payload}`;
  return `${input}.${sign('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`;
};
const claimsIn = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** The tokens of a provider, and sign-ins with them. */
function provided(name: 'a' | 'b' | 'c') {
  const provider = () => scenario[name];
  const rightNonce = name === 'b' ? sha256Hex(nonce) : nonce;
  const send = (idToken: string, sentNonce = nonce) =>
    name === 'b'
      ? scenario.signInB({ identity_token: idToken, authorization_code: 'code', nonce: sentNonce })
      : scenario[`signIn${name === 'a' ? 'A' : 'C'}`]({ id_token: idToken, nonce: sentNonce });
  return {
    provider,
    token: (options: TokenOptions = {}) =>
      provider().idToken({ ...options, claims: { nonce: rightNonce, ...options.claims } }),
    send,
    async expectRefused(idToken: string, sentNonce?: string): Promise<void> {
      const before = await counts();
      expectRefusal(await send(idToken, sentNonce), 'auth/invalid-credential');
      expect(await counts()).toEqual(before);
    },
  };
}

afterEach(() => {
  const theirs = [scenario.a, scenario.b, scenario.c].flatMap(({ addresses: { jwksUrl, tokenUrl } }) => [
    jwksUrl,
    tokenUrl,
  ]);
  expect(scenario.asked.filter((url) => !theirs.includes(url))).toEqual([]);
});

describe.each(['a', 'b'] as const)('provider %s', (name) => {
  const { provider, token, send, expectRefused } = provided(name);

  test('a valid token, signed with RS256 or ES256, is accepted for each client of the app', async () => {
    const second = { web: 'web.staging', ios: 'ios.staging', android: 'android.staging' };
    const ids = settings.provider_a.client_ids;
    await scenario.set({
      provider_a: {
        client_ids: {
          web: [...ids.web, second.web],
          ios: [...ids.ios, second.ios],
          android: [...ids.android, second.android],
        },
      },
      provider_b: { services_ids: [clients.services, second.web], bundle_ids: [clients.bundle, second.ios] },
    });
    scenario.service.deps.apps.forget();
    const audiences =
      name === 'a'
        ? [clients.web, clients.ios, clients.android, ...Object.values(second)]
        : [clients.services, clients.bundle, second.web, second.ios];
    for (const aud of audiences) expect((await send(await token({ claims: { aud } }))).status).toBe(200);
    // The client of an Android certificate, which is not registered, asks for the server.
    expect((await send(await token({ claims: { azp: 'android.debug' } }))).status).toBe(200);
    await scenario.set(settings);
    scenario.service.deps.apps.forget();
    expect((await send(await token({ key: elliptic }))).status).toBe(200);
  });

  // What differs between the providers; the other checks are in id-token-rules.test.ts, and each reason below.
  test.each<[string, () => Record<string, unknown>]>([
    ['of an issuer that only begins right', () => ({ iss: `${provider().issuer}.evil.example` })],
    ['of the other provider', () => ({ iss: (name === 'a' ? scenario.b : scenario.a).issuer })],
    ['for a client of the other provider', () => ({ aud: name === 'a' ? clients.bundle : clients.web })],
    [
      'with the nonce in the form of the other provider',
      () => ({ nonce: name === 'a' ? sha256Hex(nonce) : nonce }),
    ],
  ])('a token %s is refused', async (_what, claims) => {
    await expectRefused(await token({ claims: claims() }));
  });

  test('a nonce that differs or is missing on either side is refused', async () => {
    await expectRefused(await token(), 'another nonce');
    await expectRefused(await token({ claims: { nonce: '' } }));
    expect((await send(await token({ claims: { nonce: undefined } }), '')).code).toBe(
      'request/validation-failed',
    );
  });

  test('a token can be used again for five minutes, and never afterwards', async () => {
    const used = await token({ claims: { sub: `retry-${name}`, email: `retry-${name}@example.com` } });
    const first = await send(used);
    expect(first.status).toBe(200);
    scenario.service.clock.advance(5 * minute);
    const again = await send(used);
    expect([again.status, again.data.user?.uid]).toEqual([200, first.data.user.uid]);
    // The retry did not extend the window.
    scenario.service.clock.advance(1);
    await expectRefused(used);
    scenario.service.clock.advance(minute);
    await expectRefused(used);
    await scenario.service.advance(40 * minute);
    await expectRefused(used);
  });
});

// Provider A for the built-in ones: one function verifies the tokens of both.
describe.each(['a', 'c'] as const)('a forged or repeated token of provider %s', (name) => {
  const { provider, token, send, expectRefused } = provided(name);

  test('an unsigned token is refused', async () => {
    const payload = (await token()).split('.')[1];
    for (const alg of ['none', 'None', 'NONE', '']) {
      await expectRefused(`${encoded({ alg, kid: 'first' })}.${payload}.`);
      await expectRefused(`${encoded({ alg, kid: 'first' })}.${payload}.AAAA`);
    }
    await expectRefused(`${encoded({ kid: 'first' })}.${payload}.AAAA`);
  });

  test('a token signed with the public key as an HMAC secret is refused', async () => {
    const payload = (await token()).split('.')[1];
    const publicKey = createPublicKey(provider().key.privateKey);
    const forms = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(provider().key.publicJwk),
    ];
    for (const alg of ['HS256', 'HS512'] as const) {
      for (const secret of forms) {
        const input = `${encoded({ alg, kid: 'first' })}.${payload}`;
        const mac = createHmac(alg === 'HS256' ? 'sha256' : 'sha512', secret)
          .update(input)
          .digest('base64url');
        await expectRefused(`${input}.${mac}`);
      }
    }
  });

  test.each(['PS256', 'RS384', 'RS512', 'ES384', 'EdDSA'])('the algorithm %s is refused', async (alg) => {
    const payload = (await token()).split('.')[1];
    await expectRefused(signed(provider().key, { alg, kid: 'first' }, payload));
  });

  test("a token signed with another key under the provider's kid is refused", async () => {
    await expectRefused(await token({ key: attacker }));
  });

  test('a token that includes its key, or a URL of it, is refused without a request to that URL', async () => {
    const publicJwk = await exportJWK(createPublicKey(attacker.privateKey));
    const headers = [
      { jwk: publicJwk },
      { jku: `${provider().issuer}/attacker-keys` },
      { x5u: `${provider().issuer}/attacker-certificate` },
      { x5c: ['MIIB'] },
    ];
    for (const header of headers) {
      await expectRefused(await token({ key: attacker, header }));
      // The token is refused even if the provider itself signed it.
      await expectRefused(await token({ header }));
    }
    expect(provider().callsTo('/attacker-keys')).toEqual([]);
  });

  test('a token with an unsupported critical header is refused', async () => {
    const payload = (await token()).split('.')[1];
    const header = { alg: 'RS256', kid: 'first', crit: ['exp'], exp: 1 };
    await expectRefused(signed(provider().key, header, payload));
  });

  test.each([
    'text',
    '..',
    'a.b.c',
    `${encoded({ alg: 'RS256', kid: 'first' })}.e30.`,
    `${encoded([])}.e30.AAAA`,
    `${encoded({ alg: ['RS256'], kid: 'first' })}.e30.AAAA`,
    `${encoded({ alg: 'RS256', kid: { $ne: 1 } })}.e30.AAAA`,
    `${encoded({ alg: 'dir', enc: 'A256GCM' })}.a.b.c.d`,
  ])('%s is refused as a token', async (text) => {
    await expectRefused(text);
  });

  test('a token with a changed payload or signature is refused', async () => {
    const right = await token();
    const [header, payload, signature] = right.split('.') as [string, string, string];
    const changed = encoded({ ...claimsIn(right), sub: 'victim' });
    await expectRefused(`${header}.${changed}.${signature}`);
    await expectRefused(`${header}.${payload}.${signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`);
  });

  test('a used token is refused under another encoding of its signature', async () => {
    const used = await token({ key: elliptic });
    expect((await send(used)).status).toBe(200);
    scenario.service.clock.advance(6 * minute);
    const [header, payload, signature] = used.split('.') as [string, string, string];
    // ECDSA: (r, n - s) signs the same bytes as (r, s).
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const bytes = Buffer.from(signature, 'base64url');
    const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
    const other = Buffer.concat([
      bytes.subarray(0, 32),
      Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
    ]);
    const spellings = [other.toString('base64url'), `${signature}=`, `${signature}==`];
    for (const spelling of spellings) await expectRefused(`${header}.${payload}.${spelling}`);
  });

  test('concurrent calls with one token all succeed, and are all refused after the window', async () => {
    const used = await token();
    const calls = inFull(50, 15);
    const answers = await Promise.all(Array.from({ length: calls }, () => send(used)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    scenario.service.clock.advance(6 * minute);
    const late = await Promise.all(Array.from({ length: calls }, () => send(used)));
    expect(new Set(late.map((answer) => answer.code))).toEqual(new Set(['auth/invalid-credential']));
  });
});

test('records of used tokens are deleted after the tokens have become too old', async () => {
  const { prisma } = scenario.service.database;
  expect(await prisma.seenIdToken.count()).toBeGreaterThan(0);
  const used = await scenario.bodyOfA();
  expect((await scenario.signInA(used)).status).toBe(200);
  scenario.service.clock.advance(24 * 60 * minute);
  await purge(scenario.service.deps, 'idTokens');
  expect(await prisma.seenIdToken.count()).toBe(0);
  expectRefusal(await scenario.signInA(used), 'auth/invalid-credential');
});

test('a provider that is not enabled in the app is refused without a request to it', async () => {
  const { app } = await scenario.service.newApp();
  const asked = scenario.asked.length;
  for (const call of [
    scenario.signInA(await scenario.bodyOfA(), { appKey: app.appKey }),
    scenario.signInB(await scenario.bodyOfB(), { appKey: app.appKey }),
  ]) {
    expectRefusal(await call, 'auth/operation-not-allowed');
  }
  expect(scenario.asked.length).toBe(asked);
});

test('an unavailable key set answers 503 and creates nothing, and the same token works after it recovers', async () => {
  // It has read no keys yet.
  const fresh = await scenario.service.secondInstance({ config: scenario.service.deps.config });
  const signIn = (provider: 'a' | 'b', body: object) =>
    fresh.call<ProviderAAnswer>('POST', `/auth/provider-${provider}`, { body });
  try {
    const body = await scenario.bodyOfA({ claims: { sub: 'early', email: 'early@example.com' } });
    const before = await counts();
    const seen = await fresh.database.prisma.seenIdToken.count();
    scenario.a.answer('/keys', down);
    expectRefusal(await signIn('a', body), 'request/unavailable');
    scenario.a.answer('/keys', (_call, res) => json(res, 502, {}));
    expectRefusal(await signIn('a', body), 'request/unavailable');
    expect([await counts(), await fresh.database.prisma.seenIdToken.count()]).toEqual([before, seen]);
    // The other provider is not affected.
    expect((await signIn('b', await scenario.bodyOfB())).status).toBe(200);
    // Garbage is refused without keys.
    expectRefusal(await signIn('a', { ...body, id_token: 'text' }), 'auth/invalid-credential');
    scenario.a.answer('/keys', null);
    fresh.clock.advance(2_000);
    expect((await signIn('a', body)).data.is_new_user).toBe(true);
  } finally {
    await fresh.stop();
  }
});
