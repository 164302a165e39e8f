// Every code of the catalogue is produced by a real request, and by none that does not declare it.
import { type ErrorCode, errorCodes } from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeStory, wrongCode } from './code-story.js';
import { expectDeclared, routeOf } from './contract-routes.js';
import { asBackend, newCollection } from './data-story.js';
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

const adminCall: typeof service.call = (method, path, options) =>
  service.call(method, path, { token: service.app.secretKey, ...options });
const make = (body: object) =>
  adminCall('POST', '/admin/users', { body: { email: 'made@example.com', ...body } });
const link = (body: object) => service.call('POST', '/me/identities/provider-a', { token: token(), body });

const registerDevice = (more: object) =>
  service.call('POST', '/push/devices', { body: { provider: 'fcm', platform: 'android', ...more } });

const sendPush = (body: object) =>
  service.call('POST', '/admin/push/send', { token: service.app.secretKey, body: { data: {}, ...body } });

type Reached = {
  /** The route that answers, where one does. */
  route?: string;
  ask(): Promise<Answer | RawAnswer>;
};

const addPoints = (uid: string, points: number, reference?: string) =>
  service.call('POST', `/admin/users/${uid}/loyalty/entries`, {
    token: service.app.secretKey,
    body: { points, description: 'Points', reference },
  });
const putConfig = (parameters: object, headers: Record<string, string> = { 'if-match': '*' }) =>
  service.call('PUT', '/admin/config', { token: service.app.secretKey, headers, body: { parameters } });

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
  'request/idempotency-key-reused': {
    route: 'users.create',
    async ask() {
      const headers = { 'idempotency-key': 'reused' };
      await adminCall('POST', '/admin/users', { headers, body: { email: 'reused@example.com' } });
      return adminCall('POST', '/admin/users', { headers, body: { email: 'another@example.com' } });
    },
  },
  'request/idempotency-key-in-progress': {
    route: 'users.create',
    async ask() {
      let letGo = (_hash: string) => {};
      const hash = new Promise<string>((resolve) => {
        letGo = resolve;
      });
      const passwordHasher = { ...service.deps.passwordHasher, hash: () => hash };
      const slow = await service.beside({ given: { passwordHasher } });
      const options = {
        token: service.app.secretKey,
        headers: { 'idempotency-key': 'in progress' },
        body: { email: 'slow@example.com', password: 'long enough' },
      };
      // Either may come first and hold the key until the hash is there.
      const both = [slow.call('POST', '/admin/users', options), slow.call('POST', '/admin/users', options)];
      const refused = await Promise.race(both);
      letGo('a hash');
      await Promise.all(both);
      await slow.stop();
      return refused;
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
  'request/precondition-required': { route: 'configVersions.replace', ask: () => putConfig({}, {}) },
  'loyalty/insufficient-points': {
    route: 'loyaltyEntries.add',
    ask: async () => addPoints((await service.signUp()).uid, -1),
  },
  'loyalty/balance-too-high': {
    route: 'loyaltyEntries.add',
    async ask() {
      const { uid } = await service.signUp();
      await addPoints(uid, 1_000_000_000);
      return addPoints(uid, 1);
    },
  },
  'loyalty/reference-conflict': {
    route: 'loyaltyEntries.add',
    async ask() {
      const { uid } = await service.signUp();
      await addPoints(uid, 1, 'order-1');
      return addPoints(uid, 2, 'order-1');
    },
  },
  'config/invalid-parameter': {
    route: 'configVersions.replace',
    ask: () => putConfig({ banner: { type: 'string', value: 7 } }),
  },
  'config/version-conflict': {
    route: 'configVersions.replace',
    ask: () => putConfig({}, { 'if-match': '"0-0"' }),
  },
  'config/version-not-found': {
    route: 'configVersions.get',
    ask: () => service.call('GET', '/admin/config/versions/2147483647', { token: service.app.secretKey }),
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
  'push/device-not-found': {
    route: 'push.delete',
    ask: () => service.call('DELETE', '/push/devices/01JC4Q7M0RZ9X2V5T8W3Y6K1NB'),
  },
  'push/invalid-token': {
    route: 'push.register',
    ask: () => registerDevice({ provider: 'apns', token: 'not hex' }),
  },
  'push/invalid-topic': {
    route: 'push.subscribe',
    ask: () => service.call('PUT', '/push/devices/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/topics/no%20topic'),
  },
  'push/too-many-topics': {
    route: 'push.subscribe',
    async ask() {
      const { id: deviceId } = (await registerDevice({ token: 'has-many-topics' })).json.data;
      const appId = service.app.app.id;
      const data = Array.from({ length: 2_000 }, (_, place) => ({
        appId,
        deviceId,
        topic: `topic-${place}`,
      }));
      await service.database.prisma.pushTopic.createMany({ data });
      return service.call('PUT', `/push/devices/${deviceId}/topics/one-more`);
    },
  },
  'push/invalid-target': { route: 'pushMessages.send', ask: () => sendPush({ all: true, topic: 'news' }) },
  'push/payload-too-large': {
    route: 'pushMessages.send',
    ask: () => sendPush({ all: true, data: { text: 'x'.repeat(3_500) } }),
  },
  'push/message-not-found': {
    route: 'pushMessages.get',
    ask: () =>
      service.call('GET', '/admin/push/messages/01JC4Q7M0RZ9X2V5T8W3Y6K1NB', {
        token: service.app.secretKey,
      }),
  },
  'push/provider-not-configured': {
    route: 'push.webKey',
    ask: () => service.call('GET', '/push/web-key'),
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
  'files/not-found': {
    route: 'files.get',
    ask: () => service.call('GET', '/files/01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { token: token() }),
  },
  'files/missing-file': { route: 'files.upload', ask: () => upload(service.app.secretKey, null) },
  'files/too-large': { route: 'files.upload', ask: () => uploadUnder({ max_bytes: 10 }) },
  'files/type-not-allowed': { route: 'files.upload', ask: () => uploadUnder({ allowed_types: ['image/*'] }) },
  'files/quota-exceeded': { route: 'files.upload', ask: () => uploadUnder({ user_quota_bytes: 10 }) },
  'files/invalid-signature': {
    route: 'fileBytes.read',
    async ask() {
      const { url } = await fileAddress();
      return service.call('GET', `${url}x`);
    },
  },
  'files/url-expired': {
    route: 'fileBytes.read',
    async ask() {
      const { url } = await fileAddress();
      service.clock.advance(900_000);
      return service.call('GET', url);
    },
  },
  'files/range-not-satisfiable': {
    route: 'fileBytes.read',
    async ask() {
      const { url } = await fileAddress();
      return service.call('GET', url, { headers: { range: 'bytes=99-' } });
    },
  },
  'admin/member-id-already-in-use': {
    route: 'users.create',
    async ask() {
      expect((await make({ member_id: 'one' })).status).toBe(201);
      return make({ email: 'another-made@example.com', member_id: 'one' });
    },
  },
  'admin/claims-too-large': {
    route: 'users.create',
    ask: () => make({ claims: { big: 'x'.repeat(1_000) } }),
  },
  'admin/password-import-not-supported': {
    route: 'users.import',
    ask: () =>
      adminCall('POST', '/admin/users/import', {
        body: { users: [{ email: 'hashed@example.com', password_hash: 'x' }] },
      }),
  },
  'admin/query-timeout': {
    route: 'users.list',
    async ask() {
      // A database that finds nobody in batch after batch, each of which takes it three seconds.
      const { database } = service;
      let passed = 0;
      const query: typeof database.query = async <Row>(statement: { text: string; values: unknown[] }) => {
        if (!statement.text.startsWith('WITH')) return database.query<Row>(statement);
        passed += 3_000;
        const size = statement.text.startsWith('WITH n') ? 2_000_000 : statement.values.at(-1);
        return [{ size, lastKey: '2026-01-01T00:00:00Z', lastId: '', uid: null }] as Row[];
      };
      const slow = await service.beside({
        database: { ...database, query, close: async () => {} },
        given: { elapsed: () => passed, passwordHasher: service.deps.passwordHasher },
      });
      const answer = await slow.call('GET', '/admin/users?q=nobody', { token: service.app.secretKey });
      await slow.stop();
      return answer;
    },
  },
  'admin/reserved-claim': { route: 'users.create', ask: () => make({ claims: { sub: 'x' } }) },
  'webhooks/not-found': {
    route: 'webhooks.get',
    ask: () => adminCall('GET', '/admin/webhooks/01JC4Q7M0RZ9X2V5T8W3Y6K1NB'),
  },
  'webhooks/invalid-url': {
    route: 'webhooks.create',
    ask: () => adminCall('POST', '/admin/webhooks', { body: { url: 'https://10.0.0.1/' } }),
  },
  'webhooks/limit-reached': {
    route: 'webhooks.create',
    async ask() {
      const body = { url: 'https://93.184.215.14/hooks' };
      for (let count = 0; count < 10; count += 1) await adminCall('POST', '/admin/webhooks', { body });
      return adminCall('POST', '/admin/webhooks', { body });
    },
  },
  'webhooks/replay-in-progress': {
    route: 'webhooks.replay',
    async ask() {
      const body = { url: 'https://93.184.215.14/hooks' };
      await service.database.prisma.webhookEndpoint.deleteMany();
      const { data } = await adminCall<{ id: string }>('POST', '/admin/webhooks', { body });
      const replay = () =>
        adminCall('POST', `/admin/webhooks/${data.id}/replay`, { body: { since: '2026-01-01T00:00:00Z' } });
      await replay();
      return replay();
    },
  },
  'auth/user-not-found': {
    route: 'users.get',
    ask: () => adminCall('GET', '/admin/users/01JC4Q7M0RZ9X2V5T8W3Y6K1NB'),
  },
  'auth/session-not-found': {
    route: 'sessions.end',
    ask: () => service.call('DELETE', '/me/sessions/01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { token: token() }),
  },
  'data/collection-not-found': {
    route: 'data.list',
    ask: () => service.call('GET', '/data/nothing', { token: token() }),
  },
  'data/collection-exists': {
    route: 'collections.create',
    async ask() {
      const body = { name: await newCollection(service) };
      return service.call('POST', '/admin/collections', { token: service.app.secretKey, body });
    },
  },
  'data/collection-not-empty': {
    route: 'collections.delete',
    async ask() {
      const name = await newCollection(service);
      await asBackend(service).create(name, {});
      return service.call('DELETE', `/admin/collections/${name}`, { token: service.app.secretKey });
    },
  },
  'data/permission-denied': {
    route: 'data.create',
    ask: async () =>
      service.call('POST', `/data/${await newCollection(service)}`, { token: token(), body: { fields: {} } }),
  },
  'data/not-found': {
    route: 'data.get',
    ask: async () => asBackend(service).get(await newCollection(service), 'nothing'),
  },
  'data/invalid-fields': {
    route: 'data.create',
    ask: async () => asBackend(service).create(await newCollection(service), { $set: 1 }),
  },
  'data/invalid-query': {
    route: 'data.query',
    async ask() {
      const body = { where: [{ field: 'a', op: '~', value: 1 }] };
      return asBackend(service).call('POST', `${await newCollection(service)}/query`, { body });
    },
  },
  'data/query-timeout': {
    route: 'data.query',
    async ask() {
      let passed = 0;
      const elapsed = () => {
        passed += 2_000;
        return passed;
      };
      const passwordHasher = service.deps.passwordHasher;
      const slow = await service.beside({ given: { elapsed, passwordHasher } });
      const name = await newCollection(service);
      for (let i = 0; i < 110; i += 1) await asBackend(service).create(name, { i });
      const body = { where: [{ field: 'i', op: '<', value: 0 }], orderBy: [{ field: 'j' }] };
      const answer = await asBackend(slow).call('POST', `${name}/query`, { body });
      await slow.stop();
      return answer;
    },
  },
  'data/record-too-large': {
    route: 'data.replace',
    ask: async () =>
      asBackend(service).put(await newCollection(service), 'large', { a: 'x'.repeat(1_048_576) }),
  },
  'data/precondition-failed': {
    route: 'data.replace',
    ask: async () => asBackend(service).put(await newCollection(service), 'a', {}, { 'if-match': '"1"' }),
  },
};

function upload(as: string, bytes: string | null, appKey = service.app.app.appKey) {
  const form = new FormData();
  if (bytes !== null) form.append('file', new Blob([bytes]), 'file.txt');
  return service.call('POST', '/files', { form, token: as, appKey });
}

/** By a user of an app with these limits. */
async function uploadUnder(files: object): Promise<Answer> {
  const { app, secretKey } = await service.newApp();
  const changed = await service.call('PATCH', '/admin/settings', {
    appKey: app.appKey,
    token: secretKey,
    body: { files },
  });
  expect(changed.status).toBe(200);
  const { tokens } = await service.signUp({ appKey: app.appKey });
  return upload(tokens.access_token, 'more than ten bytes', app.appKey);
}

/** Of a file that was just uploaded, below /api/v2. */
async function fileAddress(): Promise<{ url: string }> {
  const { data } = await upload(service.app.secretKey, 'hello');
  const asked = { token: service.app.secretKey };
  const answer = await service.call<{ url: string }>(
    'GET',
    `/files/${(data as { id: string }).id}/url`,
    asked,
  );
  return { url: answer.data.url.replace(/^.*\/api\/v2/, '') };
}

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
