// Push: the registration follows the signed-in user, also across network failures.
import { expect, test } from 'vitest';
import { push } from '../src/features/push.js';
import {
  ada,
  bob,
  codeOf,
  locked,
  movingClock,
  networkTurn,
  newClient,
  passing,
  refreshed,
  signedInClient,
  stopClock,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import { gate, lostRequest, refuses } from './mishaps.js';

const service = useScriptedService();
const phone = { provider: 'fcm', platform: 'android', token: 'token-1', app_version: '2.4.0' } as const;
const devicesRoute = 'POST /api/v2/push/devices';

const uidOf = (token: string = phone.token) => service.devices.get(`fcm ${token}`)?.user_uid;
const registered = (count: number) => service.seen(devicesRoute, count);

/** A signed-in client whose device is registered. */
async function registeredPhone() {
  const storage = watchedStorage();
  const client = await signedInClient();
  const device = push(client, { storage });
  const { id } = await device.register(phone);
  return { client, device, id, storage };
}

test("register sends the app's device data as the signed-in user", async () => {
  const client = await signedInClient();
  const keys = { p256dh: 'p', auth: 'a' };
  const device = await push(client).register({ ...phone, keys });
  expect(client.auth.state).toMatchObject({ uid: device.user_uid });
  expect(JSON.parse(`${service.sent(devicesRoute)[0]?.body}`)).toEqual({ ...phone, keys });
});

test('sign-out registers the device again without a user, and the next user takes it over', async () => {
  const { client } = await registeredPhone();
  await client.auth.signOut();
  await registered(2);
  await expect.poll(() => uidOf()).toBeNull();
  const { user } = await client.auth.signUp(bob);
  await expect.poll(() => uidOf()).toBe(user.uid);
  expect(service.count(devicesRoute)).toBe(3);
  expect(service.devices.size).toBe(1);
});

test('a session that was revoked elsewhere counts as a sign-out', async () => {
  const { client } = await registeredPhone();
  for (const session of service.sessions) session.ended = true;
  expect(await codeOf(client.me.get())).toBe('auth/refresh-token-revoked');
  await expect.poll(() => uidOf()).toBeNull();
});

test('an unregistered device is not registered by a sign-in or sign-out', async () => {
  const client = await signedInClient();
  push(client);
  await client.auth.signOut();
  await client.auth.signIn(ada);
  expect(service.count(devicesRoute)).toBe(0);
});

test('a refresh, a profile change or going offline registers nothing', async () => {
  const { client } = await registeredPhone();
  await refreshed(client);
  await client.me.update({ first_name: 'Augusta' });
  expect(service.count(devicesRoute)).toBe(1);
});

/** The storages of a device that is registered for a user who then signed out while the service could not be reached. */
async function signedOutOffline() {
  const storage = watchedStorage();
  const session = watchedStorage();
  const client = await signedInClient({ storage: session });
  await push(client, { storage }).register(phone);
  service.always.set(devicesRoute, lostRequest);
  await client.auth.signOut();
  await registered(2);
  client.dispose();
  return { storage, session };
}

test('an offline sign-out is synchronized at the next start', async () => {
  const { storage, session } = await signedOutOffline();
  expect(uidOf()).not.toBeNull();
  service.always.delete(devicesRoute);
  push(newClient({ storage: session }), { storage });
  await expect.poll(() => uidOf()).toBeNull();
});

test('a sign-out that cannot be synchronized is sent three times', async () => {
  const { client } = await registeredPhone();
  service.always.set(devicesRoute, lostRequest);
  stopClock();
  await movingClock(client.auth.signOut());
  await passing(60_000);
  expect(service.count(devicesRoute)).toBe(4);
});

test('a storage failure affects only the next start', async () => {
  const storage = watchedStorage();
  storage.before.get = storage.before.set = locked;
  const client = await signedInClient();
  const device = push(client, { storage });
  expect((await device.register(phone)).user_uid).not.toBeNull();
  await device.subscribe('news');
});

test("the device's requests are sent in call order, including that of a sign-out", async () => {
  const client = await signedInClient();
  const device = push(client);
  void device.register(phone);
  await device.subscribe('a%b');
  await client.auth.signOut();
  await device.unsubscribe('news');
  await device.unregister();
  const routes = service.requests.map(({ route }) => route).filter((route) => route.includes('/push/'));
  expect(routes).toEqual([
    devicesRoute,
    expect.stringMatching(/^PUT .*\/push\/devices\/\w+\/topics\/a%25b$/),
    devicesRoute,
    expect.stringMatching(/^DELETE .*\/topics\/news$/),
    expect.stringMatching(/^DELETE .*\/devices\/\w+$/),
  ]);
  expect(service.devices.size).toBe(0);
  expect(await codeOf(device.subscribe('news'))).toBe('client/invalid-argument');
});

test('unregister is permanent: the next sign-in registers nothing', async () => {
  const { client, device, storage } = await registeredPhone();
  await device.unregister();
  await client.auth.signOut();
  await client.auth.signIn(ada);
  expect(service.count(devicesRoute)).toBe(1);
  expect(storage.values.size).toBe(0);
});

test('unregister right after startup, called twice, waits for the storage and is sent once', async () => {
  const { client, id, storage } = await registeredPhone();
  const device = push(client, { storage });
  await Promise.all([device.unregister(), device.unregister()]);
  expect(service.count(`DELETE /api/v2/push/devices/${id}`)).toBe(1);
  expect(storage.values.size).toBe(0);
  expect(service.devices.size).toBe(0);
});

test('unregister that the service refuses leaves the device registered', async () => {
  const { device, id, storage } = await registeredPhone();
  service.next(`DELETE /api/v2/push/devices/${id}`, refuses(403, 'request/forbidden'));
  expect(await codeOf(device.unregister())).toBe('request/forbidden');
  expect(storage.values.size).toBe(1);
  await device.unregister();
  expect(service.devices.size).toBe(0);
});

test('a start with the same user registers nothing, also while the session is still being read', async () => {
  const [storage, session] = [watchedStorage(), watchedStorage()];
  const client = await signedInClient({ storage: session });
  await push(client, { storage }).register(phone);
  client.dispose();
  const { opened, open } = gate();
  session.before.get = () => opened;
  const next = newClient({ storage: session });
  const device = push(next, { storage });
  await networkTurn();
  open();
  await device.subscribe('news');
  expect(service.count(devicesRoute)).toBe(1);
});

test.each(['nonsense', 'null', '[]', '{"id":"x"}', '{"registration":{}}'])(
  'foreign content of the storage, %s, is no registration',
  async (text) => {
    const storage = watchedStorage(new Map([['foyer.push.app_test', text]]));
    const device = push(await signedInClient(), { storage });
    expect(await codeOf(device.subscribe('news'))).toBe('client/invalid-argument');
    expect(service.count(devicesRoute)).toBe(0);
  },
);

test('unregister of a device that the service has no longer is permanent too', async () => {
  const { client, device, storage } = await registeredPhone();
  service.devices.clear();
  await device.unregister();
  await client.auth.signOut();
  expect(service.count(devicesRoute)).toBe(1);
  expect(storage.values.size).toBe(0);
});

test.each([
  ['unregister', 0],
  ['unsubscribe', 1],
] as const)(
  '%s after an offline sign-out takes the device from its former user first',
  async (method, left) => {
    const { storage, session } = await signedOutOffline();
    service.always.delete(devicesRoute);
    await push(newClient({ storage: session }), { storage })[method]('news' as never);
    expect(service.devices.size).toBe(left);
    expect(uidOf() ?? null).toBeNull();
  },
);

/** A service worker whose browser has these subscriptions, by the key they were made with. */
function webWorker(held: string | null = null) {
  const worker = {
    held,
    pushManager: {
      getSubscription: async () => (worker.held === null ? null : subscription),
      async subscribe({ userVisibleOnly, applicationServerKey: key }: Record<string, unknown>) {
        if (!userVisibleOnly) throw new DOMException('Refused.', 'NotAllowedError');
        // Push API, subscribe(): the options of an existing subscription must be the same.
        if (worker.held !== null && worker.held !== key) throw new DOMException('Held.', 'InvalidStateError');
        worker.held = String(key);
        return subscription;
      },
    },
  };
  const subscription = {
    async unsubscribe() {
      worker.held = null;
      return true;
    },
    toJSON: () => ({ endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } }),
  };
  return worker;
}

test.each([
  ['a browser without a subscription', null],
  ['a browser with a subscription of an earlier key', 'BOld'],
])('registerWeb subscribes %s with the key of the app and registers it', async (_, held) => {
  const device = push(await signedInClient());
  const worker = webWorker(held);
  await device.registerWeb(worker);
  expect(worker.held).toBe(await device.webKey());
  expect(await device.registerWeb(worker)).toMatchObject({ provider: 'webpush', platform: 'web' });
  const requests = service.sent(devicesRoute);
  expect(requests.map(({ body }) => JSON.parse(`${body}`))).toEqual(
    Array(2).fill({
      ...{ provider: 'webpush', platform: 'web', token: 'https://push.example.com/1' },
      keys: { p256dh: 'p', auth: 'a' },
    }),
  );
});

test.each([
  ['endpoint', { keys: { p256dh: 'p', auth: 'a' } }],
  ['keys', { endpoint: 'https://push.example.com/1' }],
  ['p256dh', { endpoint: 'https://push.example.com/1', keys: { auth: 'a' } }],
  ['auth', { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p' } }],
])('registerWeb registers no subscription without %s', async (_, json) => {
  const device = push(await signedInClient());
  const worker = webWorker();
  worker.pushManager.subscribe = async () => ({ unsubscribe: async () => true, toJSON: () => json }) as never;
  expect(await codeOf(device.registerWeb(worker))).toBe('client/invalid-argument');
  expect(service.devices.size).toBe(0);
});

test('registerWeb rejects with the error of a browser whose user has refused, and asks once', async () => {
  const device = push(await signedInClient());
  const worker = webWorker('BOld');
  let asked = 0;
  worker.pushManager.subscribe = async () => {
    asked += 1;
    throw new DOMException('Refused.', 'NotAllowedError');
  };
  await expect(device.registerWeb(worker)).rejects.toHaveProperty('name', 'NotAllowedError');
  expect([asked, worker.held, service.devices.size]).toEqual([1, 'BOld', 0]);
});

test('calls do not wait for a user who has not answered the browser about registerWeb', async () => {
  const { device } = await registeredPhone();
  const worker = webWorker();
  worker.pushManager.subscribe = () => new Promise(() => {});
  void device.registerWeb(worker);
  await service.seen('GET /api/v2/push/web-key', 1);
  await device.unregister();
  expect(service.devices.size).toBe(0);
});
