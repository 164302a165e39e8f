// Sign-in by redirect: begin, callback and finish; the redirect URIs, the code, and the state.
import { limits } from '@foyer/contract';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { claimsOf } from '../../test/harness.js';
import { discoveryPath, down, json, type Route } from '../../test/identity-provider.js';
import { clients, contoso, providerScenario } from '../../test/provider-scenario.js';
import { redirectScenario, redirectUri } from '../../test/redirect-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { secondFactorScenario, ticketIn } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';
import { ApiError } from '../lib/api-error.js';

const scenario = shared(() => providerScenario());
const service = () => scenario.service;
const redirect = redirectScenario(() => scenario);
const factors = secondFactorScenario(service);
beforeAll(() => redirect.enable());

let people = 0;
const newPerson = () => {
  people += 1;
  return { sub: `person-${people}`, email: `person-${people}@example.com` };
};
const counts = async () => {
  const { prisma } = service().database;
  return [await prisma.user.count(), await prisma.identity.count(), await prisma.session.count()];
};
const configure = (change: object) =>
  scenario.set({ providers: { [contoso]: { ...scenario.contosoSettings, ...change } } });

afterEach(async () => {
  // Refusals of one minute share entries of the audit log.
  service().clock.advance(60_000);
  await scenario.set({
    redirect_uris: [redirectUri],
    second_factor: 'off',
    providers: { [contoso]: scenario.contosoSettings },
  });
});

test('a user signs in by redirect, and nothing is stored before the client finishes', async () => {
  const claims = { ...newPerson(), given_name: 'Ada' };
  const before = await counts();
  const begun = await redirect.begin();
  const url = new URL(begun.url);
  expect(url.origin + url.pathname).toBe(`${scenario.c.issuer}/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: clients.contoso,
    redirect_uri: `https://accounts.test/api/v2/auth/providers/${contoso}/callback`,
    scope: 'openid email profile',
    state: expect.stringMatching(/^[\w-]{200,1000}$/),
    nonce: expect.stringMatching(/^[\w-]{22}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  const returned = await redirect.goTo(redirect.returned(begun, { claims }));
  expect([returned.status, returned.cacheControl]).toEqual([303, 'no-store']);
  expect(returned.location).toMatch(
    /^https:\/\/app\.example\.com\/signed-in\?from=contoso&code=pc_[\w-]{100,2000}$/,
  );
  expect(await counts()).toEqual(before);

  const first = await redirect.finish(returned.parameters.get('code') ?? '', begun.verifier);
  expect(first.data).toMatchObject({
    is_new_user: true,
    user: { email: claims.email, email_verified: false, first_name: 'Ada' },
  });
  expect(claimsOf(first.data.access_token).amr).toEqual(['fed']);
  const { uid } = first.data.user;
  const session = await service().database.prisma.session.findFirst({ where: { uid } });
  expect(session?.method).toBe('provider');
  const again = await redirect.signIn(claims);
  expect(again.data).toMatchObject({ is_new_user: false, user: { uid } });
  // By ID token it is the same account.
  const byToken = await scenario.signInC(await scenario.bodyOfC({ claims }));
  expect(byToken.data.user.uid).toBe(uid);
});

test('a user with a second factor gets a ticket, which completes the sign-in', async () => {
  await scenario.set({ second_factor: 'required' });
  const ticket = ticketIn(await redirect.signIn(newPerson()), ['enroll']);
  const { secret } = (await factors.beginWithTicket(ticket)).data;
  const answer = await factors.confirmWithTicket(ticket, factors.codeOf(secret));
  expect([answer.status, answer.data.is_new_user]).toEqual([200, true]);
});

test('the scopes are those of the setting, with openid', async () => {
  await configure({ scopes: ['email', 'https://example.com/groups'] });
  const { url } = await redirect.begin();
  expect(new URL(url).searchParams.get('scope')).toBe('openid email https://example.com/groups');
});

// Only a trusted provider links an account by its email.
test.each([
  [true, 'person-linked'],
  [false, 'auth/account-exists-with-different-credential'],
])('trusted: %s: an account with the verified email gives %s', async (trusts_email, result) => {
  await configure({ trusts_email });
  const { sub, email } = newPerson();
  const { uid } = (await scenario.verifiedUser(email)).user;
  const answer = await redirect.signIn({ sub, email, email_verified: true });
  expect(answer.code ?? 'person-linked').toBe(result);
  if (trusts_email) expect(answer.data.user.uid).toBe(uid);
});

describe('an ID token without an email', () => {
  const answering = (status: number, body: unknown) => {
    scenario.c.answer('/userinfo', (_call, res) => json(res, status, body));
  };
  afterEach(() => scenario.c.answer('/userinfo', null));

  test('signs in with the email and the names of the UserInfo endpoint', async () => {
    await configure({ trusts_email: true });
    const { sub, email } = newPerson();
    answering(200, { sub, email, email_verified: true, given_name: 'Eve', family_name: 'Lovelace' });
    const answer = await redirect.signIn({ sub, email: undefined, given_name: 'Ada' });
    expect(answer.data).toMatchObject({
      is_new_user: true,
      user: { email, email_verified: true, first_name: 'Ada', last_name: 'Lovelace' },
    });
    expect(scenario.c.callsTo('/userinfo').at(-1)?.headers.authorization).toBe('Bearer an-access-token');
  });

  test('costs calls of five seconds, and of 64 or 128 KiB that are read, at most', async () => {
    const { sub, email } = newPerson();
    answering(200, { sub, email });
    service().clock.advance(10 * 60_000);
    const send = vi.spyOn(service().deps.ssrfSafeFetch, 'send');
    onTestFinished(() => send.mockRestore());
    await redirect.signIn({ sub, email: undefined });
    const bounds = send.mock.calls.map(([url, { timeoutMilliseconds, maxAnswerBytes }]) => [
      new URL(url).pathname,
      timeoutMilliseconds,
      maxAnswerBytes,
    ]);
    expect(new Set(bounds.map(String))).toEqual(
      new Set([
        '/.well-known/openid-configuration,5000,131072',
        '/token,5000,65536',
        '/keys,5000,131072',
        '/userinfo,5000,65536',
      ]),
    );
  });

  test('that is verified gets one that is, from a provider that is trusted', async () => {
    await configure({ trusts_email: true });
    const { sub, email } = newPerson();
    const { uid } = (await scenario.verifiedUser(email)).user;
    answering(200, { sub, email, email_verified: true });
    const answer = await redirect.signIn({ sub, email, email_verified: undefined });
    expect(answer.data.user.uid).toBe(uid);
  });

  test('signs in with an unverified email, if the provider is not trusted', async () => {
    const { sub, email } = newPerson();
    answering(200, { sub, email, email_verified: true });
    const answer = await redirect.signIn({ sub, email: undefined });
    expect(answer.data).toMatchObject({ is_new_user: true, user: { email, email_verified: false } });
  });

  test('does not sign in to an account by an email that a trusted provider has not verified', async () => {
    await configure({ trusts_email: true });
    const { sub, email } = newPerson();
    await scenario.verifiedUser(email);
    answering(200, { sub, email, email_verified: false });
    const answer = await redirect.signIn({ sub, email: undefined });
    expectRefusal(answer, 'auth/account-exists-with-different-credential');
  });

  test.each(['two words', '', 1, undefined])('sends no access token %j', async (access_token) => {
    const person = newPerson();
    answering(200, person);
    const asked = scenario.c.callsTo('/userinfo').length;
    const begun = await redirect.begin();
    const nonce = new URL(begun.url).searchParams.get('nonce');
    const id_token = await scenario.c.idToken({ claims: { sub: person.sub, email: undefined, nonce } });
    scenario.c.answer('/token', (_call, res) => json(res, 200, { id_token, access_token }));
    const { parameters } = await redirect.goTo(redirect.returned(begun));
    scenario.c.answer('/token', null);
    expectRefusal(await redirect.finish(parameters.get('code') ?? '', begun.verifier), 'auth/email-required');
    expect(scenario.c.callsTo('/userinfo')).toHaveLength(asked);
  });

  test.each<[string, (person: { sub: string; email: string }) => [number, unknown]]>([
    ['names another user', ({ email }) => [200, { sub: 'another', email }]],
    ['names no user', ({ email }) => [200, { email }]],
    ['names no email either', ({ sub }) => [200, { sub }]],
    ['refuses the access token', (person) => [401, person]],
    ['answers a list', (person) => [200, [person]]],
  ])('creates no account, if the endpoint %s', async (_what, answerTo) => {
    const person = newPerson();
    answering(...answerTo(person));
    expectRefusal(await redirect.signIn({ sub: person.sub, email: undefined }), 'auth/email-required');
  });

  test.each<[string, Route]>([
    ['is down', down],
    ['has an error', (_call, res) => json(res, 500, {})],
    ['has a limit', (_call, res) => json(res, 429, {})],
  ])('is answered as unavailable, if the endpoint %s', async (_what, route) => {
    scenario.c.answer('/userinfo', route);
    const { sub } = newPerson();
    const parameters = redirect.returned(await redirect.begin(), { claims: { sub, email: undefined } });
    expect((await redirect.goTo(parameters)).parameters.get('error')).toBe('request/unavailable');
  });

  test('signs in a user who is known without a request, so also while the endpoint is down', async () => {
    const { sub, email } = newPerson();
    answering(200, { sub, email });
    const first = await redirect.signIn({ sub, email: undefined });
    scenario.c.answer('/userinfo', down);
    const again = await redirect.signIn({ sub, email: undefined });
    expect(again.data).toMatchObject({ is_new_user: false, user: { uid: first.data.user.uid } });
  });

  test('makes no request to an endpoint that is no URL', async () => {
    const document = { ...scenario.c.discoveryDocument(), userinfo_endpoint: 'file:///etc/passwd' };
    scenario.c.answer(discoveryPath, (_call, res) => json(res, 200, document));
    service().clock.advance(10 * 60_000);
    expectRefusal(await redirect.signIn({ ...newPerson(), email: undefined }), 'auth/email-required');
    scenario.c.answer(discoveryPath, null);
    service().clock.advance(10 * 60_000);
  });
});

test('an ID token with an email makes no request to the UserInfo endpoint, verified or not', async () => {
  const asked = scenario.c.callsTo('/userinfo').length;
  expect((await redirect.signIn(newPerson())).status).toBe(200);
  await configure({ trusts_email: true });
  expect((await redirect.signIn({ ...newPerson(), email_verified: false })).status).toBe(200);
  expect(scenario.c.callsTo('/userinfo')).toHaveLength(asked);
});

describe('the redirect URI', () => {
  test.each([
    ['a slash at its end', `${redirectUri}/`],
    ['no query', redirectUri.replace(/\?.*/, '')],
    ['another query', `${redirectUri}&next=1`],
    ['a port', redirectUri.replace('.com', '.com:443')],
    ['another case', redirectUri.replace('app', 'APP')],
    ['a fragment', `${redirectUri}#a`],
    ['another scheme', redirectUri.replace('https', 'http')],
    ['a subdomain', redirectUri.replace('app.', 'evil.app.')],
    ['user information', redirectUri.replace('app.', 'user@app.')],
    ['a space', `${redirectUri} `],
    ['a script', 'javascript:alert(1)'],
  ])('with %s is refused', async (_what, redirect_uri) => {
    const answer = await redirect.authorize({ redirect_uri });
    expectRefusal(answer, 'request/validation-failed', null);
    expect(answer.json.error.fields.redirect_uri).toHaveLength(1);
  });

  test.each([
    ['com.example.app:/signed-in', 'com.example.app:/signed-in?code='],
    ['exp://192.168.0.2:8081/--/signed-in', 'exp://192.168.0.2:8081/--/signed-in?code='],
    ['http://localhost:5173/signed-in?', 'http://localhost:5173/signed-in?code='],
    ['https://app.example.com/?a=%20b', 'https://app.example.com/?a=%20b&code='],
  ])('%s gets the code as %s…', async (uri, begin) => {
    await scenario.set({ redirect_uris: [uri] });
    const begun = await redirect.begin({ uri });
    const { location } = await redirect.goTo(redirect.returned(begun));
    expect(location?.slice(0, begin.length)).toBe(begin);
  });

  test('of another app is refused', async () => {
    const other = await service().newApp();
    await service().changeSettings({ providers: { [contoso]: scenario.contosoSettings } }, other);
    const answer = await redirect.authorize({}, { appKey: other.app.appKey });
    expectRefusal(answer, 'request/validation-failed', null);
  });

  const accountPage = (app = service().app) => `https://accounts.test/account?app=${app.app.appKey}`;

  test('may be the page of the account without a setting, and the user returns there', async () => {
    await scenario.set({ redirect_uris: [] });
    const begun = await redirect.begin({ uri: accountPage() });
    const { status, location } = await redirect.goTo(redirect.returned(begun));
    expect([status, location?.startsWith(`${accountPage()}&code=pc_`)]).toEqual([303, true]);
  });

  test('of the page of the account is that of BASE_URL and of the app, whatever the Host of the request', async () => {
    const other = await service().newApp();
    const others = [
      accountPage(other),
      `${accountPage()}&next=1`,
      accountPage().replace('/account?', '/account/?'),
      accountPage().replace(/\?.*/, ''),
      accountPage().replace('https://accounts.test', service().url),
      accountPage().replace('accounts.test', 'evil.example'),
    ];
    for (const redirect_uri of others) {
      const headers = { host: new URL(redirect_uri).host };
      expectRefusal(
        await redirect.authorize({ redirect_uri }, { headers }),
        'request/validation-failed',
        null,
      );
    }
  });

  test('that was removed from the settings meanwhile gets nothing', async () => {
    const begun = await redirect.begin();
    await scenario.set({ redirect_uris: [] });
    const { status, location, error } = await redirect.goTo(redirect.returned(begun));
    expect([status, location, error]).toEqual([401, null, 'auth/invalid-credential']);
  });
});

describe('the code', () => {
  const refused = 'auth/invalid-credential';

  test('works once, however many present it at the same time', async () => {
    const { code, code_verifier } = await redirect.proof(newPerson());
    const [users, , sessions] = await counts();
    const answers = await Promise.all(Array.from({ length: 50 }, () => redirect.finish(code, code_verifier)));
    expect(answers.map((answer) => answer.code ?? 'signed in').sort()).toEqual([
      ...Array.from({ length: 49 }, () => refused),
      'signed in',
    ]);
    expect(await counts()).toEqual([(users ?? 0) + 1, expect.any(Number), (sessions ?? 0) + 1]);
    expectRefusal(await redirect.finish(code, code_verifier), refused);
  });

  test('works with the verifier of the client that began only, and is not used up by another', async () => {
    const { code, code_verifier } = await redirect.proof(newPerson());
    expectRefusal(await redirect.finish(code, `${code_verifier}x`), refused);
    expectRefusal(await redirect.finish(code, 'x'.repeat(43)), refused);
    expect((await redirect.finish(code, code_verifier)).status).toBe(200);
  });

  test('is not used up by a call that fails because the service is busy', async () => {
    const claims = newPerson();
    const { code, code_verifier } = await redirect.proof(claims);
    const { turns } = service().deps;
    const busy = vi
      .spyOn(turns, 'write')
      .mockRejectedValueOnce(new ApiError('request/unavailable', { retryAfterSeconds: 1 }));
    expectRefusal(await redirect.finish(code, code_verifier), 'request/unavailable');
    busy.mockRestore();
    expect((await redirect.finish(code, code_verifier)).data.user.email).toBe(claims.email);
    expectRefusal(await redirect.finish(code, code_verifier), refused);
  });

  test('that was used before is recorded as a failed sign-in when it is presented again', async () => {
    const { code, code_verifier } = await redirect.proof(newPerson());
    await redirect.finish(code, code_verifier);
    const failures = async () => (await service().auditEntries({ action: 'user.sign_in_failed' })).length;
    const before = await failures();
    expectRefusal(await redirect.finish(code, code_verifier), refused);
    expect(await failures()).toBe(before + 1);
  });

  test.each([
    [59_999, 200],
    [60_000, 401],
  ])('presented after %d milliseconds answers %d', async (milliseconds, status) => {
    const { code, code_verifier } = await redirect.proof(newPerson());
    service().clock.advance(milliseconds);
    expect((await redirect.finish(code, code_verifier)).status).toBe(status);
  });

  test('of another app, or altered, is refused', async () => {
    const { code, code_verifier } = await redirect.proof(newPerson());
    const { app } = await service().newApp();
    expectRefusal(await redirect.finish(code, code_verifier, { appKey: app.appKey }), refused);
    const altered = [`${code.slice(0, -8)}AAAAAAAA`, `${code}=`, code.slice(3), 'pc_', 'pc_AAAA', `${code} `];
    for (const each of altered) expectRefusal(await redirect.finish(each, code_verifier), refused);
    // A state is no code.
    const { url, verifier } = await redirect.begin();
    const state = new URL(url).searchParams.get('state');
    expectRefusal(await redirect.finish(`pc_${state}`, verifier), refused);
    expect((await redirect.finish(code, code_verifier)).status).toBe(200);
  });

  test.each<[string, object | null]>([
    ['is removed', null],
    ['has another client id', { client_ids: ['another.client'] }],
    ['has another issuer', { issuer: 'https://login.example.com' }],
  ])('is refused once the provider %s', async (_what, change) => {
    const { code, code_verifier } = await redirect.proof(newPerson());
    if (change === null) await scenario.set({ providers: { [contoso]: null } });
    else await configure(change);
    expectRefusal(await redirect.finish(code, code_verifier), refused);
  });

  test('of a state that is sent twice signs in once, even if the provider accepts its code twice', async () => {
    const begun = await redirect.begin();
    const claims = newPerson();
    const [one, two] = [
      await redirect.returnWith(begun, { claims }),
      await redirect.returnWith(begun, { claims }),
    ];
    expect(one).not.toBe(two);
    expect((await redirect.finish(one, begun.verifier)).status).toBe(200);
    expectRefusal(await redirect.finish(two, begun.verifier), refused);
  });

  test('needs a trusted provider at the time of its use to sign in to an account with the email', async () => {
    await configure({ trusts_email: true });
    const { sub, email } = newPerson();
    await scenario.verifiedUser(email);
    const { code, code_verifier } = await redirect.proof({ sub, email, email_verified: true });
    await configure({ trusts_email: false });
    const answer = await redirect.finish(code, code_verifier);
    expectRefusal(answer, 'auth/account-exists-with-different-credential');
  });
});

describe('a signed-in user', () => {
  const link = (token: string, body: object, id = contoso) =>
    service().call('POST', `/me/identities/${id}`, { token, body });
  const again = (token: string, body: object, id: string = contoso) =>
    service().call('POST', '/auth/reauthenticate', { token, body: { provider: { id, ...body } } });

  test('links a provider by redirect, once', async () => {
    const { uid, tokens } = await service().signUp();
    const claims = newPerson();
    const proof = await redirect.proof(claims);
    const wrong = { ...proof, code_verifier: 'x'.repeat(43) };
    expectRefusal(await link(tokens.access_token, wrong), 'auth/invalid-credential');
    expectRefusal(await link(tokens.access_token, proof, 'provider-a'), 'auth/invalid-credential');
    expect((await link(tokens.access_token, proof)).data).toMatchObject({ provider: contoso });
    expectRefusal(await link(tokens.access_token, proof), 'auth/provider-already-linked');
    expect((await redirect.signIn(claims)).data.user.uid).toBe(uid);
    const unlinked = await service().call('DELETE', `/me/identities/${contoso}`, {
      token: tokens.access_token,
    });
    expect(unlinked.status).toBe(204);
    expectRefusal(await link(tokens.access_token, proof), 'auth/invalid-credential');
  });

  test('cannot link an account of another user', async () => {
    const claims = newPerson();
    await redirect.signIn(claims);
    const { tokens } = await service().signUp();
    const answer = await link(tokens.access_token, await redirect.proof(claims));
    expectRefusal(answer, 'auth/credential-already-in-use');
  });

  test('reauthenticates with a linked account by redirect or by ID token, and with no other', async () => {
    const claims = newPerson();
    const { access_token: token } = (await redirect.signIn(claims)).data;
    service().clock.advance(6 * 60_000);
    expectRefusal(await link(token, await redirect.proof(claims)), 'auth/requires-recent-login');
    const others = await redirect.proof(newPerson());
    expectRefusal(await again(token, others), 'auth/invalid-credential');
    expectRefusal(await again(token, await redirect.proof(claims), 'unknown'), 'auth/no-such-provider');
    expectRefusal(await again(token, await redirect.proof(claims), 'provider-a'), 'auth/invalid-credential');
    const { status, data } = await again(token, await redirect.proof(claims));
    expect(status).toBe(200);
    const renewed = (data as { access_token: string }).access_token;
    expect((await service().call('DELETE', `/me/identities/${contoso}`, { token: renewed })).status).toBe(
      204,
    );
    expectRefusal(await again(renewed, await scenario.bodyOfC({ claims })), 'auth/invalid-credential');
    const [entry] = (await service().auditEntries({ action: 'user.reauthenticated' })).slice(-1);
    expect(entry?.details).toMatchObject({ method: 'provider' });
  });

  test('presents the code again after a second factor that was mistyped', async () => {
    await scenario.set({ second_factor: 'optional' });
    const claims = newPerson();
    const { access_token: token } = (await redirect.signIn(claims)).data;
    const { secret } = await factors.enroll({ token });
    const proof = await redirect.proof(claims);
    const body = (totp: string) => ({ provider: { id: contoso, ...proof }, totp });
    const call = (totp: string) =>
      service().call('POST', '/auth/reauthenticate', { token, body: body(totp) });
    expectRefusal(await call('000000'), 'auth/invalid-code');
    expect((await call(factors.codeOf(secret))).status).toBe(200);
    expectRefusal(await call(factors.codeOf(secret, 1)), 'auth/invalid-credential');
  });

  test('sends one proof, complete', async () => {
    const { tokens } = await service().signUp();
    const two = { provider: { id: contoso, ...(await redirect.proof()) }, password: 'a password' };
    const answer = await service().call('POST', '/auth/reauthenticate', {
      token: tokens.access_token,
      body: two,
    });
    expectRefusal(answer, 'request/validation-failed', null);
    expectRefusal(await again(tokens.access_token, { code: 'pc_A' }), 'request/validation-failed', null);
  });
});

test('a failed finish is recorded as a failed sign-in', async () => {
  expectRefusal(await redirect.finish('pc_AAAA', 'x'.repeat(43)), 'auth/invalid-credential');
  const entries = await service().auditEntries({ action: 'user.sign_in_failed' });
  expect(entries.at(-1)?.details).toMatchObject({ method: 'provider', reason: 'auth/invalid-credential' });
});

test('a sign-in can begin only with a provider that is available by redirect', async () => {
  for (const [provider, code] of [
    ['unknown', 'auth/no-such-provider'],
    ['constructor', 'auth/no-such-provider'],
    ['provider-a', 'auth/operation-not-allowed'],
  ] as const)
    expectRefusal(await redirect.authorize({}, { provider }), code);
  const wrong = await redirect.authorize({ code_challenge: 'too short' });
  expectRefusal(wrong, 'request/validation-failed', null);
});

test('the methods of a sign-in screen name the providers that are available by redirect', async () => {
  const read = async () => {
    const { json } = await service().call('GET', '/auth/methods');
    return json.data.providers.map(({ id, redirect }: { id: string; redirect: boolean }) => [id, redirect]);
  };
  const others = [
    ['provider-a', false],
    ['provider-b', false],
  ];
  // It has the key, and a client on the web: redirect-built-in.test.ts.
  await scenario.set({ provider_b: { private_key: null } });
  expect(await read()).toEqual([...others, [contoso, true]]);
  await scenario.set({ redirect_uris: [] });
  expect(await read()).toEqual([...others, [contoso, false]]);
});

describe('the setting redirect_uris', () => {
  const set = (redirect_uris: unknown) =>
    service().call<{ redirect_uris: string[] }>('PATCH', '/admin/settings', {
      token: service().app.secretKey,
      body: { redirect_uris },
    });

  test.each([
    'https://app.example.com/#a',
    'https://app.example.com/#',
    'http://app.example.com/',
    'https://user@app.example.com/',
    'https://user:secret@app.example.com/',
    'https://app.example.com/?code=1',
    'https://app.example.com/?a=1&error=2',
    'https://app.example.com/a b',
    'https://app.example.com/"',
    'https://*.example.com/signed-in',
    'https://app.example.com/*',
    'http://localhost.example.com/',
    'https:\\\\app.example.com/',
    'javascript:alert(1)',
    'JavaScript://app.example.com/%0aalert(1)',
    'data:text/html,a',
    'file:///etc/passwd',
    'blob:https://app.example.com/1',
    'mailto:ada@example.com',
    'app.example.com/signed-in',
    '//app.example.com',
    '',
    `https://app.example.com/${'a'.repeat(512)}`,
  ])('refuses %j', async (uri) => {
    expectRefusal(await set([uri]), 'request/validation-failed', null);
  });

  test('drops invisible characters and repetitions, and has at most 50', async () => {
    const local = ['HTTP://LOCALHOST:80/', 'http://tauri.localhost/signed-in'];
    const answer = await set([' https://a.example/\u200b', 'https://a.example/', ...local]);
    expect(answer.data.redirect_uris).toEqual(['https://a.example/', ...local]);
    const many = Array.from({ length: limits.redirectUrisPerApp + 1 }, (_, at) => `https://a.example/${at}`);
    expectRefusal(await set(many), 'request/validation-failed', null);
  });
});
