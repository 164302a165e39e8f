// Provider A and B by redirect: when they are available, what they are asked for, and the form with which provider B sends the
// user back.
import { type AppSettingsPatch, limits } from '@foyer/contract';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { discoveryPath, json } from '../../test/identity-provider.js';
import { clients, contoso, providerScenario, settings, sha256Hex } from '../../test/provider-scenario.js';
import { reasonIn, redirectScenario, redirectUri } from '../../test/redirect-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';

const secret = 'GOCSPX-a_secret';
const logged: string[] = [];
const scenario = shared(() => providerScenario({ onLogLine: (line) => logged.push(line) }));
const service = () => scenario.service;
const redirect = redirectScenario(() => scenario);
const enable = (change: AppSettingsPatch = {}) =>
  scenario.set({
    redirect_uris: [redirectUri],
    provider_a: { ...settings.provider_a, client_secret: secret },
    provider_b: settings.provider_b,
    ...change,
  });
beforeAll(() => enable());
afterEach(async () => {
  // Refusals of one minute share entries of the audit log; discovery is read again.
  service().clock.advance(10 * 60_000);
  scenario.b.answer('/token', null);
  scenario.b.answer(discoveryPath, null);
  await enable();
});

let people = 0;
const newPerson = () => {
  people += 1;
  return { sub: `person-${people}`, email: `person-${people}@example.com`, email_verified: true };
};
const methods = async () => {
  const { json: answer } = await service().call('GET', '/auth/methods');
  return Object.fromEntries(
    answer.data.providers.map(({ id, redirect }: { id: string; redirect: boolean }) => [id, redirect]),
  );
};
const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams);
const lastEntry = async (action: string) => (await service().auditEntries({ action })).at(-1);

describe('provider A', () => {
  const provider = 'provider-a';

  test('signs in by redirect, to the account that its ID tokens sign in to', async () => {
    const begun = await redirect.begin({ provider });
    expect(parametersOf(begun.url)).toEqual({
      response_type: 'code',
      client_id: clients.web,
      redirect_uri: `https://accounts.test/api/v2/auth/providers/${provider}/callback`,
      scope: 'openid email profile',
      state: expect.any(String),
      nonce: expect.stringMatching(/^[\w-]{22}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const claims = newPerson();
    const { parameters } = await redirect.goTo(redirect.returned(begun, { claims }, scenario.a), provider);
    const answer = await redirect.finish(parameters.get('code') ?? '', begun.verifier);
    expect(answer.data).toMatchObject({ is_new_user: true, user: { email_verified: true } });
    const { uid } = answer.data.user;
    const session = await service().database.prisma.session.findFirst({ where: { uid } });
    expect(session?.method).toBe('provider_a');
    const byToken = await scenario.signInA(await scenario.bodyOfA({ claims }));
    expect(byToken.data.user.uid).toBe(uid);
    const { headers } = scenario.a.callsTo('/token').at(-1) ?? expect.fail();
    const basic = Buffer.from(`${clients.web}:${secret}`).toString('base64');
    expect(headers.authorization).toBe(`Basic ${basic}`);
  });

  test.each<[string, AppSettingsPatch]>([
    ['a secret', { provider_a: { client_secret: null } }],
    ['a client on the web', { provider_a: { client_ids: { web: [] } } }],
    ['any client', { provider_a: { client_ids: { web: [], ios: [], android: [] } } }],
  ])('without %s is not available by redirect', async (_what, change) => {
    expect(await methods()).toMatchObject({ 'provider-a': true });
    await scenario.set(change);
    expectRefusal(await redirect.authorize({}, { provider }), 'auth/operation-not-allowed');
    expect((await methods())[provider]).not.toBe(true);
  });

  test('has a secret that is stored encrypted, and neither answered nor logged', async () => {
    const answer = await service().call<{ provider_a: object }>('PATCH', '/admin/settings', {
      token: service().app.secretKey,
      body: { provider_a: { client_secret: 'hushhush' } },
    });
    expect(answer.data.provider_a).toEqual({ ...settings.provider_a, client_secret_set: true });
    const rows = await service().database.prisma.appSecret.findMany();
    const stored = rows.map(({ value }) => Buffer.from(value).toString('latin1')).join();
    const entry = await lastEntry('settings.updated');
    expect(entry?.details).toMatchObject({ secrets: ['provider_a.client_secret'] });
    for (const text of [answer.text, logged.join('\n'), stored, JSON.stringify(entry)])
      expect(text).not.toContain('hushhush');
  });

  test('has a client that was removed meanwhile: the code is refused', async () => {
    const begun = await redirect.begin({ provider });
    const returned = redirect.returned(begun, { claims: newPerson() }, scenario.a);
    await scenario.set({ provider_a: { client_ids: { web: ['another.client'] } } });
    const { parameters } = await redirect.goTo(returned, provider);
    expect(parameters.get('error')).toBe('auth/invalid-credential');
  });
});

describe('provider B', () => {
  const provider = 'provider-b';
  const user = (name: unknown) => JSON.stringify({ name, email: 'another@example.com' });

  async function signIn(claims: Record<string, unknown>, more: Record<string, string> = {}) {
    const begun = await redirect.begin({ provider });
    const answer = await redirect.post({ ...redirect.returned(begun, { claims }, scenario.b), ...more });
    expect([answer.status, answer.parameters.get('error')]).toEqual([303, null]);
    return redirect.finish(answer.parameters.get('code') ?? '', begun.verifier);
  }

  test('is asked for a form, with the hash of a nonce, and its form signs in with the names in it', async () => {
    const { url } = await redirect.begin({ provider });
    expect(parametersOf(url)).toMatchObject({
      client_id: clients.services,
      response_mode: 'form_post',
      scope: 'openid email name',
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      code_challenge_method: 'S256',
    });
    // Safari on a Mac and iOS signs in itself, and reads `email+name` as one scope, so that the user has neither.
    expect(url).toContain('&scope=openid%20email%20name&');
    const claims = newPerson();
    const answer = await signIn(claims, { user: user({ firstName: ' Ada ', lastName: 'Lovelace' }) });
    expect(answer.data).toMatchObject({
      is_new_user: true,
      user: { email: claims.email, email_verified: true, first_name: 'Ada', last_name: 'Lovelace' },
    });
    const { uid } = answer.data.user;
    const again = await signIn(claims, { user: user({ firstName: 'Eve' }) });
    expect(again.data).toMatchObject({ is_new_user: false, user: { uid, first_name: 'Ada' } });
    const session = await service().database.prisma.session.findFirst({ where: { uid } });
    expect(session?.method).toBe('provider_b');
  });

  test.each([
    'no JSON',
    'null',
    '[]',
    '{"name":null}',
    '{"name":{"firstName":{},"lastName":1}}',
    user({ firstName: 'a'.repeat(5_000) }),
  ])('that names the user with %j signs in, without names', async (given) => {
    const answer = await signIn(newPerson(), { user: given });
    expect(answer.data.user).toMatchObject({ first_name: null, last_name: null });
  });

  test('is sent a client secret that the key of the app has signed, by the method that it supports', async () => {
    const document = {
      ...scenario.b.discoveryDocument(),
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    };
    scenario.b.answer(discoveryPath, (_call, res) => json(res, 200, document));
    service().clock.advance(10 * 60_000);
    await signIn(newPerson());
    const { form, headers } = scenario.b.callsTo('/token').at(-1) ?? expect.fail();
    const signed = form.get('client_secret') ?? '';
    const { team_id, key_id } = settings.provider_b;
    expect(headers.authorization).toBeUndefined();
    expect(decodeProtectedHeader(signed)).toEqual({ alg: 'ES256', kid: key_id });
    const now = service().clock.now().getTime() / 1_000;
    expect(decodeJwt(signed)).toEqual({
      ...{ iss: team_id, sub: clients.services, aud: scenario.b.issuer },
      ...{ iat: Math.floor(now), exp: Math.floor(now) + 300 },
    });
  });

  test('is not asked without a client secret if the key of the app is gone', async () => {
    const begun = await redirect.begin({ provider });
    const calls = scenario.b.callsTo('/token').length;
    const where = { appId: service().app.app.id, name: 'provider_b.private_key' };
    expect((await service().database.prisma.appSecret.deleteMany({ where })).count).toBe(1);
    const parameters = redirect.returned(begun, { claims: newPerson() }, scenario.b);
    expect((await redirect.post(parameters)).parameters.get('error')).toBe('auth/operation-not-allowed');
    expect(scenario.b.callsTo('/token')).toHaveLength(calls);
  });

  test('issues a refresh token that is stored encrypted, and revoked with the identity', async () => {
    const claims = newPerson();
    const { access_token: token } = (await signIn(claims)).data;
    const refreshToken = scenario.b.given.at(-1) ?? expect.fail();
    expect(refreshToken).toMatch(new RegExp(`^refresh-token-${claims.sub}-`));
    const row = await service().database.prisma.identity.findFirst({ where: { subject: claims.sub } });
    expect(row?.refreshToken?.length).toBeGreaterThan(20);
    expect(Buffer.from(row?.refreshToken ?? []).toString('latin1')).not.toContain(refreshToken);
    const removed = await service().call('DELETE', `/me/identities/${provider}`, { token });
    expect(removed.status).toBe(204);
    await service().deps.queue.runNow();
    expect(scenario.b.revoked).toContain(refreshToken);
  });

  test.each<[string, unknown, boolean]>([
    ['of 2,048 characters', 'r'.repeat(2_048), true],
    ['of 2,049 characters', 'r'.repeat(2_049), false],
    ['of none', '', false],
    ['that is no string', ['a token'], false],
    ['that is missing', undefined, false],
  ])('issues a refresh token %s, which is stored only if it fits', async (_what, refresh_token, stored) => {
    const claims = newPerson();
    const begun = await redirect.begin({ provider });
    const { nonce, client_id: aud } = parametersOf(begun.url);
    const tokens = {
      access_token: 'an-access-token',
      token_type: 'Bearer',
      refresh_token,
      id_token: await scenario.b.idToken({ claims: { ...claims, nonce, aud } }),
    };
    scenario.b.answer('/token', (_call, res) => json(res, 200, tokens));
    const { parameters } = await redirect.post(redirect.returned(begun, { claims }, scenario.b));
    expect((await redirect.finish(parameters.get('code') ?? '', begun.verifier)).status).toBe(200);
    const row = await service().database.prisma.identity.findFirst({ where: { subject: claims.sub } });
    expect(row?.refreshToken != null).toBe(stored);
  });

  test('issues a refresh token that is stored with a link, and revoked with it', async () => {
    const { tokens } = await service().signUp();
    const begun = await redirect.begin({ provider });
    const { parameters } = await redirect.post(redirect.returned(begun, { claims: newPerson() }, scenario.b));
    const refreshToken = scenario.b.given.at(-1) ?? expect.fail();
    const body = { code: parameters.get('code'), code_verifier: begun.verifier };
    const path = `/me/identities/${provider}`;
    const token = tokens.access_token;
    expect((await service().call('POST', path, { token, body })).status).toBe(201);
    expect((await service().call('DELETE', path, { token })).status).toBe(204);
    await service().deps.queue.runNow();
    expect(scenario.b.revoked).toContain(refreshToken);
  });

  test('links to a signed-in user, and reauthenticates', async () => {
    const { tokens } = await service().signUp();
    const claims = newPerson();
    const proof = async () => {
      const begun = await redirect.begin({ provider });
      const { parameters } = await redirect.post(redirect.returned(begun, { claims }, scenario.b));
      return { code: parameters.get('code'), code_verifier: begun.verifier };
    };
    const token = tokens.access_token;
    const linked = await service().call('POST', `/me/identities/${provider}`, { token, body: await proof() });
    expect([linked.status, linked.data]).toEqual([201, expect.objectContaining({ provider })]);
    const body = { provider: { id: provider, ...(await proof()) } };
    expect((await service().call('POST', '/auth/reauthenticate', { token, body })).status).toBe(200);
  });

  test.each<[string, AppSettingsPatch]>([
    ['the private key', { provider_b: { private_key: null } }],
    ['the team id', { provider_b: { team_id: null } }],
    ['the key id', { provider_b: { key_id: null } }],
    ['a Services ID', { provider_b: { services_ids: [] } }],
  ])('without %s is not available by redirect', async (_what, change) => {
    const begun = await redirect.begin({ provider });
    await scenario.set(change);
    expectRefusal(await redirect.authorize({}, { provider }), 'auth/operation-not-allowed');
    expect((await methods())[provider]).toBe(false);
    const { parameters } = await redirect.post(redirect.returned(begun, {}, scenario.b));
    expect(parameters.get('error')).toBe('auth/invalid-credential');
  });

  test('that rejects the client sends the user back, and the team is told', async () => {
    scenario.b.answer('/token', (_call, res) => json(res, 400, { error: 'invalid_client' }));
    const begun = await redirect.begin({ provider });
    const { parameters } = await redirect.post(redirect.returned(begun, {}, scenario.b));
    expect(parameters.get('error')).toBe('auth/operation-not-allowed');
    const entry = await lastEntry('provider.exchange_failed');
    expect([entry?.target, reasonIn(entry)]).toEqual([`provider:${provider}`, 'client-rejected']);
  });

  test('whose token has the nonce itself and not its hash is refused', async () => {
    const begun = await redirect.begin({ provider });
    const claims = { ...newPerson(), nonce: sha256Hex('another') };
    const { parameters } = await redirect.post(redirect.returned(begun, { claims }, scenario.b));
    expect(parameters.get('error')).toBe('auth/invalid-credential');
    expect(reasonIn(await lastEntry('provider.token_refused'))).toBe('wrong-nonce');
  });

  test('of a user who declines', async () => {
    const { code: _, ...others } = redirect.returned(await redirect.begin({ provider }), {}, scenario.b);
    const { parameters } = await redirect.post({ ...others, error: 'user_cancelled_authorize' });
    expect(parameters.get('error')).toBe('auth/user-cancelled');
  });
});

describe('a form', () => {
  const refused = [401, null, 'auth/invalid-credential'];
  const answerTo = async (...given: Parameters<typeof redirect.post>) => {
    const { status, location, error } = await redirect.post(...given);
    return [status, location, error];
  };

  test('with a state that is missing, altered or of another provider leads nowhere', async () => {
    const returned = redirect.returned(await redirect.begin({ provider: 'provider-b' }), {}, scenario.b);
    const { state = '', ...others } = returned;
    expect(await answerTo(others)).toEqual(refused);
    expect(await answerTo('')).toEqual(refused);
    expect(await answerTo({ ...others, state: `${state.slice(0, -8)}AAAAAAAA` })).toEqual(refused);
    expect(await answerTo(returned, 'provider-a')).toEqual(refused);
    expect(await answerTo(returned, contoso)).toEqual(refused);
    expect(await answerTo(returned, 'unknown')).toEqual(refused);
  });

  test('with a state that has expired leads to the app with an error', async () => {
    const returned = redirect.returned(await redirect.begin({ provider: 'provider-b' }), {}, scenario.b);
    service().clock.advance(limits.providerRedirectSeconds * 1_000);
    const { status, parameters } = await redirect.post(returned);
    expect([status, parameters.get('error')]).toEqual([303, 'auth/invalid-credential']);
  });

  test('also returns from a provider of the settings, which may send forms too', async () => {
    const begun = await redirect.begin();
    const { parameters } = await redirect.post(redirect.returned(begun), contoso);
    expect(parameters.get('code')).toMatch(/^pc_/);
  });

  test.each([
    ['JSON', 'application/json'],
    ['a form with a file', 'multipart/form-data; boundary=a'],
    ['text', 'text/plain'],
    ['a type that begins like that of a form', 'application/x-www-form-urlencoded-2'],
  ])('that says it is %s is refused', async (_what, type) => {
    expect(await answerTo('{}', 'provider-b', type)).toEqual([415, null, 'request/unsupported-media-type']);
  });

  test('may name its charset', async () => {
    expect(await answerTo('', 'provider-b', 'application/x-www-form-urlencoded; charset=UTF-8')).toEqual(
      refused,
    );
  });

  test.each<[string, string, number, string]>([
    ['too much', `state=${'a'.repeat(limits.maxRedirectFormBytes)}`, 413, 'request/too-large'],
    ['a state that is too long', `state=${'a'.repeat(8_193)}`, 422, 'request/validation-failed'],
    ['the character U+0000', 'state=a%00', 422, 'request/validation-failed'],
    [
      'thousands of names',
      Array.from({ length: 5_000 }, (_, at) => `a${at}=`)
        .join('&')
        .slice(0, 32_000),
      401,
      'auth/invalid-credential',
    ],
    ['a name of the prototype', '__proto__=1&constructor=2', 401, 'auth/invalid-credential'],
    ['percent signs that encode nothing', 'state=%&code=%ff', 401, 'auth/invalid-credential'],
  ])('with %s is refused', async (_what, body, status, code) => {
    expect(await answerTo(body)).toEqual([status, null, code]);
  });
});
