// Calls that may wait for a row take a turn before they take a connection: however many calls of one user, of one record or of
// one backend are sent, two of them at most are in the database, and everybody else is answered meanwhile.
import { limits, metadataOf } from '@foyer/contract';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { rowOf, workOf } from '../src/http/with-turns.js';
import { contractRoutes } from './contract-routes.js';
import { type CallOptions, type TestUser, testService } from './harness.js';
import { type HeldTransactions, holdTransactions } from './held-transactions.js';
import { type RawConnection, rawConnection } from './raw-http.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { teamScenario } from './team-scenario.js';

const service = shared(() => testService());
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  [ada, bob] = [await service.signUp(), await service.signUp()];
  const backend = { token: service.app.secretKey };
  for (const access_mode of ['owner', 'shared']) {
    const body = { name: access_mode, access_mode };
    await service.call('POST', '/admin/collections', { ...backend, body });
  }
});
afterEach(async () => {
  held?.end();
  held = undefined;
  await vi.waitUntil(() => service.deps.turns.parties === 0, { timeout: 60_000 });
  expect([service.deps.turns.running, service.deps.turns.waiting]).toEqual([0, 0]);
});

let held: HeldTransactions | undefined;

/** The most turns of one party. */
const most = () => (service.database.kind === 'postgresql' ? 2 : 1);
const by = (user: TestUser): CallOptions => ({ token: user.tokens.access_token });
const fields = { fields: { text: 'x' } };

/** The head of a call that writes a record of Ada, with the field that delimits its body. */
const headOf = (id: string, body: string) =>
  `PUT /api/v2/data/owner/${id} HTTP/1.1\r\nHost: x\r\nX-App-Key: ${service.app.app.appKey}\r\n` +
  `Authorization: Bearer ${ada.tokens.access_token}\r\nContent-Type: application/json\r\n${body}\r\n\r\n`;

const calls: Record<string, (place: number) => Promise<unknown>> = {
  'PUT /data of one user': (place) =>
    service.call('PUT', `/data/owner/r${place}`, { ...by(ada), body: fields }),
  'PUT /data of many users on one record': (place) =>
    service.call('PUT', '/data/shared/hot', { ...by(place % 2 ? ada : bob), body: fields }),
  'PATCH /me': (place) => service.call('PATCH', '/me', { ...by(ada), body: { first_name: `Ada ${place}` } }),
  'POST /files': (place) => {
    const form = new FormData();
    form.append('file', new Blob([`${place}`]), 'a.txt');
    return service.call('POST', '/files', { ...by(ada), form });
  },
  'POST /push/devices': (place) =>
    service.call('POST', '/push/devices', {
      ...by(ada),
      body: { provider: 'fcm', platform: 'android', token: `token-of-a-device-${place}` },
    }),
  'POST /auth/sign-out-all': () => service.call('POST', '/auth/sign-out-all', by(bob)),
  'PUT /me/password': (place) =>
    service.call('PUT', '/me/password', { ...by(ada), body: { password: `another password ${place}` } }),
  'PUT …/claims of one user': (place) =>
    service.call('PUT', `/admin/users/${ada.uid}/claims`, {
      token: service.app.secretKey,
      body: { claims: { place } },
    }),
  'PATCH /admin/users of one user': (place) =>
    service.call('PATCH', `/admin/users/${ada.uid}`, {
      token: service.app.secretKey,
      body: { first_name: `Ada ${place}` },
    }),
};

describe('of eight calls at once, two at most are in the database:', () => {
  test.each(Object.keys(calls))('%s', async (name) => {
    held = holdTransactions(service.deps);
    const answers = Array.from({ length: 8 }, (_, place) => calls[name]?.(place));
    await vi.waitUntil(() => service.deps.turns.waiting === 8 - most(), { timeout: 60_000 });
    expect(held.began()).toBe(most());
    held.end();
    await Promise.all(answers);
  });
});

test('while one user fills the queue, others write, sign in, refresh and read, and the probe answers', async () => {
  held = holdTransactions(service.deps);
  const answers = Array.from({ length: 20 }, (_, place) => calls['PUT /data of one user']?.(place));
  await vi.waitUntil(() => service.deps.turns.waiting > 0, { timeout: 60_000 });
  expect((await service.signIn(bob)).status).toBe(200);
  expect((await service.refresh(ada.tokens.refresh_token)).status).toBe(200);
  expect((await service.call('GET', '/me', by(ada))).status).toBe(200);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  held.end();
  await Promise.all(answers);
});

test('a user who has more calls waiting than a share of the queue is refused, and told when to retry', async () => {
  held = holdTransactions(service.deps);
  const before = Array.from({ length: 150 }, (_, place) =>
    service.call('PUT', `/data/owner/r${place}`, { ...by(ada), body: fields }),
  );
  const refused = await Promise.any(
    before.map((answer) => answer.then((each) => (each.status === 503 ? each : Promise.reject(each)))),
  );
  expectRefusal(refused, 'request/unavailable');
  expect(refused.headers.get('retry-after')).toBe('1');
  held.end();
  await Promise.all(before);
});

test('a client that closes its connection waits no longer, and its call changes nothing', async () => {
  held = holdTransactions(service.deps);
  const answers = Array.from({ length: most() }, (_, place) => calls['PUT /data of one user']?.(place));
  await vi.waitUntil(() => held?.began() === most(), { timeout: 60_000 });
  const connection = await rawConnection(service.listening.port);
  const body = JSON.stringify(fields);
  connection.send(headOf('gone', `Content-Length: ${body.length}`) + body);
  await vi.waitUntil(() => service.deps.turns.waiting === 1, { timeout: 60_000 });
  connection.socket.destroy();
  // Before its wait would end anyway.
  await vi.waitUntil(() => service.deps.turns.waiting === 0, { timeout: limits.turnSeconds * 500 });
  held.end();
  await Promise.all(answers);
  expect((await service.call('GET', '/data/owner/gone', by(ada))).status).toBe(404);
});

test('a client that closes its connection before its call would wait changes nothing', async () => {
  expect((await service.call('PUT', '/data/owner/kept', { ...by(ada), body: fields })).status).toBe(201);
  held = holdTransactions(service.deps);
  const answers = Array.from({ length: most() }, (_, place) => calls['PUT /data of one user']?.(place));
  await vi.waitUntil(() => held?.began() === most(), { timeout: 60_000 });
  const { apps, metrics, turns } = service.deps;
  const [take, observe] = [vi.spyOn(turns, 'take'), vi.spyOn(metrics, 'observe')];
  onTestFinished(() => {
    service.deps.apps = apps;
    for (const spy of [take, observe]) spy.mockRestore();
  });
  let read = () => {};
  const reading = new Promise<void>((resolve) => {
    read = resolve;
  });
  const byKey = vi.fn((key: string) => reading.then(() => apps.byKey(key)));
  service.deps.apps = { ...apps, cached: () => null, byKey };
  const connection = await rawConnection(service.listening.port);
  connection.send(headOf('kept', 'Content-Length: 0').replace('PUT', 'DELETE'));
  await vi.waitUntil(() => byKey.mock.calls.length > 0, { timeout: 60_000 });
  connection.socket.destroy();
  // The service has noticed.
  await vi.waitUntil(() => observe.mock.calls.length > 0, { timeout: 60_000 });
  service.deps.apps = apps;
  read();
  await vi.waitUntil(() => take.mock.calls.length > 0, { timeout: 60_000 });
  held.end();
  await Promise.all(answers);
  await vi.waitUntil(() => turns.parties === 0, { timeout: 60_000 });
  expect((await service.call('GET', '/data/owner/kept', by(ada))).status).toBe(200);
});

test('a large body is parsed in the turn of its call, and a client that sends one slowly has no turn', async () => {
  held = holdTransactions(service.deps);
  const answers = Array.from({ length: most() }, (_, place) => calls['PUT /data of one user']?.(place));
  await vi.waitUntil(() => held?.began() === most(), { timeout: 60_000 });
  const connection = await rawConnection(service.listening.port);
  const body = `{"fields":{"text":"${'x'.repeat(20_000)}"}`;
  connection.send(headOf('large', `Content-Length: ${body.length}`) + body.slice(0, -1));
  expect((await service.call('GET', '/me', by(ada))).status).toBe(200);
  expect(service.deps.turns.waiting).toBe(0);
  connection.send(body.slice(-1));
  await vi.waitUntil(() => service.deps.turns.waiting === 1, { timeout: 60_000 });
  held.end();
  expect((await connection.answer()).text).toContain('request/malformed-json');
  await Promise.all(answers);
  connection.socket.destroy();
});

test('a small body of unknown length takes the turn of a small write', async () => {
  const take = vi.spyOn(service.deps.turns, 'take');
  onTestFinished(() => take.mockRestore());
  const connection = await rawConnection(service.listening.port);
  onTestFinished(() => void connection.socket.destroy());
  const body = 'd\r\n{"fields":{}}\r\n0\r\n\r\n';
  connection.send(headOf('small', 'Transfer-Encoding: chunked') + body);
  await vi.waitUntil(() => take.mock.calls.length > 0, { timeout: 60_000 });
  expect(take.mock.calls.map(([work]) => work)).toEqual(['write']);
});

describe('a client that disconnects after it has sent a large body', () => {
  const body = JSON.stringify({ fields: { text: 'x'.repeat(20_000) } });

  /** The connection has sent the head and all of the body but its last byte. */
  async function almostSent(id: string) {
    const connection = await rawConnection(service.listening.port);
    connection.send(headOf(id, `Content-Length: ${body.length}`) + body.slice(0, -1));
    await vi.waitUntil(() => service.deps.byteBudget.heldBytes > 0, { timeout: 60_000 });
    return connection;
  }

  /** Closes the connection, and waits until the service has noticed. */
  async function disconnect({ socket }: RawConnection) {
    socket.destroy();
    await vi.waitUntil(() => service.deps.byteBudget.heldBytes === 0, { timeout: 60_000 });
  }

  test('leaves the turn to its call until the transaction has ended', async () => {
    held = holdTransactions(service.deps);
    const connection = await almostSent('left');
    connection.send(body.slice(-1));
    await vi.waitUntil(() => held?.began() === 1, { timeout: 60_000 });
    await disconnect(connection);
    expect(service.deps.turns.running).toBe(1);
    held.end();
    await vi.waitUntil(() => service.deps.turns.running === 0, { timeout: 60_000 });
    expect((await service.call('GET', '/data/owner/left', by(ada))).status).toBe(200);
  });

  test('changes nothing if the handler has not begun, and the turn ends', async () => {
    held = holdTransactions(service.deps);
    const { apps } = service.deps;
    const connection = await almostSent('refused');
    // The app is read again after a body that took long.
    let read = () => {};
    const reading = new Promise<void>((resolve) => {
      read = resolve;
    });
    service.deps.apps = { ...apps, byKey: (key) => reading.then(() => apps.byKey(key)) };
    connection.send(body.slice(-1));
    await vi.waitUntil(() => service.deps.turns.running === 1, { timeout: 60_000 });
    await disconnect(connection);
    expect(service.deps.turns.running).toBe(1);
    service.deps.apps = apps;
    read();
    await vi.waitUntil(() => service.deps.turns.running === 0, { timeout: 60_000 });
    expect(held.began()).toBe(0);
    held.end();
    expect((await service.call('GET', '/data/owner/refused', by(ada))).status).toBe(404);
  });
});

describe('the routes', () => {
  const routes = contractRoutes.map(({ id, route }) => ({ id, route, work: workOf(route) }));

  test('that change something take a turn, but for those that wait for something else', () => {
    const without = routes.filter(({ route, work }) => route.method !== 'GET' && work === null);
    const names = without
      .filter(({ route }) => ['client', 'admin', 'upload'].includes(metadataOf(route).rateLimit))
      .map(({ id }) => id);
    expect(names.toSorted()).toEqual([
      // Take it for their transaction alone.
      ...['data.query', 'files.upload'],
      // Changes nothing.
      'passkeys.creationOptions',
      'push.register',
      // Change nothing.
      ...['settingsChecks.checkPasskeys', 'settingsChecks.checkProvider', 'settingsChecks.previewMail'],
      ...['signIn.passkeyOptions', 'tokenVerification.verify'],
      ...['users.create', 'users.update'],
      ...['webhooks.create', 'webhooks.test', 'webhooks.update'],
    ]);
  });

  test('that read take none, but for the lists of backends', () => {
    const reading = routes.filter(({ route, work }) => route.method === 'GET' && work !== null);
    expect(new Set(reading.map(({ work }) => work))).toEqual(new Set(['bulk-read']));
  });

  test.each([
    ['/data/:collection/:id', { collection: 'notes', id: '1' }, '/data/notes/1'],
    ['/data/:collection', { collection: 'notes' }, undefined],
    ['/push/devices/:id/topics/:topic', { id: 'd', topic: 't' }, '/push/devices/d'],
    ['/admin/users/:uid/loyalty/entries', { uid: 'u' }, 'user:u'],
    ['/admin/users/:uid/sessions/:id', { uid: 'u', id: 's' }, 'user:u'],
    ['/admin/webhooks/:id/deliveries/:delivery_id/retry', { id: 'w', delivery_id: 'd' }, '/admin/webhooks/w'],
    ['/me', {}, undefined],
  ])('%s locks the row %j', (path, params, row) => {
    expect(rowOf({ path }, params)).toBe(row);
  });
});

test("a member's searches are refused before those of the app's own backend", async () => {
  const team = await teamScenario(() => service);
  const viewer = await team.newMember(service.app.app.id, 'viewer');
  const { query } = service.deps;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.deps.query = async (statement) => {
    if (statement.text.includes('FROM users')) await released;
    return query<never>(statement);
  };
  const search = (token: string) => service.call('GET', '/admin/users?q=ada', { token });
  let refused = 0;
  const searches = Array.from({ length: 150 }, async () => {
    const answer = await search(viewer.token);
    if (answer.status === 503) refused += 1;
    return answer;
  });
  await vi.waitUntil(() => refused > 0, { timeout: 60_000 });
  const { waiting } = service.deps.turns;
  const answers = Array.from({ length: 5 }, () => search(service.app.secretKey));
  await vi.waitUntil(() => service.deps.turns.waiting >= waiting + 4, { timeout: 60_000 });
  service.deps.query = query;
  release();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  for (const answer of await Promise.all(searches)) {
    if (answer.status !== 200) expectRefusal(answer, 'request/unavailable');
  }
});
