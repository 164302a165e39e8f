// Clients as frameworks and bundlers pass them on: wrapped in a proxy, copied, or created by another copy of the package.
import { expect, test, vi } from 'vitest';
import type { Client } from '../src/api.js';
import { collection } from '../src/features/collection.js';
import { remoteConfig } from '../src/features/remote-config.js';
import { ada, signedInClient, useScriptedService } from './harness.js';

const service = useScriptedService();

/** As the reactive proxies of Vue and Pinia: what an object contains is wrapped when it is read. */
function reactive<T extends object>(target: T): T {
  return new Proxy(target, {
    get(object, name) {
      const value = Reflect.get(object, name);
      return typeof value === 'object' && value !== null ? reactive(value) : value;
    },
  });
}

test.each<[string, (client: Client) => Client]>([
  ['wrapped in a reactive proxy', reactive],
  ['copied with a spread', (client) => ({ ...client })],
])('a client that was %s signs in, reads the user and has its features', async (_, passedOn) => {
  const client = passedOn(await signedInClient());
  expect(client.auth.state.status).toBe('signedIn');
  expect((await client.me.get()).email).toBe(ada.email);
  expect(await remoteConfig(client).get()).toBeInstanceOf(Object);
  const { id } = await collection(client, 'notes').create({ title: 'x' });
  expect(await collection(client, 'notes').get(id)).toMatchObject({ fields: { title: 'x' } });
  await client.auth.signOut();
  expect(client.auth.state.status).toBe('signedOut');
});

test('a feature that another copy of the package exports takes the client', async () => {
  const client = await signedInClient();
  vi.resetModules();
  const copy = await import('../src/features/remote-config.js');
  expect(copy.remoteConfig).not.toBe(remoteConfig);
  expect(await copy.remoteConfig(client).get()).toBeInstanceOf(Object);
  expect(service.count('GET /api/v2/config')).toBe(1);
});

test('what is no client is refused in words', () => {
  for (const other of [{}, { ...JSON.parse('{"auth": {}}') }])
    expect(() => remoteConfig(other as Client)).toThrow('client/invalid-argument');
});
