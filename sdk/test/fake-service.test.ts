// The fake service of `/testing`, as the tests of an app use it. fake-parity.test.ts compares its answers with the real
// service's.
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Client,
  type ClientOptions,
  collection,
  createClient,
  files,
  memoryStorage,
  push,
  remoteConfig,
} from '../src/index.js';
import { type FakeService, fakeService } from '../src/testing/index.js';
import { codeOf, movingClock, stopClock } from './harness.js';

const ada = { email: 'ada@example.com', password: 'correct horse' };

function newClient(service: FakeService, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ ...service.options, storage: memoryStorage(), ...options });
  onTestFinished(() => client.dispose());
  return client;
}

async function signedIn(service: FakeService, options: Partial<ClientOptions> = {}): Promise<Client> {
  const client = newClient(service, options);
  await client.auth.signUp(ada);
  return client;
}

describe('users of a fake service', () => {
  test('are those that the test added', async () => {
    const service = fakeService();
    const { uid } = service.addUser({ ...ada, email_verified: true, first_name: 'Ada' });
    expect((await newClient(service).auth.signIn(ada)).user).toMatchObject({ uid, first_name: 'Ada' });
    expect(service.users).toHaveLength(1);
    expect(() => service.addUser(ada)).toThrow('auth/email-already-in-use');
    expect(() => service.code('nobody@example.com')).toThrow('nobody@example.com');
  });

  test('are disabled, given claims and points, and signed out elsewhere', async () => {
    const service = fakeService();
    const client = await signedIn(service);
    service.updateUser(ada.email, { claims: { role: 'editor' }, points: 20 });
    expect(await client.me.loyalty()).toMatchObject({ points: 20 });
    const payload = (await client.auth.getAccessToken({ forceRefresh: true })).split('.')[1]!;
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      claims: { role: 'editor' },
    });
    expect(() => service.updateUser(ada.email, { points: -21 })).toThrow('loyalty/insufficient-points');
    service.endSessions(ada.email);
    expect(await codeOf(client.me.get())).toBe('auth/refresh-token-revoked');
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'revoked' });
    service.updateUser(ada.email, { disabled: true });
    expect(await codeOf(client.auth.signIn(ada))).toBe('auth/user-disabled');
  });
});

describe('failures of a fake service', () => {
  test('offline, and back', async () => {
    const service = fakeService();
    const client = await signedIn(service);
    service.offline = true;
    expect(await codeOf(client.me.get({ maxRetries: 0 }))).toBe('client/network');
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: false });
    service.recover();
    await client.me.get();
    expect(client.auth.state).toMatchObject({ online: true });
  });

  test('a lost answer has taken effect, and is retried', async () => {
    const service = fakeService();
    const client = await signedIn(service);
    service.fail('PATCH /me', 'lost-answer');
    expect(await codeOf(client.me.update({ first_name: 'Ada' }))).toBe('client/network');
    expect(service.users[0]).toMatchObject({ first_name: 'Ada' });
    service.fail('POST /auth/token/refresh', 'lost-answer');
    stopClock();
    await movingClock(client.auth.getAccessToken({ forceRefresh: true }));
    expect(service.requestsTo('POST /auth/token/refresh').map(({ status }) => status)).toEqual([0, 200]);
  });

  test('an error has its status, as often as planned, and names a code that exists', async () => {
    const service = fakeService();
    const client = await signedIn(service);
    service.fail('GET /me', { code: 'request/rate-limited', retryAfterSeconds: 7 }, 2);
    for (const _ of [1, 2]) {
      const error = await client.me.get({ maxRetries: 0 }).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'request/rate-limited', status: 429, retryAfterMs: 7_000 });
    }
    await client.me.get();
    service.fail('*', { status: 502, body: '<html>' });
    expect(await codeOf(client.me.get({ maxRetries: 0 }))).toBe('client/bad-response');
    // A status whose response has no body.
    service.fail('*', { status: 304 });
    const { code, status } = await client.me.get({ maxRetries: 0 }).catch((thrown) => thrown);
    expect([code, status]).toEqual(['client/bad-response', 304]);
    service.fail('*', 'offline', 0);
    await client.me.get({ maxRetries: 0 });
    expect(() => service.fail('*', { code: 'no/code' as 'auth/invalid-code' })).toThrow('no/code');
  });

  test('a slow answer and a silent service meet the time limit of the client', async () => {
    const service = fakeService();
    const client = await signedIn(service);
    stopClock();
    service.fail('GET /me', { delayMs: 2_000 });
    expect(await movingClock(codeOf(client.me.get()))).toBe('resolved');
    for (const fault of [{ delayMs: 60_000 }, 'silence'] as const) {
      service.fail('GET /me', fault);
      expect(await movingClock(codeOf(client.me.get({ timeoutMs: 1_000, maxRetries: 0 })))).toBe(
        'client/timeout',
      );
    }
  });
});

test('a request that is aborted right after it was sent rejects, also when the service is silent', async () => {
  const service = fakeService();
  service.fail('GET /me', 'silence');
  const controller = new AbortController();
  const { baseUrl, fetch } = service.options;
  const answer = fetch(`${baseUrl}/me`, { signal: controller.signal });
  controller.abort(new Error('left the page'));
  await expect(answer).rejects.toThrow('left the page');
});

test('records and remote config are those that the test and the app stored', async () => {
  const service = fakeService({ collections: { notes: 'owner' }, config: { color: 'green' } });
  const client = await signedIn(service);
  const notes = collection<{ title: string }>(client, 'notes');
  await notes.create({ title: 'mine' });
  service.addRecord('notes', { title: 'of another' }, { id: 'other' });
  expect((await notes.list()).items).toHaveLength(1);
  expect(service.records('notes')).toHaveLength(2);
  const at = new Date();
  expect(service.addRecord('notes', { at }).fields).toEqual({ at: at.toISOString() });
  expect(() => service.records('unknown')).toThrow('defineCollection');
  const config = remoteConfig(client);
  expect(await config.value('color', 'red')).toBe('green');
  service.setConfig({ color: 'blue' });
  expect(await config.get()).toEqual({ color: 'blue' });
});

test('a call that the fake does not have is refused with a sentence that names foyer dev', async () => {
  const service = fakeService({ collections: { notes: 'owner' } });
  const client = await signedIn(service);
  const calls = {
    'POST /files': files(client).upload(new Blob(['hello'])),
    'POST /push/devices': push(client).register({ provider: 'fcm', platform: 'android', token: 'token' }),
    'POST /data/notes/query': collection(client, 'notes').query().where('title', '==', 'a'),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await Promise.resolve(call).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'request/not-found', status: 404 });
    expect(error.message).toContain(
      `The fake service has no ${name}; test it against the whole service, which \`foyer dev\` starts.`,
    );
  }
});

test('the base URL may end in a slash, as that of a client', async () => {
  const service = fakeService({ baseUrl: 'https://accounts.example.com/api/v2/' });
  const client = await signedIn(service);
  expect((await client.me.get()).email).toBe(ada.email);
});

test('requests are recorded with what the app sent', async () => {
  const service = fakeService();
  const client = await signedIn(service, { headers: { 'X-Client-Version': '1.2' } });
  await client.me.update({ first_name: 'Ada' });
  expect(service.requests).toMatchObject([
    { route: 'POST /auth/sign-up', method: 'POST', path: '/auth/sign-up', body: ada, status: 201 },
    { route: 'PATCH /me', body: { first_name: 'Ada' }, headers: { 'x-client-version': '1.2' }, status: 200 },
  ]);
  await expect(service.options.fetch('https://elsewhere.example/')).rejects.toThrow(
    'https://foyer.test/api/v2',
  );
});

test('a Request is answered like a URL with options, which replace what the Request has', async () => {
  const service = fakeService();
  service.addUser(ada);
  const { baseUrl, appKey, fetch: fetchFake } = service.options;
  const post = { method: 'POST', headers: { 'X-App-Key': appKey }, body: JSON.stringify(ada) };
  const response = await fetchFake(new Request(`${baseUrl}/auth/sign-in`, post));
  const { data } = await response.json();
  expect(data.user.email).toBe(ada.email);
  const headers = { 'X-App-Key': appKey, Authorization: `Bearer ${data.access_token}` };
  const me = new Request(`${baseUrl}/me`, { headers: { 'X-App-Key': 'pk_other' } });
  expect((await fetchFake(me)).status).toBe(401);
  expect((await fetchFake(me, { headers })).status).toBe(200);
  const stopped = new Request(`${baseUrl}/me`, { headers, signal: AbortSignal.abort() });
  await expect(fetchFake(stopped)).rejects.toThrow('abort');
  expect(service.requestsTo('GET /me').map(({ body }) => body)).toEqual([undefined, undefined, undefined]);
});
