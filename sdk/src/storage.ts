// Token storage: the interface that an app can implement, and the two built-in storages.

/** A value or a promise of it. */
export type Maybe<T> = T | Promise<T>;

/**
 * Stores one short string under one key (`[A-Za-z0-9._-]`): the refresh token, the user's id and the device token,
 * which remains after a sign-out; never an access token. Methods may be synchronous or asynchronous. **Throw when the
 * storage is unavailable** (a locked keychain) and return `null` only when it is empty: empty means signed out.
 */
export interface TokenStorage {
  get(key: string): Maybe<string | null>;
  /** The value must be durable when this returns or resolves. */
  set(key: string, value: string): Maybe<void>;
  remove(key: string): Maybe<void>;
  /**
   * Runs `run` while no other tab or process that shares this storage does, and settles as it does. Stop waiting when
   * `signal` aborts. Without this method, only clients that share this object in one process are serialized.
   */
  lock?<T>(name: string, run: () => Promise<T>, options: { signal: AbortSignal }): Promise<T>;
  /** False when values do not outlive the page or process. Default: true. */
  readonly persistent?: boolean;
}

/** The used subset of `localStorage` and `sessionStorage`. */
export interface WebStorageArea {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Stores the session in memory, until the process or page ends. */
export function memoryStorage(): TokenStorage {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
    persistent: false,
  };
}

// Clients of the same area must share one object, because locking is per storage object.
const storageByArea = new WeakMap<WebStorageArea, TokenStorage>();

/**
 * Stores the session in `localStorage`, or in the given area, with a lock across tabs where the browser has Web Locks.
 * Falls back to memory, with `persistent` false, when the browser blocks the area.
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
  // Values that exceeded the area's quota; they last as long as the page.
  const refused = new Map<string, string>();
  const storage: TokenStorage = {
    get: (key) => refused.get(key) ?? area.getItem(key),
    set(key, value) {
      try {
        area.setItem(key, value);
        refused.delete(key);
      } catch {
        refused.set(key, value);
        // The old value is a spent token; using it after the next start would be treated as token theft.
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
