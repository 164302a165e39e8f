// Providers of the settings, by ID token: whom their emails sign in, what discovery must say, and which settings are accepted.
import type { AppSettingsPatch, Identity, ProviderCheck } from '@foyer/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { claimsOf } from '../../test/harness.js';
import { discoveryPath, down, json, type Route } from '../../test/identity-provider.js';
import { clients, contoso, providerScenario } from '../../test/provider-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';

const scenario = shared(() => providerScenario());
const service = () => scenario.service;

let people = 0;
const newPerson = () => {
  people += 1;
  return { sub: `person-${people}`, email: `person-${people}@example.com` };
};
const signIn = async (claims: Record<string, unknown>) =>
  scenario.signInC(await scenario.bodyOfC({ claims }));
const configure = (change: object) =>
  scenario.set({ providers: { [contoso]: { ...scenario.contosoSettings, ...change } } });
const userOf = (email: string) => service().database.prisma.user.findFirst({ where: { email } });

afterEach(async () => {
  scenario.c.answer(discoveryPath, null);
  scenario.c.answer('/keys', null);
  await configure({});
});

describe('a sign-in', () => {
  test('creates an account with an unverified email, and finds it by the user id', async () => {
    const claims = { ...newPerson(), given_name: 'Ada' };
    const first = await signIn(claims);
    expect(first.data).toMatchObject({
      is_new_user: true,
      user: { email: claims.email, email_verified: false, first_name: 'Ada' },
    });
    expect(claimsOf(first.data.access_token).amr).toEqual(['fed']);
    const again = await signIn({ ...claims, email: 'moved@example.com' });
    expect(again.data).toMatchObject({ is_new_user: false, user: { uid: first.data.user.uid } });
    const session = await service().database.prisma.session.findFirst({
      where: { uid: first.data.user.uid },
    });
    expect(session?.method).toBe('provider');
  });

  test('creates an account with a verified email only for a trusted provider that verified it', async () => {
    await configure({ trusts_email: true });
    const [verified, unverified] = [newPerson(), newPerson()];
    expect((await signIn(verified)).data.user.email_verified).toBe(true);
    const answer = await signIn({ ...unverified, email_verified: false });
    expect(answer.data.user.email_verified).toBe(false);
    const inText = await signIn({ ...newPerson(), email_verified: 'true' });
    expect(inText.data.user.email_verified).toBe(true);
  });

  test('without an email needs an account', async () => {
    const { sub } = newPerson();
    expectRefusal(await signIn({ sub, email: undefined }), 'auth/email-required');
  });

  test('with the names of the client, as provider B needs them', async () => {
    const { sub, email } = newPerson();
    const { identity_token: id_token, nonce } = await scenario.bodyOfB({ claims: { sub, email } });
    const body = { id_token, nonce, first_name: 'Grace' };
    const answer = await scenario.signInWith('provider-b', body);
    expect(answer.data).toMatchObject({ is_new_user: true, user: { first_name: 'Grace' } });
  });

  test('is the same at the path of provider A, and at its own', async () => {
    const { sub, email } = newPerson();
    const first = await scenario.signInA(await scenario.bodyOfA({ claims: { sub, email } }));
    const body = await scenario.bodyOfA({ claims: { sub, email } });
    expect((await scenario.signInWith('provider-a', body)).data.user.uid).toBe(first.data.user.uid);
  });

  test('with a provider that the app does not have is refused', async () => {
    const body = await scenario.bodyOfC();
    for (const id of ['unknown', 'constructor', '__proto__', 'CONTOSO'])
      expectRefusal(await scenario.signInWith(id, body), 'auth/no-such-provider');
    const { app } = await service().newApp();
    const inOther = { appKey: app.appKey };
    expectRefusal(await scenario.signInC(body, inOther), 'auth/no-such-provider');
    expectRefusal(await scenario.signInWith('provider-a', body, inOther), 'auth/operation-not-allowed');
  });
});

// An account is linked by email only where the provider is trusted and both sides have verified the email.
test.each([
  [true, true, true, 'linked'],
  [true, true, false, 'refused'],
  [true, false, true, 'refused'],
  [true, false, false, 'refused'],
  [false, true, true, 'refused'],
  [false, true, false, 'refused'],
  [false, false, true, 'refused'],
  [false, false, false, 'refused'],
])(
  'trusted: %s, verified by the provider: %s, by the account: %s: the account is %s',
  async (trusts_email, email_verified, isVerifiedHere, result) => {
    await configure({ trusts_email });
    const { sub, email } = newPerson();
    const { uid } = isVerifiedHere
      ? (await scenario.verifiedUser(email)).user
      : await service().signUp({ email });
    const answer = await signIn({ sub, email, email_verified });
    const identities = await service().database.prisma.identity.count({ where: { uid } });
    if (result === 'linked') {
      expect([answer.data.user.uid, answer.data.is_new_user, identities]).toEqual([uid, false, 1]);
      return;
    }
    expectRefusal(answer, 'auth/account-exists-with-different-credential');
    expect(identities).toBe(0);
  },
);

test('who owns the email removes what somebody else has linked to an account with it', async () => {
  const { sub, email } = newPerson();
  const { uid } = (await signIn({ sub, email })).data.user;
  await scenario.verifiedUser(email);
  expect(await service().database.prisma.identity.count({ where: { uid } })).toBe(0);
  expectRefusal(await signIn({ sub, email }), 'auth/account-exists-with-different-credential');
});

test('a user id at another issuer is another person, and the first one again at the first issuer', async () => {
  const { sub, email } = newPerson();
  const { uid } = (await signIn({ sub, email })).data.user;
  const claims = { sub, email: newPerson().email, aud: clients.contoso };
  await configure({ issuer: scenario.a.issuer });
  scenario.a.answer(discoveryPath, null);
  const other = await scenario.signInC(await scenario.bodyOfA({ claims }));
  expect(other.data.is_new_user).toBe(true);
  expect(other.data.user.uid).not.toBe(uid);
  await configure({});
  expect((await signIn({ sub, email })).data.user.uid).toBe(uid);
});

test('a user links the provider and unlinks it, also after the app has removed it', async () => {
  const { uid, email, tokens } = await service().signUp();
  const token = tokens.access_token;
  const { sub } = newPerson();
  const path = `/me/identities/${contoso}`;
  const body = await scenario.bodyOfC({ claims: { sub, email: 'elsewhere@example.com' } });
  const linked = await service().call<Identity>('POST', path, { token, body });
  expect([linked.status, linked.data.provider]).toEqual([201, contoso]);
  const [mail] = await service().mailbox(email);
  expect(mail?.text).toContain(new URL(scenario.c.issuer).hostname);
  expect((await signIn({ sub })).data.user.uid).toBe(uid);
  const again = await scenario.bodyOfC({ claims: newPerson() });
  const refused = await service().call('POST', path, { token, body: again });
  expectRefusal(refused, 'auth/provider-already-linked');
  const admin = await service().call<{ providers: string[] }>('GET', `/admin/users/${uid}`, {
    token: service().app.secretKey,
  });
  expect(admin.data.providers).toEqual([contoso]);
  const usersOf = async (provider: string) => {
    const path = `/admin/users?provider=${provider}&limit=100`;
    const answer = await service().call<{ items: { uid: string }[] }>('GET', path, {
      token: service().app.secretKey,
    });
    return answer.data.items.map((user) => user.uid);
  };
  expect(await usersOf(contoso)).toContain(uid);
  expect(await usersOf('provider-a')).not.toContain(uid);

  await scenario.set({ providers: { [contoso]: null } });
  expectRefusal(await signIn({ sub }), 'auth/no-such-provider');
  expect((await service().call('DELETE', path, { token })).status).toBe(204);
  expectRefusal(await service().call('DELETE', path, { token }), 'auth/no-such-provider');
  expectRefusal(await service().call('POST', path, { token, body }), 'auth/no-such-provider');
});

test('a refused token stands in the audit log with its cause', async () => {
  expectRefusal(await signIn({ aud: 'another-client' }), 'auth/invalid-credential');
  const entries = await service().auditEntries({ action: 'provider.token_refused' });
  expect(entries.at(-1)).toMatchObject({
    target: `provider:${contoso}`,
    details: { reason: 'wrong-audience', aud: 'another-client', iss: scenario.c.issuer },
  });
});

const answering =
  (body: object): Route =>
  (_call, res) =>
    json(res, 200, body);

describe('discovery', () => {
  const faults: [string, (issuer: string) => Route, RegExp][] = [
    ['is down', () => down, /connection failed/],
    ['answers an error', () => (_call, res) => json(res, 502, {}), /status 502/],
    [
      'redirects',
      (issuer) => (_call, res) => void res.writeHead(302, { Location: `${issuer}/keys` }).end(),
      /status 302/,
    ],
    ['answers no JSON', () => (_call, res) => void res.end('<html>'), /not a JSON object/],
    [
      'answers without end',
      () => (_call, res) => void res.end(`{"a":"${'a'.repeat(200_000)}"}`),
      /131072 bytes/,
    ],
    ['names no issuer', (issuer) => answering({ jwks_uri: `${issuer}/keys` }), /another issuer/],
    [
      'names another issuer',
      (issuer) => answering({ issuer: 'https://evil.example', jwks_uri: `${issuer}/keys` }),
      /another issuer/,
    ],
    [
      'names the issuer with a slash at its end',
      (issuer) => answering({ issuer: `${issuer}/`, jwks_uri: `${issuer}/keys` }),
      /another issuer/,
    ],
    ['names no keys', (issuer) => answering({ issuer }), /no jwks_uri/],
    [
      'names keys in a private network',
      (issuer) => answering({ issuer, jwks_uri: 'https://10.0.0.1/keys' }),
      /must resolve to a public IP address/,
    ],
    [
      'names keys at the metadata of the machine',
      (issuer) => answering({ issuer, jwks_uri: 'http://169.254.169.254/latest' }),
      /must start with https/,
    ],
    ['names keys in a file', (issuer) => answering({ issuer, jwks_uri: 'file:///etc/passwd' }), /must/],
    [
      'names keys that are none',
      (issuer) => answering({ issuer, jwks_uri: `${issuer}${discoveryPath}` }),
      /no key for RS256 or ES256/,
    ],
  ];

  const check = async () =>
    (
      await service().call<ProviderCheck>('POST', '/admin/settings/check-provider', {
        token: service().app.secretKey,
        body: { provider: contoso },
      })
    ).data;

  test.each(faults)(
    'that %s answers 503, creates nothing, and the check says why',
    async (_what, route, reason) => {
      // It has read no keys yet.
      const fresh = await service().secondInstance({ config: service().deps.config });
      try {
        const claims = newPerson();
        const body = await scenario.bodyOfC({ claims });
        const send = () => fresh.call('POST', `/auth/providers/${contoso}`, { body });
        scenario.c.answer(discoveryPath, route(scenario.c.issuer));
        expectRefusal(await send(), 'request/unavailable');
        expect(await userOf(claims.email)).toBeNull();
        const { ok, steps } = await check();
        expect(ok).toBe(false);
        expect(steps.find(({ status }) => status === 'failed')?.message).toMatch(reason);
        scenario.c.answer(discoveryPath, null);
        fresh.clock.advance(2_000);
        expect((await send()).status).toBe(200);
      } finally {
        await fresh.stop();
      }
    },
  );

  test('that publishes keys for other algorithms only fails the check', async () => {
    const { key, keys } = scenario.c;
    const onP384 = { kty: 'EC', crv: 'P-384', kid: 'logto', use: 'sig', alg: 'ES384', x: 'AQ', y: 'AQ' };
    scenario.c.keys.splice(0, keys.length, { ...key, publicJwk: onP384 });
    try {
      expect((await check()).steps.find(({ status }) => status === 'failed')?.message).toMatch(
        /^The key set contains no key for RS256 or ES256/,
      );
    } finally {
      keys.splice(0, keys.length, key);
    }
  });

  test('with a byte order mark before its documents passes the check', async () => {
    const document = JSON.stringify(scenario.c.discoveryDocument());
    const keys = JSON.stringify({ keys: [scenario.c.key.publicJwk] });
    scenario.c.answer(discoveryPath, (_call, res) => void res.end(`\ufeff${document}`));
    scenario.c.answer('/keys', (_call, res) => void res.end(`\ufeff${keys}`));
    expect((await check()).ok).toBe(true);
    scenario.c.answer(discoveryPath, null);
    scenario.c.answer('/keys', null);
  });

  test('that is right passes the check', async () => {
    const { ok, steps } = await check();
    expect([ok, steps.map(({ status }) => status)]).toEqual([
      true,
      ['passed', 'passed', 'skipped', 'skipped'],
    ]);
  });

  const withoutEndpoint = (issuer: string) => answering({ issuer, jwks_uri: `${issuer}/keys` });
  test.each<[string, (issuer: string) => Route | null, Route | null, string, RegExp]>([
    ['accepts the client', () => null, null, 'passed', /accepts contoso\.client/],
    [
      'rejects the client',
      () => null,
      (_call, res) => json(res, 401, { error: 'invalid_client' }),
      'failed',
      /rejects contoso\.client or its secret/,
    ],
    [
      'does neither',
      () => null,
      (_call, res) => json(res, 400, { error: 'invalid_request' }),
      'skipped',
      /status 400 \(invalid_request\)/,
    ],
    ['has a token endpoint that is down', () => null, down, 'failed', /No code can be exchanged/],
    ['has no endpoints', withoutEndpoint, null, 'failed', /no valid authorization_endpoint/],
  ])(
    'with redirect URIs, the check says that a provider %s',
    async (_what, document, token, status, message) => {
      await scenario.set({ redirect_uris: ['https://app.example.com/signed-in'] });
      const { issuer } = scenario.c;
      scenario.c.answer(discoveryPath, document(issuer));
      scenario.c.answer('/token', token);
      const step = (await check()).steps.find(({ name }) => name === 'Client of sign-in by redirect');
      scenario.c.answer('/token', null);
      await scenario.set({ redirect_uris: [] });
      expect([step?.status, step?.message]).toEqual([status, expect.stringMatching(message)]);
    },
  );

  test('the check accepts a client whose secret the provider takes in one of the ways that it lists', async () => {
    const token_endpoint_auth_methods_supported = ['client_secret_post', 'client_secret_basic'];
    const document = { ...scenario.c.discoveryDocument(), token_endpoint_auth_methods_supported };
    const secret = { ...scenario.contosoSettings, client_secret: 'hushhush' };
    await scenario.set({ providers: { [contoso]: secret } });
    scenario.c.answer(discoveryPath, (_call, res) => json(res, 200, document));
    scenario.c.answer('/token', ({ headers }, res) =>
      headers.authorization
        ? json(res, 400, { error: 'invalid_grant' })
        : json(res, 401, { error: 'invalid_client' }),
    );
    const step = (await check()).steps.find(({ name }) => name === 'Client of sign-in by redirect');
    scenario.c.answer('/token', null);
    scenario.c.answer(discoveryPath, null);
    await scenario.set({ providers: { [contoso]: { ...scenario.contosoSettings, client_secret: null } } });
    expect(step?.status).toBe('passed');
  });

  test('of a provider that the app does not have is not checked', async () => {
    const sent = { token: service().app.secretKey, body: { provider: 'unknown' } };
    const answer = await service().call('POST', '/admin/settings/check-provider', sent);
    expectRefusal(answer, 'auth/no-such-provider');
  });

  test('reads keys once for many sign-ins, and again for an unknown key', async () => {
    await signIn(newPerson());
    const before = scenario.c.calls.length;
    await Promise.all(Array.from({ length: 10 }, () => signIn(newPerson())));
    expect(scenario.c.calls.length).toBe(before);
  });
});

describe('the setting', () => {
  const set = (providers: unknown) =>
    service().call('PATCH', '/admin/settings', {
      token: service().app.secretKey,
      body: { providers } as AppSettingsPatch,
    });
  const right = () => scenario.contosoSettings;

  test.each([
    'Contoso',
    '1password',
    '-a',
    'a_b',
    'a b',
    '',
    'a'.repeat(33),
    'provider-a',
    'provider-b',
    'finish',
  ])('refuses the id %j', async (id) => {
    expectRefusal(await set({ [id]: right() }), 'request/validation-failed', null);
  });

  test.each([
    'http://login.example.com',
    'https://login.example.com?tenant=1',
    'https://login.example.com#a',
    'https://user:secret@login.example.com',
    'https://login.example.com\\evil',
    'https://login.example.com/.well-known/openid-configuration',
    'https://login.microsoftonline.com/{tenantid}/v2.0',
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/organizations/v2.0',
    'ftp://login.example.com',
    'login.example.com',
    `https://login.example.com/${'a'.repeat(255)}`,
  ])('refuses the issuer %s', async (issuer) => {
    expectRefusal(await set({ sso: { ...right(), issuer } }), 'request/validation-failed', null);
  });

  test.each([{ client_ids: [] }, { name: ' ' }, { kind: 'saml' }, { trusts_email: undefined }, { more: 1 }])(
    'refuses %j',
    async (change) => {
      expectRefusal(await set({ sso: { ...right(), ...change } }), 'request/validation-failed', null);
    },
  );

  test('has at most 20 providers, and null removes one', async () => {
    const ids = Array.from({ length: 19 }, (_, place) => `sso-${place}`);
    const all = Object.fromEntries(ids.map((id) => [id, right()]));
    expect((await set(all)).status).toBe(200);
    expectRefusal(await set({ 'one-more': right() }), 'request/validation-failed', null);
    const removed = Object.fromEntries(ids.map((id) => [id, null]));
    const answer = await set(removed);
    expect(Object.keys(answer.json.data.providers)).toEqual([contoso]);
  });

  test('is among the methods of a sign-in screen', async () => {
    const { json: body } = await service().call('GET', '/auth/methods');
    const expected = {
      ...{ id: contoso, kind: 'oidc', name: 'Contoso' },
      ...{ client_id: clients.contoso, redirect: false },
    };
    expect(body.data.providers.at(-1)).toEqual(expected);
  });
});
