// The Keychain of iOS and the Keystore of Android, by expo-secure-store.
import type { Maybe, TokenStorage } from '../session/storage.js';

/** The used subset of the module `expo-secure-store`. */
export interface SecureStoreModule {
  /** Resolves with the value, or `null`; rejects while the device is locked, or when the value cannot be decrypted. */
  getItemAsync(key: string, options?: { keychainAccessible?: number }): Promise<string | null>;
  /** Stores a value. */
  setItemAsync(key: string, value: string, options?: { keychainAccessible?: number }): Promise<void>;
  /** Removes a value. On iOS it also resolves when that failed. */
  deleteItemAsync(key: string, options?: { keychainAccessible?: number }): Promise<void>;
  /** Readable once the device was unlocked after a restart; not copied to another device by a backup. */
  readonly AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: number;
}

/** Storage that the system deletes with the app, such as AsyncStorage or `expo-sqlite/kv-store`. */
export interface PrivateStorage {
  /** Returns the value of a key, or `null`. */
  getItem(key: string): Maybe<string | null | undefined>;
  /** Stores a value. */
  setItem(key: string, value: string): Maybe<unknown>;
}

export interface SecureStorageOptions {
  /** The module `expo-secure-store`, as a namespace. */
  secureStore: SecureStoreModule;
  /**
   * Remembers that this installation of the app has stored the session: the Keychain outlives an uninstall. An app that
   * clears it as a whole signs the user out at the next start.
   */
  privateStorage: PrivateStorage;
  /** Sets when iOS lets the app read the session. Default: `AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY`. */
  keychainAccessible?: number;
}

/** What secure stores accept. */
const maxBytes = 2_048;

/**
 * Stores the session in the secure storage of an Expo or React Native app. A session of an earlier installation is removed. A
 * value that cannot be decrypted, as after a restore of an Android backup, counts as absent. While the device is locked,
 * calls reject with `client/storage-unavailable` and the session remains.
 *
 * @example
 * const storage = secureStorage({ secureStore: SecureStore, privateStorage: AsyncStorage });
 */
export function secureStorage({
  secureStore,
  privateStorage,
  keychainAccessible = secureStore.AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY,
}: SecureStorageOptions): TokenStorage {
  const access = { keychainAccessible };
  /** Keys whose values this process could read: a backup is not restored meanwhile, so a failure is a passing one. */
  const decrypted = new Set<string>();
  const checks = new Map<string, Promise<void>>();

  async function read(key: string): Promise<string | null> {
    try {
      const value = await secureStore.getItemAsync(key, access);
      if (value !== null) decrypted.add(key);
      return value;
    } catch (error) {
      if (/DECRYPT/.test((error as { code?: string }).code!) && !decrypted.has(key)) return null;
      throw error;
    }
  }

  async function remove(key: string): Promise<void> {
    await secureStore.deleteItemAsync(key, access);
    // iOS does not report that a deletion failed.
    if ((await read(key)) !== null) throw new Error('The secure store did not remove the value.');
  }

  /** Sets the marker of this installation; `prepare` runs before, if the marker is missing. */
  async function mark(key: string, prepare?: () => Promise<void>): Promise<void> {
    const marker = `${key}.installed`;
    if (await privateStorage.getItem(marker)) return;
    await prepare?.();
    await privateStorage.setItem(marker, '1');
  }

  const checkInstallation = (key: string) =>
    mark(key, async () => {
      // Rejects while the device is locked, when the private storage may seem empty too.
      if ((await read(key)) !== null) await remove(key);
    });

  /** Removes the value of an earlier installation, once. */
  function installed(key: string): Promise<void> {
    const check =
      checks.get(key) ??
      checkInstallation(key).catch((error) => {
        checks.delete(key);
        throw error;
      });
    checks.set(key, check);
    return check;
  }

  return {
    async get(key) {
      await installed(key);
      return read(key);
    },
    async set(key, value) {
      if (encodeURIComponent(value).replace(/%../g, '.').length > maxBytes)
        throw new Error(`A secure store accepts ${maxBytes} bytes at most.`);
      await installed(key);
      // The app may have cleared its private storage since, such as at a sign-out.
      await mark(key);
      await secureStore.setItemAsync(key, value, access);
      decrypted.add(key);
    },
    remove,
  };
}
