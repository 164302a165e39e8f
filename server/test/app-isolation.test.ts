// An app's key never opens another app's user, session or token, on any route of the contract.
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import type { CodePurpose } from '../src/codes/store.js';
import { codeStory } from './code-story.js';
import { contractRoutes, expectDeclared, pathOf } from './contract-routes.js';
import {
  type Answer,
  type CallOptions,
  cheapPasswordHasher,
  type TestService,
  type TestUser,
} from './harness.js';
import { type ProviderStory, providerStory, settings } from './provider-story.js';
import { expectRefusal } from './refusal.js';

let service: TestService;
/** The app that is attacked, and its user. */
let ours: { app: NewApp; user: TestUser; sessionId: string; codes: Record<CodePurpose, string> };
/** The app whose key the attacker holds, and a user there, signed in. */
let theirs: { app: NewApp; user: TestUser };

let providers: ProviderStory;
/** Provider A's person who is our user, and provider B's who is nobody yet. */
const person = { sub: 'our-person', email: 'our-person@example.com' };

beforeAll(async () => {
  providers = await providerStory({ given: { passwordHasher: await cheapPasswordHasher() } });
  service = providers.service;
  const other = await service.newApp('Theirs');
  await providers.set(settings, other);
  const user = await service.signUp();
  const token = user.tokens.access_token;
  const linked = { token, body: await providers.bodyOfA({ claims: person }) };
  expect((await service.call('POST', '/me/identities/provider-a', linked)).status).toBe(201);
  const story = codeStory(() => service);
  const codes = {
    sign_in: await story.signInCode(user.email),
    reset: await story.resetCode(user.email),
    verification: await story.verificationCode({ email: user.email, token }),
    email_change: await story.changeCode(token, 'next@example.com'),
  };
  ours = { app: service.app, user, sessionId: decodeJwt(token).sid as string, codes };
  theirs = { app: other, user: await service.signUp({ appKey: other.app.appKey }) };
});
afterAll(() => providers.stop());

type Sent = CallOptions & { params?: Record<string, string> };

type Attempt = {
  /** What the attacker sends beside the app key, which is always theirs. */
  send(): Sent | Promise<Sent>;
  /** What is answered: a refusal, or what the call comes to within their own app. */
  answered:
    | 'auth/invalid-token'
    | 'auth/invalid-credential'
    | 'auth/session-not-found'
    | 'auth/invalid-code'
    | 'auth/no-such-provider'
    | 'admin/invalid-secret-key'
    | ((answer: Answer) => void);
};

const ourToken: Attempt = {
  send: () => ({ token: ours.user.tokens.access_token }),
  answered: 'auth/invalid-token',
};

/** With our token, and with their own. */
const both = (options: Sent, answered: Attempt['answered']): Attempt[] => [
  { ...ourToken, send: () => ({ ...ourToken.send(), ...options }) },
  { send: () => ({ token: theirs.user.tokens.access_token, ...options }), answered },
];

const expectTheirs = (answer: Answer) => expect(answer.json.data.user.uid).toBe(theirs.user.uid);
const expectNothingFor = (status: number) => (answer: Answer) => expect(answer.status).toBe(status);
const wrongSecretKeys = (body?: object): Attempt[] =>
  [() => ours.app.secretKey, () => ours.user.tokens.access_token].map((token) => ({
    send: () => ({ token: token(), ...(body && { body }) }),
    answered: 'admin/invalid-secret-key',
  }));

/** A new route fails the test until a line here says how another app's key is tried on it. */
const attempts: Record<string, Attempt[]> = {
  'signIn.signUp': [
    {
      send: () => ({ body: { email: ours.user.email, password: ours.user.password } }),
      answered: (answer) => {
        expect(answer.status).toBe(201);
        expect(answer.json.data.user.uid).not.toBe(ours.user.uid);
      },
    },
  ],
  'signIn.withPassword': [
    {
      send: () => ({ body: { email: theirs.user.email, password: ours.user.password } }),
      answered: (answer) => expect(answer.json.data.user.uid).toBe(theirs.user.uid),
    },
    {
      send: () => ({ body: { email: ours.user.email, password: 'a password of nobody' } }),
      answered: 'auth/invalid-credential',
    },
  ],
  // Our person is nobody there: an account is made, which is not ours.
  'signIn.withProviderA': [
    {
      send: async () => ({ body: await providers.bodyOfA({ claims: person }) }),
      answered: (answer) => {
        expect(answer.json.data).toMatchObject({ is_new_user: true, user: { email: person.email } });
        expect(answer.json.data.user.uid).not.toBe(ours.user.uid);
      },
    },
  ],
  'signIn.withProviderB': [
    {
      send: async () => ({ body: await providers.bodyOfB({ claims: { sub: 'b', email: ours.user.email } }) }),
      // By the first route of this walk that email has an account there, which nobody has verified.
      answered: (answer) => expect(answer.code).toBe('auth/account-exists-with-different-credential'),
    },
  ],
  'signIn.sendEmailCode': [
    { send: () => ({ body: { email: ours.user.email } }), answered: expectNothingFor(200) },
  ],
  'signIn.withEmailCode': [
    {
      send: () => ({ body: { email: theirs.user.email, code: ours.codes.sign_in } }),
      answered: 'auth/invalid-code',
    },
    {
      send: () => ({ ...ourToken.send(), body: { email: ours.user.email, code: ours.codes.sign_in } }),
      answered: 'auth/invalid-token',
    },
  ],
  'signIn.reauthenticate': [
    ...both({ body: { password: 'a password of nobody' } }, 'auth/invalid-credential'),
    {
      send: () => ({ token: theirs.user.tokens.access_token, body: { code: ours.codes.sign_in } }),
      answered: 'auth/invalid-code',
    },
    {
      send: async () => ({
        token: theirs.user.tokens.access_token,
        body: { provider_a: await providers.bodyOfA({ claims: { ...person, jti: 'another' } }) },
      }),
      answered: 'auth/invalid-credential',
    },
    {
      send: () => ({ token: theirs.user.tokens.access_token, body: { password: theirs.user.password } }),
      answered: expectTheirs,
    },
  ],
  'passwords.forgot': [
    { send: () => ({ body: { email: ours.user.email } }), answered: expectNothingFor(200) },
  ],
  'passwords.reset': [
    {
      send: () => ({
        body: { email: theirs.user.email, code: ours.codes.reset, password: 'a new password' },
      }),
      answered: 'auth/invalid-code',
    },
  ],
  'passwords.change': [
    ...both(
      { body: { password: 'a new password', current_password: 'a password of nobody' } },
      'auth/invalid-credential',
    ),
  ],
  'identities.list': both({}, (answer) => expect(answer.json.data.items).toEqual([])),
  'identities.link': [
    {
      ...ourToken,
      send: async () => ({
        ...ourToken.send(),
        params: { provider: 'provider-a' },
        body: await providers.bodyOfA(),
      }),
    },
  ],
  'identities.unlink': both({ params: { provider: 'provider-a' } }, 'auth/no-such-provider'),
  'apps.getSettings': wrongSecretKeys(),
  'apps.updateSettings': wrongSecretKeys({ sign_up: 'closed' }),
  'sessions.refresh': [
    {
      send: () => ({ body: { refresh_token: ours.user.tokens.refresh_token } }),
      answered: 'auth/invalid-token',
    },
  ],
  'sessions.signOut': [{ ...ourToken }],
  'sessions.signOutAll': [{ ...ourToken }],
  'sessions.list': [
    { ...ourToken },
    {
      send: () => ({ token: theirs.user.tokens.access_token }),
      answered: (answer) => expect(answer.text).not.toContain(ours.sessionId),
    },
  ],
  'sessions.end': [
    { ...ourToken, send: () => ({ ...ourToken.send(), params: { id: ours.sessionId } }) },
    {
      send: () => ({ token: theirs.user.tokens.access_token, params: { id: ours.sessionId } }),
      answered: 'auth/session-not-found',
    },
  ],
  'profile.get': [
    { ...ourToken },
    {
      send: () => ({ token: theirs.user.tokens.access_token }),
      answered: (answer) => expect(answer.json.data.uid).toBe(theirs.user.uid),
    },
  ],
  'profile.update': [{ ...ourToken, send: () => ({ ...ourToken.send(), body: { first_name: 'Mallory' } }) }],
  'profile.changeEmail': both({ body: { email: 'next@example.com' } }, expectNothingFor(200)),
  'profile.sendVerification': both({}, expectNothingFor(200)),
  'profile.confirmVerification': [
    { ...ourToken, send: () => ({ ...ourToken.send(), body: { code: ours.codes.email_change } }) },
    ...(['email_change', 'verification'] as const).map(
      (purpose): Attempt => ({
        send: () => ({ token: theirs.user.tokens.access_token, body: { code: ours.codes[purpose] } }),
        answered: 'auth/invalid-code',
      }),
    ),
  ],
  'profile.delete': [{ ...ourToken }],
  // Public documents of every app, the same for everybody, with nothing in them but public keys and addresses.
  'tokens.keySet': [{ send: () => ({}), answered: expectNoSecret }],
  'tokens.discovery': [{ send: () => ({ params: { app_id: ours.app.app.id } }), answered: expectNoSecret }],
};

function expectNoSecret(answer: Answer): void {
  expect(answer.status).toBe(200);
  expect(answer.text).not.toMatch(/"(d|p|q|dp|dq|qi|k|app_key|secret_key)":/);
  expect(answer.text).not.toContain(ours.app.app.appKey);
}

/** All that the database holds of the attacked app. */
async function ourRows(): Promise<unknown> {
  const { prisma } = service.database;
  const where = { appId: ours.app.app.id };
  return {
    users: await prisma.user.findMany({ where, orderBy: { id: 'asc' } }),
    sessions: await prisma.session.findMany({ where, orderBy: { id: 'asc' } }),
    events: await prisma.event.findMany({ where, orderBy: { id: 'asc' } }),
    audit: await prisma.auditLog.findMany({ where, orderBy: { id: 'asc' } }),
    keys: await prisma.secretKey.findMany({ where, orderBy: { id: 'asc' } }),
    codes: await prisma.code.findMany({ where, orderBy: [{ purpose: 'asc' }, { subject: 'asc' }] }),
    identities: await prisma.identity.findMany({ where }),
    settings: await prisma.app.findMany({ where: { id: ours.app.app.id } }),
  };
}

test('every route of the contract is tried, and no other', () => {
  expect(Object.keys(attempts).sort()).toEqual(contractRoutes.map(({ id }) => id).sort());
});

describe("with another app's key nothing of an app is read or changed by", () => {
  test.each(contractRoutes.map((each) => [each.id, each] as const))('%s', async (id, each) => {
    const before = await ourRows();
    for (const { send, answered } of attempts[id] ?? []) {
      const { params, ...options } = await send();
      const path = pathOf(each.route, params);
      const answer = await service.call(each.route.method, path, {
        appKey: theirs.app.app.appKey,
        ...options,
      });
      if (typeof answered === 'string') {
        expectRefusal(answer, answered);
        expectDeclared(each, answered);
      } else answered(answer);
      expect(answer.text).not.toContain(ours.user.uid);
    }
    expect(await ourRows()).toEqual(before);
  });
});

test("an app's own key opens nothing with another app's token either", async () => {
  const answer = await service.call('GET', '/me', { token: theirs.user.tokens.access_token });
  expectRefusal(answer, 'auth/invalid-token');
  expectRefusal(await service.refresh(theirs.user.tokens.refresh_token), 'auth/invalid-token');
});

test("a secret key, another app's or one's own, is no user's token", async () => {
  for (const { secretKey } of [ours.app, theirs.app]) {
    expectRefusal(await service.call('GET', '/me', { token: secretKey }), 'auth/invalid-token');
    expectRefusal(await service.call('GET', '/me', { appKey: secretKey }), 'request/invalid-app-key');
  }
});

test('the same email in two apps is two accounts, whose passwords do not meet', async () => {
  const email = 'both@example.com';
  const first = await service.signUp({ email, password: 'the first password' });
  const appKey = theirs.app.app.appKey;
  const second = await service.signUp({ email, password: 'the second password', appKey });
  expect(first.uid).not.toBe(second.uid);
  expect((await service.signIn(first)).status).toBe(200);
  expect((await service.signIn(second, { appKey })).status).toBe(200);
  expectRefusal(await service.signIn(second), 'auth/invalid-credential');
  expectRefusal(await service.signIn(first, { appKey }), 'auth/invalid-credential');
});

test('after all that the attacked user is still signed in', async () => {
  const { tokens } = ours.user;
  expect((await service.call('GET', '/me', { token: tokens.access_token })).status).toBe(200);
  expect((await service.refresh(tokens.refresh_token)).status).toBe(200);
});
