// Composes the client. Clients share nothing but the storage.
import type { Client, ClientOptions } from './api.js';
import { createAuth } from './features/auth.js';
import { createMe } from './features/me.js';
import { requireOptions } from './http/required-options.js';
import { createSender } from './http/send.js';
import { type Core, withCore } from './session/core.js';
import { createRecovery } from './session/recovery.js';
import { ready } from './session/restore.js';
import { memoryStorage, webStorage } from './session/storage.js';
import { followTabs } from './session/tabs.js';

let isWarned = false;

/**
 * Creates a client for one app and reads the stored session at once. Create one per program. Throws
 * `client/invalid-argument` when `baseUrl` or `appKey` is malformed. `createClient<{ role: 'editor' | 'reader' }>(…)`
 * declares the custom claims of the app's users, for `claims(client)`.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://accounts.example.com/api/v2', appKey: 'pk_…' });
 * await client.auth.signIn({ email, password });
 * const user = await client.me.get();
 */
export function createClient<Claims extends object = object>(options: ClientOptions): Client<Claims> {
  requireOptions(options);
  const core: Core = {
    ...createSender(options),
    tokenStorage: options.storage ?? (globalThis.document ? webStorage() : memoryStorage()),
    storageKey: `foyer.${options.appKey.trim().replace(/[^\w.-]/g, '_')}`,
    flows: {},
    lastWrite: Promise.resolve(),
    authState: { status: 'loading' },
    listeners: new Set(),
    active: null,
    signOutCount: 0,
    signedOut: new Set(),
    endings: new Set(),
    pending: new Map(),
    closing: new AbortController(),
    recover: () => {},
  };
  const isMissing = !(options.storage ?? globalThis.document);
  if (isMissing || core.tokenStorage.isFallback) core.emit({ type: 'memory-storage' });
  if (isMissing) {
    // Once per program: a server may create a client per request.
    if (!isWarned) console.warn('Foyer: the session is in memory. Set the option storage.');
    isWarned = true;
  }
  core.cache = options.keepAccessToken?.(core);
  core.v1 = options.migrateV1?.(core);
  core.recover = createRecovery(core);
  followTabs(core);
  ready(core).catch(() => {}); // The first call that requires the session retries.
  return withCore<Client<Claims>>(
    {
      auth: createAuth(core),
      me: createMe(core),
      dispose() {
        core.listeners.clear();
        core.closing.abort();
      },
    },
    core,
  );
}
