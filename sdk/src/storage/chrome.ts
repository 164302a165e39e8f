// The storage of a browser extension: its service worker, popup and pages share one session.
import { broadcast } from '../session/broadcast.js';
import type { TokenStorage } from '../session/storage.js';

type Changes = (changes: { [key: string]: unknown }) => void;

/** The used subset of `chrome.storage.local` and `browser.storage.local`. */
export interface ExtensionStorageArea {
  /** Resolves with an object that contains the key, if it has a value. */
  get(key: string): Promise<{ [key: string]: unknown }>;
  /** Stores the values of an object. */
  set(values: { [key: string]: string }): Promise<void>;
  /** Removes a key. */
  remove(key: string): Promise<void>;
  /** Fires in every context of the extension after a change. */
  readonly onChanged: {
    /** Adds a listener, which receives the changes by key. */
    addListener(listener: Changes): void;
    /** Removes a listener. */
    removeListener(listener: Changes): void;
  };
}

/**
 * Stores the session of a browser extension (Manifest V3) in `chrome.storage.local`, or with `chrome.storage.session` until
 * the browser is closed. The contexts of the extension's own origin serialize their refreshes by Web Locks and exchange access
 * tokens. A content script shares the origin of a web page, so it has neither: let it ask the service worker instead.
 *
 * @example
 * const client = createClient({ baseUrl, appKey, storage: chromeStorage(chrome.storage.local) });
 */
export function chromeStorage(area: ExtensionStorageArea): TokenStorage {
  const locks = globalThis.navigator?.locks;
  const storage: TokenStorage = {
    get: async (key) => ((await area.get(key))[key] as string | undefined) ?? null,
    set: (key, value) => area.set({ [key]: value }),
    remove: (key) => area.remove(key),
    subscribe(key, onChange) {
      const listener: Changes = (changes) => {
        if (key in changes) onChange();
      };
      area.onChanged.addListener(listener);
      return () => area.onChanged.removeListener(listener);
    },
  };
  // In a content script, the page could hold the lock and would receive the tokens.
  if (/^(http|file)/.test(globalThis.location?.protocol)) return storage;
  if (locks) {
    storage.lock = (name, run, { signal }) => locks.request(name, { signal }, run) as ReturnType<typeof run>;
  }
  if (globalThis.BroadcastChannel) storage.channel = broadcast;
  return storage;
}
