// Composes the client. Clients share nothing but the storage.
import type { Client, ClientOptions } from './api.js';
import { createAuth } from './auth.js';
import { authorizedFetch } from './authorized-fetch.js';
import { type Core, cores } from './core.js';
import { createSender } from './http.js';
import { createMe } from './me.js';
import { createRecovery } from './recovery.js';
import { requireOptions } from './required-options.js';
import { ready } from './restore.js';
import { memoryStorage, webStorage } from './storage.js';
import { followTabs } from './tabs.js';

/**
 * Creates a client for one app and reads the stored session at once. Create one per program. Throws
 * `client/invalid-argument` when `baseUrl` or `appKey` is malformed.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://accounts.example.com/api/v2', appKey: 'pk_…' });
 * await client.auth.signIn({ email, password });
 * const user = await client.me.get();
 */
export function createClient(options: ClientOptions): Client {
  requireOptions(options);
  const core: Core = {
    ...createSender(options),
    tokenStorage: options.storage ?? (typeof document === 'undefined' ? memoryStorage() : webStorage()),
    storageKey: `foyer.${options.appKey.replace(/[^A-Za-z0-9._-]/g, '_')}`,
    flows: {},
    lastWrite: Promise.resolve(),
    authState: { status: 'loading' },
    listeners: new Set(),
    active: null,
    signOutCount: 0,
    signedOut: new Set(),
    endings: new Set(),
    closing: new AbortController(),
    recover: () => {},
  };
  core.cache = options.keepAccessToken?.(core);
  core.v1 = options.migrateV1?.(core);
  core.recover = createRecovery(core);
  followTabs(core);
  ready(core).catch(() => {}); // The first call that requires the session retries.
  const client: Client = {
    auth: createAuth(core),
    me: createMe(core),
    fetch: (input, init) => authorizedFetch(core, input, init),
    dispose() {
      core.listeners.clear();
      core.closing.abort();
    },
  };
  cores.set(client, core);
  return client;
}
