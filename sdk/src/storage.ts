// Where the refresh token is kept: the hook an app may implement, and the two storages that need no platform code.

/** A value now, or a promise of it. */
export type Maybe<T> = T | Promise<T>;

/**
 * Where the SDK keeps one short string under one key (`[A-Za-z0-9._-]`): the refresh token, the user's id and the device
 * token, which stays alone after a sign-out; never an access token. Methods may be synchronous or not. **Throw when the storage cannot be reached** (a locked keychain) and
 * return `null` only when it is truly empty: empty means signed out.
 */
export interface TokenStorage {
  get(key: string): Maybe<string | null>;
  /** The value must be durable when this returns or resolves. */
  set(key: string, value: string): Maybe<void>;
  remove(key: string): Maybe<void>;
  /**
   * Runs `run` while no other tab or process that shares this storage does, and settles as it does. Stop waiting when
   * `signal` aborts. Without it, instances that share this object in one process still take turns.
   */
  lock?<T>(name: string, run: () => Promise<T>, options: { signal: AbortSignal }): Promise<T>;
  /** False when values are lost with the page or process. True when absent. */
  readonly persistent?: boolean;
}

/** The part of `localStorage` and `sessionStorage` that is used here. */
export interface WebStorageArea {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Keeps the session for the life of the process or page. */
export function memoryStorage(): TokenStorage {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
    persistent: false,
  };
}

// Clients over the same area must share one object, because instances take turns by storage object.
const storageByArea = new WeakMap<WebStorageArea, TokenStorage>();

/**
 * Keeps the session in `localStorage`, or in the area given, with a lock across tabs where the browser has Web Locks.
 * Where the browser refuses the area (blocked cookies), the session lives in memory and `persistent` is false.
 */
export function webStorage(area?: WebStorageArea): TokenStorage {
  try {
    const usable = area ?? globalThis.localStorage;
    usable.setItem('foyer.probe', '');
    usable.removeItem('foyer.probe');
    const storage = storageByArea.get(usable) ?? storageOver(usable);
    storageByArea.set(usable, storage);
    return storage;
  } catch {
    return memoryStorage();
  }
}

function storageOver(area: WebStorageArea): TokenStorage {
  // What the area had no room for; it lives as long as the page.
  const refused = new Map<string, string>();
  const storage: TokenStorage = {
    get: (key) => refused.get(key) ?? area.getItem(key),
    set(key, value) {
      try {
        area.setItem(key, value);
        refused.delete(key);
      } catch {
        refused.set(key, value);
        // The old value is a spent token: found by the next start, it would be taken for theft.
        area.removeItem(key);
      }
    },
    remove(key) {
      refused.delete(key);
      area.removeItem(key);
    },
    get persistent() {
      return refused.size === 0;
    },
  };
  const locks = globalThis.navigator?.locks;
  if (locks) {
    storage.lock = <T>(name: string, run: () => Promise<T>, { signal }: { signal: AbortSignal }) =>
      locks.request(name, { signal }, run) as Promise<T>;
  }
  return storage;
}
