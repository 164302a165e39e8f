// Expo: the secure storage of a device, and the foreground. The device is a double of what expo-secure-store documents.
import { describe, expect, test } from 'vitest';
import { foreground, secureStorage } from '../src/expo/index.js';
import type { TokenStorage } from '../src/session/storage.js';
import {
  ada,
  codeOf,
  movingClock,
  networkTurn,
  newClient,
  refreshed,
  signedInClient,
  stopClock,
  storageKey,
  useScriptedService,
} from './harness.js';
import { gate, lostRequest } from './mishaps.js';
import { meRoute, refreshRoute } from './scripted-service.js';
import { device } from './storage-doubles.js';

const service = useScriptedService();

async function signedInOnDevice() {
  const phone = device();
  return { phone, client: await signedInClient({ storage: secureStorage(phone) }) };
}

/** The client of the next start of the app. */
const restartedOn = (phone: ReturnType<typeof device>) => newClient({ storage: secureStorage(phone) });

describe('the secure storage', () => {
  test('contains the session, which the next start of the app restores', async () => {
    const { phone } = await signedInOnDevice();
    expect([...phone.keychain.keys()]).toEqual([storageKey]);
    expect(phone.options).toEqual([{ keychainAccessible: 1 }]);
    const client = restartedOn(phone);
    expect((await client.me.get()).email).toBe(ada.email);
    await client.auth.signOut();
    await expect.poll(() => phone.keychain.size).toBe(0);
  });

  test('of an earlier installation is removed: the Keychain outlives the app', async () => {
    const { phone } = await signedInOnDevice();
    phone.installed.clear();
    const client = restartedOn(phone);
    expect(await client.auth.ready()).toEqual({ status: 'signedOut' });
    expect(phone.keychain.size).toBe(0);
    await client.auth.signIn(ada);
    expect((await restartedOn(phone).me.get()).email).toBe(ada.email);
  });

  test('of a sign-in after the app cleared its private storage is restored', async () => {
    const { phone, client } = await signedInOnDevice();
    await client.auth.signOut();
    phone.installed.clear();
    await client.auth.signIn(ada);
    const next = restartedOn(phone);
    expect((await next.auth.ready()).status).toBe('signedIn');
  });

  test('control: without the marker the session of the earlier installation is restored', async () => {
    const { phone } = await signedInOnDevice();
    phone.installed.clear();
    const storage: TokenStorage = {
      get: (key) => phone.secureStore.getItemAsync(key),
      set: (key, value) => phone.secureStore.setItemAsync(key, value),
      remove: (key) => phone.secureStore.deleteItemAsync(key),
    };
    expect((await newClient({ storage }).auth.ready()).status).toBe('signedIn');
  });

  test('that cannot be decrypted counts as absent at the start, and is used again after a sign-in', async () => {
    const { phone } = await signedInOnDevice();
    phone.state.isUndecryptable = true;
    const client = restartedOn(phone);
    expect(await client.auth.ready()).toEqual({ status: 'signedOut' });
    phone.state.isUndecryptable = false;
    await client.auth.signIn(ada);
    expect((await restartedOn(phone).me.get()).email).toBe(ada.email);
  });

  test('that could be decrypted before is unavailable, not absent: the user stays signed in', async () => {
    const { phone, client } = await signedInOnDevice();
    phone.state.isUndecryptable = true;
    expect(await codeOf(refreshed(client))).toBe('client/storage-unavailable');
    expect(client.auth.state.status).toBe('signedIn');
    phone.state.isUndecryptable = false;
    await refreshed(client);
  });

  test('that could be decrypted at the start is unavailable, not absent, too', async () => {
    const { phone } = await signedInOnDevice();
    const client = restartedOn(phone);
    await client.auth.ready();
    phone.state.isUndecryptable = true;
    expect(await codeOf(client.me.get())).toBe('client/storage-unavailable');
    expect(client.auth.state.status).toBe('signedIn');
  });

  test('is not taken for that of an earlier installation when it is stored while the first read takes long', async () => {
    const phone = device();
    const { opened, open } = gate();
    let isFirst = true;
    const getItemAsync = async (key: string) => {
      const wait = isFirst && opened;
      isFirst = false;
      await wait;
      return phone.secureStore.getItemAsync(key);
    };
    const storage = secureStorage({ ...phone, secureStore: { ...phone.secureStore, getItemAsync } });
    const reading = storage.get(storageKey);
    await networkTurn();
    const storing = storage.set(storageKey, 'token');
    await networkTurn();
    open();
    await Promise.all([reading, storing]);
    expect(await storage.get(storageKey)).toBe('token');
  });

  test('says so when a value is not removed, which iOS does not', async () => {
    const phone = device();
    const storage = secureStorage(phone);
    await storage.set(storageKey, 'token');
    phone.state.deletes = false;
    await expect(async () => storage.remove(storageKey)).rejects.toThrow('did not remove');
    await expect(async () =>
      secureStorage({ ...phone, privateStorage: device().privateStorage }).get(storageKey),
    ).rejects.toThrow('did not remove');
  });

  test('refuses a value that a secure store may lose, instead of losing it', async () => {
    const phone = device();
    const storage = secureStorage(phone);
    await storage.set('foyer.a', 'é'.repeat(1_024));
    expect(await storage.get('foyer.a')).toBe('é'.repeat(1_024));
    await expect(async () => storage.set('foyer.a', `${'é'.repeat(1_024)}x`)).rejects.toThrow('2048 bytes');
    await phone.secureStore.setItemAsync('foyer.b', 'x'.repeat(2_049));
    expect(phone.keychain.has('foyer.b')).toBe(false);
  });
});

describe('the foreground', () => {
  function app() {
    const listeners = new Set<(state: string) => void>();
    return {
      listeners,
      become(state: string) {
        for (const listener of listeners) listener(state);
      },
      addEventListener(_: 'change', listener: (state: string) => void) {
        listeners.add(listener);
        return { remove: () => void listeners.delete(listener) };
      },
    };
  }

  test('restores a session whose storage was locked at the start, without a call', async () => {
    const { phone } = await signedInOnDevice();
    phone.state.isLocked = true;
    const appState = app();
    const storage = secureStorage(phone);
    const client = newClient({ storage, wakeOn: foreground(appState) });
    await codeOf(client.auth.ready());
    phone.state.isLocked = false;
    appState.become('background');
    await networkTurn();
    expect(client.auth.state.status).toBe('loading');
    appState.become('active');
    await expect.poll(() => client.auth.state.status).toBe('signedIn');
  });

  test.each([
    ['active', 1],
    ['inactive', 0],
  ])('%s: a refresh whose response was lost is sent again at once %i times', async (state, sends) => {
    stopClock();
    const appState = app();
    const client = await movingClock(signedInClient({ wakeOn: foreground(appState) }));
    service.expireAccessTokens();
    for (let send = 0; send < 4; send++) service.next(refreshRoute, lostRequest);
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/network');
    const before = service.count(refreshRoute);
    appState.become(state);
    await networkTurn();
    expect(service.count(refreshRoute) - before).toBe(sends);
    expect(service.count(meRoute)).toBe(1);
  });

  test('is left at dispose', async () => {
    const appState = app();
    const client = newClient({ wakeOn: foreground(appState) });
    expect(appState.listeners.size).toBe(1);
    client.dispose();
    expect(appState.listeners.size).toBe(0);
  });
});
