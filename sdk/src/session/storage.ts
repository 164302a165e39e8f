// Token storage: the interface that an app can implement, and the two built-in storages.
import { idle, until } from '../http/bounded.js';
import { broadcast, type StorageChannel } from './broadcast.js';

export type { StorageChannel };

/** A value or a promise of it. */
export type Maybe<T> = T | Promise<T>;

/**
 * Stores short strings under keys of `[A-Za-z0-9._-]`: under one key the refresh token, the user's id and the device
 * token, which remains after a sign-out; under another the refresh tokens of sessions that the service has yet to end.
 * Never an access token. Methods may be synchronous or asynchronous. **Throw when the storage is unavailable** (a locked
 * keychain) and return `null` only when it is empty: empty means signed out.
 */
export interface TokenStorage {
  /** Returns the stored value, or `null` when there is none. Throw when the storage is unavailable. */
  get(key: string): Maybe<string | null>;
  /** The value must be durable when this returns or resolves. */
  set(key: string, value: string): Maybe<void>;
  /** Removes the value. Succeeds when there is none. */
  remove(key: string): Maybe<void>;
  /**
   * Runs `run` while no other tab or process that shares this storage does, and settles as it does. Stop waiting when
   * `signal` aborts. Without this method, only clients that share this object in one process are serialized.
   */
  lock?<T>(name: string, run: () => Promise<T>, options: { signal: AbortSignal }): Promise<T>;
  /** Calls `onChange` after another tab or process changed the value; returns the unsubscribe function. */
  subscribe?(key: string, onChange: () => void): () => void;
  /** Opens a channel to the other tabs that share this storage, over which they exchange access tokens. */
  channel?(name: string, onMessage: (message: unknown) => void): StorageChannel;
  /** False when values do not outlive the page or process. Default: true. */
  readonly persistent?: boolean;
  /** True when each tab has its own values, as in `sessionStorage`; a duplicated tab has a copy of them. */
  readonly isPerTab?: boolean;
  /** True when it takes the place of a storage that is blocked; the client then reports `memory-storage`. */
  readonly isFallback?: boolean;
}

/** The used subset of `localStorage` and `sessionStorage`. */
export interface WebStorageArea {
  /** Returns the value of a key, or `null`. */
  getItem(key: string): string | null;
  /** Stores a value; throws when the area is full. */
  setItem(key: string, value: string): void;
  /** Removes a key. */
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

/** How long the next holder waits for the previous write, and how long the marker lock is held. */
const visibleMs = 2_000;
const shownMs = 10_000;

// Clients of the same area must share one object, because locking is per storage object.
const storageByArea = new WeakMap<WebStorageArea, TokenStorage>();

/**
 * Stores the session in `localStorage`, or in the given area, with a lock across tabs where the browser has Web Locks.
 * Falls back to memory, with `persistent` false, when the browser blocks the area, and for a new session that a full area
 * has no room for.
 */
export function webStorage(area?: WebStorageArea): TokenStorage {
  try {
    const usable = area ?? globalThis.localStorage;
    // A full area can be read, and a value in it replaced.
    usable.getItem('');
    const storage = storageByArea.get(usable) ?? storageOver(usable);
    storageByArea.set(usable, storage);
    return storage;
  } catch {
    return { ...memoryStorage(), isFallback: true };
  }
}

function storageOver(area: WebStorageArea): TokenStorage {
  // Values that exceeded the area's quota; they last as long as the page.
  const refused = new Map<string, string>();
  const locks = globalThis.navigator?.locks;
  // Every tab has its own `sessionStorage`.
  const isShared = locks && area === globalThis.localStorage;
  const ends = (key: string) => `${area.getItem(key)}`.slice(-12);
  let shownAt = 0;
  // The tabs see each other's locks at once, but not each other's writes. So a tab shows the end of each value that it
  // stores, too short to be a secret, in the name of a second lock, and the next holder of the lock of the value's key
  // waits until it sees that value.
  const show = (key: string) => {
    if (!isShared) return;
    // Later than the tab's previous value.
    shownAt = Math.max(shownAt + 1, Date.now());
    locks
      .request(`${key} ${`${shownAt}`.padStart(13, '0')} ${ends(key)}`, () => idle(shownMs))
      .catch(() => {});
  };
  const storage: TokenStorage = {
    get: (key) => refused.get(key) ?? area.getItem(key),
    set(key, value) {
      // Written once more, it would delay what this tab sees of the others. Another value of its length fits as well.
      if (area.getItem(key) === value) return;
      try {
        area.setItem(key, value);
        refused.delete(key);
      } catch {
        refused.set(key, value);
        // The old value is a spent token or another user's; using it after the next start would be treated as token theft.
        area.removeItem(key);
      }
      show(key);
    },
    remove(key) {
      refused.delete(key);
      area.removeItem(key);
      show(key);
    },
    isPerTab: area === globalThis.sessionStorage,
    get persistent() {
      return !refused.size;
    },
    subscribe(key, onChange) {
      const onStorage = (event: StorageEvent) => {
        // An event without a key tells that the area was cleared.
        if ((event.key ?? key) === key) onChange();
      };
      globalThis.addEventListener?.('storage', onStorage);
      return () => globalThis.removeEventListener?.('storage', onStorage);
    },
  };
  if (locks) {
    storage.lock = <T>(name: string, run: () => Promise<T>, { signal }: { signal: AbortSignal }) =>
      locks.request(name, { signal }, async () => {
        if (isShared) {
          const { held } = await locks.query();
          const shown = held!.map((lock) => lock.name!.split(`${name} `)[1] ?? '').sort();
          // The value follows the time at which it was stored.
          const last = shown.pop()?.slice(14);
          await until(() => !last || ends(name) === last, visibleMs);
        }
        return run();
      }) as Promise<T>;
  }
  if (globalThis.BroadcastChannel) storage.channel = broadcast;
  return storage;
}
