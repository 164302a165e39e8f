// Sign-in with GitHub by redirect, against an imitation of its endpoints and API: whose account it is, what GitHub may answer, and
// what a hostile server in its place may not do.
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SsrfSafeFetch } from '../../engines/safe-fetch/index.js';
import { type GitHubUser, gitHub, gitHubClient, gitHubUser } from '../../test/github.js';
import { down, type Route } from '../../test/identity-provider.js';
import { contoso, providerScenario } from '../../test/provider-scenario.js';
import { reasonIn, redirectScenario, redirectUri } from '../../test/redirect-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { accountAtGitHub } from './github.js';
import type { RedirectState } from './redirect-state.js';

const logged: string[] = [];
const scenario = shared(() => providerScenario({ onLogLine: (line) => logged.push(line) }));
const service = () => scenario.service;
const redirect = redirectScenario(() => scenario);
const provider = 'github';
const hub = await gitHub();
afterAll(() => hub.stop());

const settings = {
  ...{ kind: 'github' as const, name: 'GitHub', issuer: hub.origin, client_ids: [gitHubClient.id] },
  trusts_email: false,
};
const configure = (change: object = {}) =>
  scenario.set({
    redirect_uris: [redirectUri],
    providers: { [provider]: { ...settings, client_secret: gitHubClient.secret, ...change } },
  });
beforeAll(() => configure());
afterEach(async () => {
  // Refusals of one minute share entries of the audit log.
  service().clock.advance(60_000);
  for (const name of ['token', 'user', 'emails'] as const) hub.answer(name, null);
  await configure();
});

let people = 583_231;
const newUser = (change: Partial<GitHubUser> = {}) => {
  people += 1;
  return gitHubUser(people, change);
};

/** Where the user is sent after signing in at GitHub. */
async function goBack(user: GitHubUser) {
  const begun = await redirect.begin({ provider });
  return { ...begun, ...(await redirect.goTo(hub.returned(begun.url, user), provider)) };
}

async function signIn(user: GitHubUser) {
  const { parameters, verifier } = await goBack(user);
  expect(parameters.get('error')).toBeNull();
  return redirect.finish(parameters.get('code') ?? '', verifier);
}

/** The error with which a user returns to the app, and the reason in the audit log. */
async function failureOf(user: GitHubUser) {
  const { status, parameters } = await goBack(user);
  expect([status, parameters.get('code')]).toEqual([303, null]);
  const entry = (await service().auditEntries({ action: 'provider.exchange_failed' })).at(-1);
  expect(entry?.target).toBe(`provider:${provider}`);
  return [parameters.get('error'), reasonIn(entry)];
}
const rejected = ['auth/invalid-credential', 'code-rejected'];
const unavailable = ['request/unavailable', 'unavailable'];
const misconfigured = ['auth/operation-not-allowed', 'client-rejected'];

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Route =>
  (_call, res) =>
    void res.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

describe('a user', () => {
  test('signs in, with PKCE and without a nonce, and is known by the number whatever changes', async () => {
    const { url } = await redirect.begin({ provider });
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe(`${hub.origin}/login/oauth/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: gitHubClient.id,
      redirect_uri: `https://accounts.test/api/v2/auth/providers/${provider}/callback`,
      scope: 'read:user user:email',
      state: expect.stringMatching(/^[\w-]{200,1000}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const user = newUser();
    const first = await signIn(user);
    expect(first.data).toMatchObject({
      is_new_user: true,
      user: {
        ...{ email: `user-${user.id}@example.com`, email_verified: false, photo_url: user.avatar_url },
        ...{ first_name: 'Ada', last_name: 'Lovelace' },
      },
    });
    const changed = gitHubUser(user.id, { login: 'another-login', emails: newUser().emails });
    const again = await signIn(changed);
    expect(again.data).toMatchObject({ is_new_user: false, user: { uid: first.data.user.uid } });
    const identity = await service().database.prisma.identity.findFirst({
      where: { uid: first.data.user.uid },
    });
    expect([identity?.provider, identity?.subject]).toEqual([provider, `${hub.origin} ${user.id}`]);
  });

  test('with the login of another who has given it up is another user', async () => {
    const former = newUser({ login: 'ada' });
    const { uid } = (await signIn(former)).data.user;
    const answer = await signIn(newUser({ login: 'ada' }));
    expect(answer.data.is_new_user).toBe(true);
    expect(answer.data.user.uid).not.toBe(uid);
  });

  test.each([
    [true, 'signed in'],
    [false, 'auth/account-exists-with-different-credential'],
  ])('trusted: %s: with the verified email of an account gets %s', async (trusts_email, result) => {
    await configure({ trusts_email });
    const user = newUser();
    const { uid } = (await scenario.verifiedUser(`user-${user.id}@example.com`)).user;
    const answer = await signIn(user);
    expect(answer.code ?? 'signed in').toBe(result);
    if (trusts_email) expect(answer.data.user.uid).toBe(uid);
  });

  test.each<[string, Route]>([
    ['no email', answering(200, [])],
    [
      'an unverified primary email',
      answering(200, [{ email: 'a@example.com', primary: true, verified: false }]),
    ],
    [
      'a verified email that is not primary',
      answering(200, [{ email: 'a@example.com', primary: false, verified: true }]),
    ],
    [
      'an email that says it is verified in text',
      answering(200, [{ email: 'a@example.com', primary: 'true', verified: 'true' }]),
    ],
    [
      'an email of another script',
      answering(200, [{ email: '\u212A@example.com', primary: true, verified: true }]),
    ],
    [
      'entries that are no emails',
      answering(200, [null, 'a@example.com', { primary: true, verified: true }]),
    ],
    ['no permission to read emails', answering(403, { message: 'Resource not accessible by integration' })],
    ['no scope to read emails', answering(404, { message: 'Not Found' })],
  ])('with %s creates no account, and signs in to one that is linked', async (_what, emails) => {
    hub.answer('emails', emails);
    expectRefusal(await signIn(newUser()), 'auth/email-required');
    const refused = (await service().auditEntries({ action: 'provider.token_refused' })).at(-1);
    expect([refused?.target, reasonIn(refused)]).toEqual([`provider:${provider}`, 'no-email']);
    hub.answer('emails', null);
    const user = newUser();
    const { uid } = (await signIn(user)).data.user;
    hub.answer('emails', emails);
    expect((await signIn(user)).data).toMatchObject({ is_new_user: false, user: { uid } });
  });

  test('who declines returns with that', async () => {
    const { url } = await redirect.begin({ provider });
    const { state = '' } = hub.returned(url, newUser());
    const { parameters } = await redirect.goTo({ state, error: 'access_denied' }, provider);
    expect(parameters.get('error')).toBe('auth/user-cancelled');
  });

  test('links GitHub and reauthenticates with it by redirect, and never with an ID token', async () => {
    const { tokens } = await service().signUp();
    const user = newUser();
    const proof = async () => {
      const { parameters, verifier } = await goBack(user);
      return { code: parameters.get('code'), code_verifier: verifier };
    };
    const token = tokens.access_token;
    const path = `/me/identities/${provider}`;
    const linked = await service().call('POST', path, { token, body: await proof() });
    expect([linked.status, linked.data]).toEqual([201, expect.objectContaining({ provider })]);
    const body = await scenario.bodyOfC();
    const refused = 'auth/operation-not-allowed';
    expectRefusal(await service().call('POST', path, { token, body }), refused);
    expectRefusal(await scenario.signInWith(provider, body), refused);
    const again = (given: object) =>
      service().call('POST', '/auth/reauthenticate', {
        token,
        body: { provider: { id: provider, ...given } },
      });
    expectRefusal(await again(body), refused);
    expect((await again(await proof())).status).toBe(200);
  });
});

describe('a client without a secret', () => {
  test('cannot begin, and the sign-in screen is told so', async () => {
    const isOffered = async () => {
      const { json: answer } = await service().call('GET', '/auth/methods');
      return answer.data.providers.find(({ id }: { id: string }) => id === provider);
    };
    expect(await isOffered()).toMatchObject({ kind: 'github', redirect: true });
    await configure({ client_secret: null });
    expect(await isOffered()).toMatchObject({ kind: 'github', redirect: false });
    expectRefusal(await redirect.authorize({}, { provider }), 'auth/operation-not-allowed');
  });
});

/** As an earlier release stored it. */
async function storeIssuer(issuer: string): Promise<void> {
  const { database, app } = service();
  await database.prisma.$executeRaw`UPDATE apps
    SET settings = jsonb_set(settings, '{providers,github,issuer}', to_jsonb(${issuer}::text)) WHERE id = ${app.app.id}`;
  // Instances read the settings again.
  await scenario.set({ redirect_uris: [redirectUri] });
}

test.each([
  ['without a slash, sign in after it is set with one', '/'],
  ['with a slash, of an earlier release, sign in after it is set without one', ''],
])('users of an issuer %s', async (_what, slash) => {
  const user = newUser();
  if (slash === '') await storeIssuer(`${hub.origin}/`);
  const { uid } = (await signIn(user)).data.user;
  await configure({ client_secret: undefined, issuer: `${hub.origin}${slash}` });
  expect((await signIn(user)).data).toMatchObject({ is_new_user: false, user: { uid } });
});

test('the scopes are those of the setting', async () => {
  await configure({ scopes: ['user:email', 'read:org'] });
  const { url } = await redirect.begin({ provider });
  expect(new URL(url).searchParams.get('scope')).toBe('user:email read:org');
});

describe('a return', () => {
  test.each([
    ['the issuer of another server', 'https://github.com/login/oauth'],
    ['the server as the issuer', hub.origin],
  ])('with %s is refused (RFC 9207)', async (_what, iss) => {
    const { url } = await redirect.begin({ provider });
    const { parameters } = await redirect.goTo({ ...hub.returned(url, newUser()), iss }, provider);
    expect(parameters.get('error')).toBe('auth/invalid-credential');
  });

  test('without an issuer is accepted, since older servers send none', async () => {
    const { url } = await redirect.begin({ provider });
    const { iss: _, ...others } = hub.returned(url, newUser());
    expect((await redirect.goTo(others, provider)).parameters.get('code')).toMatch(/^pc_/);
  });

  test('with the code of another sign-in is refused, by PKCE alone (code injection)', async () => {
    const victim = await redirect.begin({ provider });
    const attacker = await redirect.begin({ provider });
    const { code = '' } = hub.returned(victim.url, newUser());
    const injected = { ...hub.returned(attacker.url, newUser()), code };
    const { parameters } = await redirect.goTo(injected, provider);
    expect(parameters.get('error')).toBe('auth/invalid-credential');
  });

  test('with the state of an OpenID provider is refused, and the reverse (mix-up)', async () => {
    const others = await redirect.begin();
    const own = await redirect.begin({ provider });
    expect((await redirect.goTo(redirect.returned(others), provider)).error).toBe('auth/invalid-credential');
    expect((await redirect.goTo(hub.returned(own.url, newUser()), contoso)).error).toBe(
      'auth/invalid-credential',
    );
  });
});

const slow: Route = () => undefined;

/** Shortens the time that the service waits for an answer. */
function hurry(): void {
  const timeout = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation(() => AbortSignal.abort(new DOMException('too slow', 'TimeoutError')));
  onTestFinished(() => timeout.mockRestore());
}
const html = answering(200, '<html>a page</html>', { 'Content-Type': 'text/html' });
const huge = answering(200, { id: 1, access_token: 'a', more: 'x'.repeat(100_000) });
const redirecting = answering(302, '', { Location: 'http://169.254.169.254/' });

describe('the token endpoint', () => {
  test.each<[string, Route, (string | null)[]]>([
    ['refuses the code with status 200', answering(200, { error: 'bad_verification_code' }), rejected],
    [
      'refuses the secret with status 200',
      answering(200, { error: 'incorrect_client_credentials' }),
      misconfigured,
    ],
    [
      'refuses the callback URL with status 200',
      answering(200, { error: 'redirect_uri_mismatch' }),
      misconfigured,
    ],
    ['says that the client is suspended', answering(200, { error: 'application_suspended' }), misconfigured],
    ['sends an unknown error', answering(200, { error: 'unverified_user_email' }), rejected],
    ['sends an error that is no text', answering(200, { error: { a: 1 }, access_token: 'gho_a' }), rejected],
    ['sends no token', answering(200, {}), rejected],
    ['sends a token that is no text', answering(200, { access_token: 1 }), rejected],
    ['sends a token with a line end', answering(200, { access_token: 'gho_a\r\nX-Admin: 1' }), rejected],
    ['sends a page', html, rejected],
    ['sends a form', answering(200, 'access_token=gho_a&token_type=bearer'), rejected],
    ['sends too much', huge, rejected],
    ['redirects', redirecting, rejected],
    ['limits the service', answering(429, {}), unavailable],
    ['fails', answering(503, 'no server is available'), unavailable],
    ['is down', down, unavailable],
  ])('that %s', async (_what, route, failure) => {
    hub.answer('token', route);
    const before = hub.callsTo('user').length;
    expect(await failureOf(newUser())).toEqual(failure);
    expect(hub.callsTo('user')).toHaveLength(before);
  });

  test('that is slow is given up', async () => {
    hub.answer('token', slow);
    const begun = await redirect.begin({ provider });
    const parameters = hub.returned(begun.url, newUser());
    hurry();
    expect((await redirect.goTo(parameters, provider)).parameters.get('error')).toBe('request/unavailable');
  });
});

describe('the API', () => {
  test.each([
    ['https://github.com', 'https://api.github.com'],
    ['https://contoso.ghe.com', 'https://api.contoso.ghe.com'],
    ['https://github.contoso.com/', 'https://github.contoso.com/api/v3'],
  ])('of %s is at %s', async (issuer, api) => {
    const send = vi.fn(async () => ({ status: 500, headers: {}, body: Buffer.from('') }));
    const ssrfSafeFetch = { send } as unknown as SsrfSafeFetch;
    await expect(
      accountAtGitHub({ ssrfSafeFetch }, { provider, issuer } as RedirectState, 'a'),
    ).rejects.toThrow('answered 500');
    const bounds = { timeoutMilliseconds: 5_000, maxAnswerBytes: 65_536 };
    const asked = [`${api}/user`, `${api}/user/emails?per_page=100`].map((url) => [
      url,
      { method: 'GET', headers: expect.anything(), ...bounds },
    ]);
    expect(send.mock.calls).toEqual(asked);
  });

  const limited = { 'X-RateLimit-Remaining': '0' };
  test.each<[string, Route, (string | null)[]]>([
    ['refuses the token', answering(401, { message: 'Bad credentials' }), rejected],
    ['refuses the request', answering(403, { message: 'Forbidden' }), rejected],
    ['limits the service', answering(403, { message: 'API rate limit exceeded' }, limited), unavailable],
    [
      'limits it for a while',
      answering(403, { message: 'secondary rate limit' }, { 'Retry-After': '60' }),
      unavailable,
    ],
    ['limits it with 429', answering(429, {}), unavailable],
    ['fails', answering(502, '<html>'), unavailable],
    ['is down', down, unavailable],
    ['redirects', redirecting, rejected],
    ['sends a page', html, rejected],
    ['sends too much', huge, rejected],
    ['sends a list', answering(200, [{ id: 1 }]), rejected],
    ['sends null', answering(200, null), rejected],
    ['sends no number', answering(200, { login: 'ada' }), rejected],
    ['sends the number as text', answering(200, { id: '583231' }), rejected],
    ['sends a fraction', answering(200, { id: 1.5 }), rejected],
    ['sends a number that is not exact', answering(200, '{"id": 9007199254740993}'), rejected],
    ['sends zero', answering(200, { id: 0 }), rejected],
  ])('that %s', async (_what, route, failure) => {
    hub.answer('user', route);
    expect(await failureOf(newUser())).toEqual(failure);
  });

  test.each<[string, Route, (string | null)[]]>([
    ['limits the service', answering(403, {}, limited), unavailable],
    ['limits it with 429', answering(429, {}), unavailable],
    ['fails', answering(500, {}), unavailable],
    ['is down', down, unavailable],
    ['sends a page', html, rejected],
    ['sends no list', answering(200, { email: 'a@example.com' }), rejected],
    ['sends too much', answering(200, [{ more: 'x'.repeat(100_000) }]), rejected],
    ['refuses the token', answering(401, {}), rejected],
  ])('whose emails: it %s', async (_what, route, failure) => {
    hub.answer('emails', route);
    expect(await failureOf(newUser())).toEqual(failure);
  });
});

test('neither the secret nor an access token is logged or audited', async () => {
  await signIn(newUser());
  hub.answer('user', answering(500, {}));
  await failureOf(newUser());
  const entries = JSON.stringify(await service().auditEntries({}));
  const texts = [logged.join('\n'), entries];
  expect(hub.tokens.size).toBeGreaterThan(0);
  for (const secret of [gitHubClient.secret, ...hub.tokens.keys()])
    for (const each of texts) expect(each).not.toContain(secret);
});

describe('the check of the settings', () => {
  const check = async () => {
    const answer = await service().call<{ ok: boolean; steps: { status: string; message: string }[] }>(
      'POST',
      '/admin/settings/check-provider',
      { token: service().app.secretKey, body: { provider } },
    );
    expect(answer.status).toBe(200);
    const [step] = answer.data.steps;
    return [step?.status, step?.message];
  };

  test.each<[string, object, [string, RegExp]]>([
    ['right', {}, ['passed', /^The provider accepts Iv1\./]],
    [
      'a wrong secret',
      { client_secret: 'wrong' },
      ['failed', /^The provider rejects Iv1\..* or its secret\./],
    ],
    ['no secret', { client_secret: null }, ['failed', /^Set the client secret/]],
    ['an unknown client', { client_ids: ['unknown'] }, ['failed', /^The provider answered with status 404/]],
  ])('says of %s what is wrong', async (_what, change, [status, message]) => {
    await configure(change);
    expect(await check()).toEqual([status, expect.stringMatching(message)]);
  });

  test('says that GitHub cannot be reached', async () => {
    hub.answer('token', down);
    expect(await check()).toEqual(['failed', expect.stringMatching(/No code can be exchanged/)]);
  });
});
