// The callback of a sign-in by redirect: states that are not of the flow, what providers answer, and hostile ones.
import { type AppSettingsPatch, errorCatalogue } from '@foyer/contract';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  discoveryPath,
  down,
  json,
  providerKey,
  type Route,
  type TokenOptions,
} from '../../test/identity-provider.js';
import { clients, contoso, providerScenario } from '../../test/provider-scenario.js';
import { redirectScenario, redirectUri } from '../../test/redirect-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { deletedAppKeyPrefix } from '../model/app.js';

const logged: string[] = [];
const scenario = shared(() => providerScenario({ onLogLine: (line) => logged.push(line) }));
const service = () => scenario.service;
const redirect = redirectScenario(() => scenario);
const second = 'second';
beforeAll(async () => {
  await redirect.enable();
  await scenario.set({ providers: { [second]: scenario.contosoSettings } });
});

afterEach(async () => {
  // Refusals of one minute share entries of the audit log.
  service().clock.advance(60_000);
  scenario.c.answer('/token', null);
  scenario.c.answer(discoveryPath, null);
  await scenario.set({ redirect_uris: [redirectUri], providers: { [contoso]: scenario.contosoSettings } });
  const { prisma } = service().database;
  expect([await prisma.user.count(), await prisma.identity.count()]).toEqual([0, 0]);
});

/** The error with which the user returns to the app. */
async function errorOf(parameters: Record<string, string>): Promise<string | null> {
  const { status, location, parameters: given } = await redirect.goTo(parameters);
  expect([status, location?.startsWith(`${redirectUri}&`), given.get('code')]).toEqual([303, true, null]);
  const error = given.get('error') ?? '';
  expect(Object.keys(errorCatalogue)).toContain(error);
  return error;
}
/** What has been logged as a warning since the last call. */
const warnings = () =>
  logged
    .splice(0)
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 'warn')
    .map(({ msg }) => msg);
const lastEntry = async (action: string) => (await service().auditEntries({ action })).at(-1);

describe('a state', () => {
  const refusedAnswer = (answer: Awaited<ReturnType<typeof redirect.goTo>>) =>
    expect([answer.status, answer.location, answer.error]).toEqual([401, null, 'auth/invalid-credential']);

  test('that is missing, altered or not of the service leads nowhere', async () => {
    const { state = '', ...others } = redirect.returned(await redirect.begin());
    const altered = ['', 'AAAA', `${state}=`, `${state.slice(0, -8)}AAAAAAAA`, state.slice(1), ` ${state}`];
    for (const each of altered) refusedAnswer(await redirect.goTo({ ...others, state: each }));
    refusedAnswer(await redirect.goTo(others));
  });

  test('of another provider leads nowhere, even if both have the same issuer (mix-up)', async () => {
    refusedAnswer(await redirect.goTo(redirect.returned(await redirect.begin()), second));
  });

  test.each([
    ['disabled', { enabled: false }],
    ['deleted', { appKey: deletedAppKeyPrefix }],
  ])('of an app that was %s meanwhile leads nowhere', async (_, data) => {
    const { state } = redirect.returned(await redirect.begin());
    const { id, appKey } = service().app.app;
    await service().database.prisma.app.update({ where: { id }, data });
    refusedAnswer(await redirect.goTo({ state: state ?? '', code: 'a' }));
    await service().database.prisma.app.update({ where: { id }, data: { enabled: true, appKey } });
  });

  test('expires after twenty minutes', async () => {
    const begun = await redirect.begin();
    service().clock.advance(20 * 60_000);
    expect(await errorOf(redirect.returned(begun))).toBe('auth/invalid-credential');
  });

  test('sent a second time with its code is refused by the provider', async () => {
    const parameters = redirect.returned(await redirect.begin());
    expect((await redirect.goTo(parameters)).parameters.get('code')).toMatch(/^pc_/);
    expect(await errorOf(parameters)).toBe('auth/invalid-credential');
  });

  test('is not used up by a HEAD request, with which programs check a link', async () => {
    const parameters = redirect.returned(await redirect.begin());
    const url = `${service().url}/api/v2/auth/providers/${contoso}/callback?${new URLSearchParams(parameters)}`;
    const { status, headers } = await fetch(url, { method: 'HEAD', redirect: 'manual' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await redirect.goTo(parameters)).parameters.get('code')).toMatch(/^pc_/);
  });

  test('with the code of another sign-in is refused (code injection)', async () => {
    const [victim, attacker] = [await redirect.begin(), await redirect.begin()];
    const { code = '' } = redirect.returned(attacker, { claims: { sub: 'attacker' } });
    expect(await errorOf({ ...redirect.returned(victim), code })).toBe('auth/invalid-credential');
    const entry = await lastEntry('provider.exchange_failed');
    expect([entry?.target, entry?.details]).toEqual([
      `provider:${contoso}`,
      { reason: 'code-rejected', count: 1 },
    ]);
  });
});

test.each<[string, Record<string, string>, string]>([
  ['another issuer', { iss: 'https://evil.example' }, 'auth/invalid-credential'],
  ['an empty issuer', { iss: '' }, 'auth/invalid-credential'],
  ['no code', { code: '' }, 'auth/invalid-credential'],
  ['access_denied', { error: 'access_denied' }, 'auth/user-cancelled'],
  [
    'access_denied of another issuer',
    { error: 'access_denied', iss: 'https://evil.example' },
    'auth/invalid-credential',
  ],
  ['user_cancelled_login', { error: 'user_cancelled_login' }, 'auth/user-cancelled'],
  ['temporarily_unavailable', { error: 'temporarily_unavailable' }, 'request/unavailable'],
  ['server_error', { error: 'server_error' }, 'request/unavailable'],
  ['invalid_scope', { error: 'invalid_scope' }, 'auth/operation-not-allowed'],
  ['an unknown error', { error: '<script>' }, 'auth/operation-not-allowed'],
])('a provider that returns with %s', async (_what, change, code) => {
  expect(await errorOf({ ...redirect.returned(await redirect.begin()), ...change })).toBe(code);
});

test.each(['f%FCr', '%00', '%'])(
  'the words of a provider in another encoding (%s) are not read',
  async (words) => {
    const { state } = redirect.returned(await redirect.begin());
    const returned = (query: string) =>
      fetch(`${service().url}/api/v2/auth/providers/${contoso}/callback?${query}`, { redirect: 'manual' });
    const unread = `state=${state}&iss=${scenario.c.issuer}&error=access_denied&error_description=${words}`;
    expect((await returned(unread)).headers.get('location')).toBe(
      `${redirectUri}&error=auth%2Fuser-cancelled`,
    );
    expect((await returned(`state=${state}&error=${words}`)).status).toBe(422);
  },
);

test('a provider that does not promise its issuer may leave it out, and must not name another', async () => {
  const { authorization_response_iss_parameter_supported: _, ...document } = scenario.c.discoveryDocument();
  scenario.c.answer(discoveryPath, (_call, res) => json(res, 200, document));
  service().clock.advance(10 * 60_000);
  const { iss: _iss, ...parameters } = redirect.returned(await redirect.begin());
  expect((await redirect.goTo(parameters)).parameters.get('code')).toMatch(/^pc_/);
  const others = { ...redirect.returned(await redirect.begin()), iss: 'https://evil.example' };
  expect(await errorOf(others)).toBe('auth/invalid-credential');
  service().clock.advance(10 * 60_000);
});

describe('a token endpoint', () => {
  const answering =
    (status: number, body: unknown, headers = {}): Route =>
    (_call, res) =>
      void res.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

  test.each<[string, Route, string, string]>([
    ['is down', down, 'request/unavailable', 'unavailable'],
    ['answers 500', answering(500, {}), 'request/unavailable', 'unavailable'],
    ['answers 429', answering(429, {}), 'request/unavailable', 'unavailable'],
    [
      'rejects the client',
      answering(401, { error: 'invalid_client' }),
      'auth/operation-not-allowed',
      'client-rejected',
    ],
    [
      'rejects the code',
      answering(400, { error: 'invalid_grant' }),
      'auth/invalid-credential',
      'code-rejected',
    ],
    [
      'reports an error with 200',
      answering(200, { error: 'bad_code' }),
      'auth/invalid-credential',
      'code-rejected',
    ],
    ['sends no ID token', answering(200, { access_token: 'a' }), 'auth/invalid-credential', 'code-rejected'],
    ['sends nothing', answering(204, ''), 'auth/invalid-credential', 'code-rejected'],
    ['sends no JSON', answering(200, '<html>'), 'auth/invalid-credential', 'code-rejected'],
    [
      'sends too much',
      answering(200, `{"id_token":"${'a'.repeat(100_000)}"}`),
      'auth/invalid-credential',
      'code-rejected',
    ],
    [
      'redirects',
      answering(307, '', { Location: 'http://169.254.169.254/' }),
      'auth/invalid-credential',
      'code-rejected',
    ],
  ])('that %s', async (_what, route, code, reason) => {
    const parameters = redirect.returned(await redirect.begin());
    scenario.c.answer('/token', route);
    warnings();
    expect(await errorOf(parameters)).toBe(code);
    expect((await lastEntry('provider.exchange_failed'))?.details).toEqual({ reason, count: 1 });
    expect(warnings()).toEqual(['a sign-in by redirect failed at the provider']);
  });

  test.each([
    'http://10.0.0.1/token',
    'https://10.0.0.1/token',
    'https://169.254.169.254/token',
    'https://[::ffff:127.0.0.1]/token',
    'https://2130706433/token',
  ])('at %s gets no request', async (token_endpoint) => {
    const document = { ...scenario.c.discoveryDocument(), token_endpoint };
    scenario.c.answer(discoveryPath, (_call, res) => json(res, 200, document));
    service().clock.advance(10 * 60_000);
    expect(await errorOf(redirect.returned(await redirect.begin()))).toBe('request/unavailable');
    scenario.c.answer(discoveryPath, null);
    service().clock.advance(10 * 60_000);
  });
});

test.each([
  'javascript:alert(1)//',
  'data:text/html,a',
  '/authorize',
  'ftp://a.example/',
  'https://[',
  undefined,
])('nobody is sent to the authorization endpoint %s', async (authorization_endpoint) => {
  const document = { ...scenario.c.discoveryDocument(), authorization_endpoint };
  scenario.c.answer(discoveryPath, (_call, res) => json(res, 200, document));
  service().clock.advance(10 * 60_000);
  warnings();
  expectRefusal(await redirect.authorize({}), 'request/unavailable');
  expect(warnings()).toEqual(['the endpoints of an identity provider cannot be read', 'request failed']);
  scenario.c.answer(discoveryPath, null);
  // A provider that is down is asked again after two seconds.
  const asked = scenario.c.callsTo(discoveryPath).length;
  expectRefusal(await redirect.authorize({}), 'request/unavailable');
  expect(scenario.c.callsTo(discoveryPath)).toHaveLength(asked);
  service().clock.advance(2_000);
  expect((await redirect.authorize({})).status).toBe(200);
});

test('many sign-ins that begin at once read the discovery document once', async () => {
  service().clock.advance(10 * 60_000);
  const asked = scenario.c.callsTo(discoveryPath).length;
  const answers = await Promise.all(Array.from({ length: 20 }, () => redirect.authorize({})));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(scenario.c.callsTo(discoveryPath)).toHaveLength(asked + 1);
});

describe('while the discovery document', () => {
  const answering =
    (status: number): Route =>
    (_call, res) =>
      void res.writeHead(status).end();
  const asked = () => scenario.c.callsTo(discoveryPath).length;
  const signIn = async () => {
    const { parameters } = await redirect.goTo(redirect.returned(await redirect.begin()));
    expect(parameters.get('code')).toMatch(/^pc_/);
  };

  test.each<[string, Route]>([
    ['is not answered', down],
    ['is answered with 503', answering(503)],
    ['is answered with 429', answering(429)],
  ])(
    '%s, users sign in at the last known endpoints, and it is read every 30 seconds',
    async (_what, route) => {
      await signIn();
      service().clock.advance(10 * 60_000);
      scenario.c.answer(discoveryPath, route);
      await signIn();
      const before = asked();
      service().clock.advance(29_000);
      await redirect.begin();
      expect(asked()).toBe(before);
      service().clock.advance(1_000);
      await redirect.begin();
      expect(asked()).toBe(before + 1);
    },
  );

  test('is removed, nobody signs in, also when it is then not answered', async () => {
    const parameters = redirect.returned(await redirect.begin());
    service().clock.advance(10 * 60_000);
    scenario.c.answer(discoveryPath, answering(404));
    expect(await errorOf(parameters)).toBe('request/unavailable');
    service().clock.advance(2_000);
    scenario.c.answer(discoveryPath, down);
    expect(await errorOf(parameters)).toBe('request/unavailable');
  });
});

describe('a forged ID token', () => {
  const attacker = providerKey('first');
  test.each<[string, () => Promise<TokenOptions>, string]>([
    ['of another key', async () => ({ key: await attacker }), 'wrong-signature'],
    ['of an unknown key', async () => ({ header: { kid: 'unknown' } }), 'unknown-key'],
    ['of another issuer', async () => ({ claims: { iss: 'https://evil.example' } }), 'wrong-issuer'],
    ['for another client', async () => ({ claims: { aud: clients.web } }), 'wrong-audience'],
    ['for several clients', async () => ({ claims: { aud: [clients.contoso, 'evil'] } }), 'wrong-audience'],
    ['by no party', async () => ({ claims: { azp: '' } }), 'wrong-authorized-party'],
    ['with the nonce of another sign-in', async () => ({ claims: { nonce: 'another' } }), 'wrong-nonce'],
    ['without a nonce', async () => ({ claims: { nonce: undefined } }), 'no-nonce'],
    ['without a user', async () => ({ claims: { sub: undefined } }), 'no-subject'],
    ['that has expired', async () => ({ claims: { exp: 1 } }), 'expired'],
    [
      'with a key in its header',
      async () => ({ header: { jku: 'https://evil.example' } }),
      'forbidden-header',
    ],
  ])('%s is refused, with its reason in the audit log', async (_what, token, reason) => {
    const parameters = redirect.returned(await redirect.begin(), await token());
    expect(await errorOf(parameters)).toBe('auth/invalid-credential');
    const entry = await lastEntry('provider.token_refused');
    expect([entry?.target, entry?.details]).toEqual([
      `provider:${contoso}`,
      expect.objectContaining({ reason }),
    ]);
  });

  test('without a signature is refused', async () => {
    const parameters = redirect.returned(await redirect.begin());
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const id_token = `${part({ alg: 'none' })}.${part({ iss: scenario.c.issuer, sub: 'victim' })}.`;
    scenario.c.answer('/token', (_call, res) => json(res, 200, { id_token }));
    expect(await errorOf(parameters)).toBe('auth/invalid-credential');
  });
});

describe('the client secret', () => {
  const authorizationOf = async (methods?: string[]) => {
    const document = {
      ...scenario.c.discoveryDocument(),
      ...(methods && { token_endpoint_auth_methods_supported: methods }),
    };
    scenario.c.answer(discoveryPath, (_call, res) => json(res, 200, document));
    service().clock.advance(10 * 60_000);
    const { parameters } = await redirect.goTo(redirect.returned(await redirect.begin()));
    expect(parameters.get('error')).toBeNull();
    const { headers, form } = scenario.c.callsTo('/token').at(-1) ?? {
      headers: {},
      form: new URLSearchParams(),
    };
    return [headers.authorization, form.get('client_secret'), form.get('client_id')];
  };
  const set = (change: object) =>
    service().call<{ providers: Record<string, object> }>('PATCH', '/admin/settings', {
      token: service().app.secretKey,
      body: { providers: { [contoso]: { ...scenario.contosoSettings, ...change } } } as AppSettingsPatch,
    });
  const names = async () =>
    (await service().database.prisma.appSecret.findMany({ where: { appId: service().app.app.id } })).map(
      ({ name }) => name,
    );

  test('is sent in the form where the provider supports that, and else by Basic', async () => {
    await set({ client_secret: 'a-secret_1:/+?' });
    const basic = Buffer.from('contoso.client:a-secret_1%3A%2F%2B%3F').toString('base64');
    expect(await authorizationOf()).toEqual([`Basic ${basic}`, null, null]);
    const both = ['client_secret_basic', 'client_secret_post'];
    expect(await authorizationOf(both)).toEqual([undefined, 'a-secret_1:/+?', clients.contoso]);
    await set({ client_secret: null });
    expect(await authorizationOf()).toEqual([undefined, null, clients.contoso]);
  });

  const [basic, post] = ['client_secret_basic', 'client_secret_post'];
  test.each<[string, string[] | undefined, string[]]>([
    ['lists both', [basic, post], [post, basic]],
    ['lists neither', undefined, [basic, post]],
    ['lists Basic only', [basic, 'private_key_jwt'], [basic]],
    ['lists the form only', [post], [post]],
  ])('is sent in each way that a provider may expect, once, if it %s', async (_what, methods, sent) => {
    await set({ client_secret: 'hushhush' });
    const document = { ...scenario.c.discoveryDocument(), token_endpoint_auth_methods_supported: methods };
    scenario.c.answer(discoveryPath, (_call, res) => json(res, 200, document));
    service().clock.advance(10 * 60_000);
    const sentSince = (before: number) =>
      scenario.c
        .callsTo('/token')
        .slice(before)
        .map(({ headers, form }) => (headers.authorization && !form.has('client_secret') ? basic : post));
    const refusing: Route = (_call, res) => json(res, 401, { error: 'invalid_client' });
    scenario.c.answer('/token', refusing);
    let before = scenario.c.callsTo('/token').length;
    expect(await errorOf(redirect.returned(await redirect.begin()))).toBe('auth/operation-not-allowed');
    expect((await lastEntry('provider.exchange_failed'))?.details).toEqual({
      reason: 'client-rejected',
      count: 1,
    });
    expect(sentSince(before)).toEqual(sent);
    if (sent.length === 1) return;
    // The other one is that of the client.
    scenario.c.answer('/token', (call, res) => {
      scenario.c.answer('/token', null);
      return refusing(call, res);
    });
    before = scenario.c.callsTo('/token').length;
    const { parameters } = await redirect.goTo(redirect.returned(await redirect.begin()));
    expect(parameters.get('code')).toMatch(/^pc_/);
    expect(sentSince(before)).toEqual(sent);
  });

  test('is stored encrypted, and neither answered nor logged', async () => {
    const answer = await set({ client_secret: 'hushhush' });
    expect(answer.data.providers[contoso]).toEqual({
      ...scenario.contosoSettings,
      scopes: null,
      client_secret_set: true,
    });
    expect(answer.text).not.toContain('hushhush');
    expect(logged.join('\n')).not.toContain('hushhush');
    const rows = await service().database.prisma.appSecret.findMany();
    expect(rows.map(({ value }) => Buffer.from(value).toString('latin1')).join()).not.toContain('hushhush');
    const entry = await lastEntry('settings.updated');
    expect(entry?.details).toMatchObject({ secrets: [`providers.${contoso}.client_secret`] });
    expect(JSON.stringify(entry)).not.toContain('hushhush');
  });

  test('stays until it is removed, or the kind or issuer changes, or the provider is removed', async () => {
    const name = `providers.${contoso}.client_secret`;
    const isSet = (answer: Awaited<ReturnType<typeof set>>) =>
      (answer.data.providers[contoso] as { client_secret_set: boolean }).client_secret_set;
    await set({ client_secret: 'hushhush' });
    expect(isSet(await set({ name: 'Another name' }))).toBe(true);
    expect(isSet(await set({ issuer: 'https://login.example.com' }))).toBe(false);
    expect(await names()).not.toContain(name);
    await set({ client_secret: 'hushhush' });
    expect(isSet(await set({ kind: 'github' }))).toBe(false);
    expect(await names()).not.toContain(name);
    await set({ client_secret: 'hushhush' });
    expect(isSet(await set({ client_secret: null }))).toBe(false);
    expect(await names()).not.toContain(name);
    await set({ client_secret: 'hushhush' });
    await scenario.set({ providers: { [contoso]: null } });
    expect(await names()).not.toContain(name);
    expect(isSet(await set({}))).toBe(false);
  });

  test.each(['', ' ', 'two words', 'ü', 'a'.repeat(513)])('%j is refused', async (client_secret) => {
    expectRefusal(await set({ client_secret }), 'request/validation-failed', null);
  });
});
