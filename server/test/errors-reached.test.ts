// Every code of the catalogue is produced by a real request, and by none that does not declare it.
import { type ErrorCode, errorCodes } from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeStory, wrongCode } from './code-story.js';
import { expectDeclared, routeOf } from './contract-routes.js';
import { type Answer, cheapPasswordHasher, type TestService, type TestUser, testService } from './harness.js';
import { type ProviderStory, providerStory } from './provider-story.js';
import { type RawAnswer, rawAnswer, rawConnection } from './raw-http.js';
import { expectRefusal } from './refusal.js';

let providers: ProviderStory;
let service: TestService;
let user: TestUser;
beforeAll(async () => {
  providers = await providerStory({ given: { passwordHasher: await cheapPasswordHasher() } });
  service = providers.service;
  user = await service.signUp();
});
afterAll(() => providers.stop());

const story = codeStory(() => service);

const hour = 3_600_000;
const token = () => user.tokens.access_token;
const signIn = (body: unknown) => service.call('POST', '/auth/sign-in', { body });
const signUp = (email: string, password: string) =>
  service.call('POST', '/auth/sign-up', { body: { email, password } });

const link = (body: object) => service.call('POST', '/me/identities/provider-a', { token: token(), body });

type Reached = {
  /** The route that answers, where one does. */
  route?: string;
  ask(): Promise<Answer | RawAnswer>;
};

const reached: Record<ErrorCode, Reached> = {
  'request/invalid-app-key': {
    route: 'profile.get',
    ask: () => service.call('GET', '/me', { appKey: 'pk_unknown', token: token() }),
  },
  'request/origin-not-allowed': {
    route: 'profile.get',
    async ask() {
      const { app } = await service.newApp();
      const data = { allowedOrigins: ['https://app.example'] };
      await service.database.prisma.app.update({ where: { id: app.id }, data });
      return service.call('GET', '/me', { appKey: app.appKey, headers: { origin: 'https://evil.example' } });
    },
  },
  'request/malformed-json': { route: 'signIn.withPassword', ask: () => signIn('{"email":') },
  'request/malformed-http': { ask: () => rawAnswer(service.listening.port, 'nonsense\r\n\r\n') },
  'request/timeout': {
    async ask() {
      const { server, port } = service.listening;
      const { headersTimeout } = server;
      server.headersTimeout = 100;
      const connection = await rawConnection(port);
      connection.send('GET /api/v2/me HTTP/1.1\r\n');
      const answer = await connection.answer();
      server.headersTimeout = headersTimeout;
      return answer;
    },
  },
  'request/validation-failed': { route: 'signIn.withPassword', ask: () => signIn({}) },
  'request/unsupported-media-type': {
    route: 'signIn.withPassword',
    ask: () =>
      service.call('POST', '/auth/sign-in', { body: '{}', headers: { 'content-type': 'text/plain' } }),
  },
  'request/too-large': {
    route: 'signIn.withPassword',
    ask: () => signIn({ filling: 'x'.repeat(110_000) }),
  },
  'request/not-found': { ask: () => service.call('GET', '/nothing') },
  'request/method-not-allowed': { ask: () => service.call('PUT', '/me') },
  'request/rate-limited': {
    route: 'profile.get',
    async ask() {
      const limited = await service.beside({ rateLimits: true });
      const calls = Array.from({ length: 301 }, () => limited.call('GET', '/me', { token: token() }));
      const answers = await Promise.all(calls);
      await limited.stop();
      return answers.find(({ status }) => status !== 200) as Answer;
    },
  },
  'request/internal-error': {
    route: 'profile.get',
    async ask() {
      const broken = await testService({ given: { passwordHasher: service.deps.passwordHasher } });
      const { tokens } = await broken.signUp();
      await broken.database.prisma.$executeRaw`ALTER TABLE sessions RENAME COLUMN amr TO other`;
      const answer = await broken.call('GET', '/me', { token: tokens.access_token });
      await broken.stop();
      return answer;
    },
  },
  'request/unavailable': {
    route: 'signIn.withPassword',
    async ask() {
      const passwordHasher = await cheapPasswordHasher();
      await passwordHasher.close();
      const busy = await service.beside({ given: { passwordHasher } });
      const answer = await busy.signIn(user);
      await busy.stop();
      return answer;
    },
  },
  'auth/email-already-in-use': { route: 'signIn.signUp', ask: () => signUp(user.email, 'long enough') },
  'auth/weak-password': { route: 'signIn.signUp', ask: () => signUp('new@example.com', '7 chars') },
  'auth/invalid-credential': {
    route: 'signIn.withPassword',
    ask: () => signIn({ email: user.email, password: 'wrong' }),
  },
  'auth/user-disabled': {
    route: 'signIn.withPassword',
    async ask() {
      const disabled = await service.signUp();
      const where = { appId_id: { appId: service.app.app.id, id: disabled.uid } };
      await service.database.prisma.user.update({ where, data: { disabled: true } });
      return service.signIn(disabled);
    },
  },
  'auth/invalid-token': {
    route: 'profile.update',
    ask: () => service.call('PATCH', '/me', { token: 'x', body: {} }),
  },
  'auth/token-expired': {
    route: 'sessions.list',
    async ask() {
      const { tokens } = await service.signUp();
      service.clock.advance(hour);
      const answer = await service.call('GET', '/me/sessions', { token: tokens.access_token });
      service.clock.advance(-hour);
      return answer;
    },
  },
  'auth/refresh-token-revoked': {
    route: 'sessions.refresh',
    async ask() {
      const { tokens } = await service.signUp();
      await service.call('POST', '/auth/sign-out', { token: tokens.access_token });
      return service.refresh(tokens.refresh_token);
    },
  },
  'auth/invalid-code': {
    route: 'signIn.withEmailCode',
    ask: async () => story.verify(user.email, wrongCode(await story.signInCode(user.email))),
  },
  'auth/code-expired': {
    route: 'passwords.reset',
    async ask() {
      const code = await story.resetCode(user.email);
      service.clock.advance(600_001);
      const answer = await story.reset(user.email, code);
      service.clock.advance(-600_001);
      return answer;
    },
  },
  'auth/requires-recent-login': {
    route: 'profile.delete',
    async ask() {
      service.clock.advance(300_001);
      const answer = await story.deleteAccount(token());
      service.clock.advance(-300_001);
      return answer;
    },
  },
  'auth/operation-not-allowed': {
    route: 'signIn.withProviderA',
    async ask() {
      const { app } = await service.newApp();
      return providers.signInA(await providers.bodyOfA(), { appKey: app.appKey });
    },
  },
  'auth/account-exists-with-different-credential': {
    route: 'signIn.withProviderB',
    async ask() {
      const claims = { sub: 'of-an-unverified-email', email: user.email };
      return providers.signInB(await providers.bodyOfB({ claims }));
    },
  },
  'auth/credential-already-in-use': {
    route: 'identities.link',
    async ask() {
      const claims = { sub: 'of-another-user', email: 'other@example.com' };
      await providers.signInA(await providers.bodyOfA({ claims }));
      return link(await providers.bodyOfA({ claims: { ...claims, jti: 'another token' } }));
    },
  },
  'auth/provider-already-linked': {
    route: 'identities.link',
    async ask() {
      const person = (sub: string) => providers.bodyOfA({ claims: { sub } });
      expect((await link(await person('first'))).status).toBe(201);
      return link(await person('second'));
    },
  },
  'auth/no-such-provider': {
    route: 'identities.unlink',
    ask: () => service.call('DELETE', '/me/identities/provider-b', { token: token() }),
  },
  'admin/invalid-secret-key': {
    route: 'apps.getSettings',
    ask: () => service.call('GET', '/admin/settings', { token: 'sk_unknown' }),
  },
  'admin/insufficient-scope': {
    route: 'apps.updateSettings',
    async ask() {
      const { app, secretKey } = await service.newApp();
      const data = { scopes: ['users:read'] };
      await service.database.prisma.secretKey.updateMany({ where: { appId: app.id }, data });
      return service.call('PATCH', '/admin/settings', { appKey: app.appKey, token: secretKey, body: {} });
    },
  },
  'auth/session-not-found': {
    route: 'sessions.end',
    ask: () => service.call('DELETE', '/me/sessions/01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { token: token() }),
  },
};

test('every code of the catalogue has its request here, and no other', () => {
  expect(Object.keys(reached).sort()).toEqual([...errorCodes].sort());
});

describe('a real request is answered', () => {
  test.each(errorCodes)('%s', async (code) => {
    const { route, ask } = reached[code];
    expectRefusal(await ask(), code, null);
    if (route !== undefined) expectDeclared({ id: route, route: routeOf(route) }, code);
  });
});
