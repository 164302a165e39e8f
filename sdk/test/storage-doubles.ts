// Doubles of what storages store in: areas of browsers and extensions, and expo-secure-store as documented.
import type { PrivateStorage, SecureStoreModule } from '../src/expo/index.js';
import type { ExtensionStorageArea } from '../src/storage/index.js';

type Changes = Parameters<Parameters<ExtensionStorageArea['onChanged']['addListener']>[0]>[0];

/** A `localStorage` or `sessionStorage`, as one tab sees it. */
export function webArea() {
  const values = new Map<string, string>();
  const sizeOf = () => [...values].reduce((size, [key, value]) => size + key.length + value.length, 0);
  const area = {
    values,
    quota: Number.POSITIVE_INFINITY,
    /** Leaves no room for another character. */
    fill() {
      area.quota = sizeOf();
    },
    getItem: (key: string) => values.get(key) ?? null,
    setItem(key: string, value: string) {
      const more = value.length - (values.get(key)?.length ?? -key.length);
      if (more > 0 && sizeOf() + more > area.quota) throw new DOMException('Full.', 'QuotaExceededError');
      values.set(key, value);
    },
    removeItem: (key: string) => void values.delete(key),
  };
  return area;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An extension's storage, which every context of the extension sees; it can be made to fail. */
export function extensionArea() {
  const values = new Map<string, string>();
  const listeners = new Set<(changes: Changes) => void>();
  const state = { isBroken: false };
  const change = async (changes: Record<string, string | undefined>) => {
    await turn();
    if (state.isBroken) throw new Error('An unexpected error occurred.');
    for (const [key, value] of Object.entries(changes)) {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    }
    for (const listener of listeners) listener(changes);
  };
  const area: ExtensionStorageArea = {
    async get(key) {
      await turn();
      if (state.isBroken) throw new Error('An unexpected error occurred.');
      return values.has(key) ? { [key]: values.get(key) } : {};
    },
    set: change,
    remove: (key) => change({ [key]: undefined }),
    onChanged: {
      addListener: (listener) => void listeners.add(listener),
      removeListener: (listener) => void listeners.delete(listener),
    },
  };
  return { area, state, listeners };
}

/** An error of an Expo module. */
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

/** A device: its Keychain outlives the app, its private storage does not. */
export function device() {
  const keychain = new Map<string, string>();
  const installed = new Map<string, string>();
  const state = { isLocked: false, isUndecryptable: false, deletes: true };
  const options: unknown[] = [];
  const reach = async (key: string) => {
    await turn();
    if (!/^[\w.-]+$/.test(key)) throw new Error('Invalid key provided to SecureStore.');
    if (state.isLocked) throw coded('ERR_KEY_CHAIN', 'User interaction is not allowed.');
  };
  const secureStore: SecureStoreModule = {
    async getItemAsync(key) {
      await reach(key);
      if (state.isUndecryptable && keychain.has(key))
        throw coded('ERR_DECRYPT', 'Could not decrypt the value for SecureStore');
      return keychain.get(key) ?? null;
    },
    async setItemAsync(key, value, given) {
      await reach(key);
      options.push(given);
      // A longer one may be lost.
      if (new TextEncoder().encode(value).length <= 2_048) keychain.set(key, value);
    },
    async deleteItemAsync(key) {
      // Resolves whatever happens.
      await reach(key).catch(() => {});
      if (!state.isLocked && state.deletes) keychain.delete(key);
    },
    AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: 1,
  };
  const privateStorage: PrivateStorage = {
    async getItem(key) {
      await turn();
      // A file that cannot be read yet looks like a missing one.
      return state.isLocked ? null : (installed.get(key) ?? null);
    },
    async setItem(key, value) {
      await turn();
      installed.set(key, value);
    },
  };
  return { keychain, installed, state, options, secureStore, privateStorage };
}
