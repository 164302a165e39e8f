// Composes the client. Clients share nothing but the storage.
import type { Client, ClientOptions } from './api.js';
import { createAuth } from './auth.js';
import { createStateStream } from './auth-state.js';
import { createAuthorizedFetch } from './authorized-fetch.js';
import { createCall, createSendRepeated } from './call.js';
import { createDeviceHeaders } from './device-headers.js';
import { createEmit } from './events.js';
import { createSend } from './http.js';
import { createMe } from './me.js';
import { createV1Exchange } from './migrate-v1.js';
import { partsOf } from './parts.js';
import { requireOptions } from './required-options.js';
import { createSessionStore } from './session-store.js';
import { memoryStorage, webStorage } from './storage.js';
import { createVault } from './vault.js';

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
  const storage = options.storage ?? (typeof document === 'undefined' ? memoryStorage() : webStorage());
  // Resolved at each call, so that a polyfill or a test can replace the global later.
  const fetchNow: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const emit = createEmit(options.onEvent);
  const state = createStateStream(emit);
  const vault = createVault(storage, options.appKey, emit);
  const send = createSend(options, fetchNow, emit, createDeviceHeaders(vault));
  const refreshMarginMs = options.refreshMarginMs ?? 60_000;
  const v1 = options.migrateV1 && createV1Exchange(options.migrateV1, send, emit);
  const { keepAccessToken } = options;
  const parts = { storage, vault, state, send, emit, refreshMarginMs, keepAccessToken, v1 };
  const sessionStore = createSessionStore(parts);
  const sendRepeated = createSendRepeated(options, send, emit);
  const call = createCall(sessionStore, sendRepeated);
  const client: Client = {
    auth: createAuth(sessionStore, state, storage, send, call),
    me: createMe(call, sessionStore),
    fetch: createAuthorizedFetch(sessionStore, fetchNow),
    dispose: sessionStore.close,
  };
  partsOf.set(client, { options, fetch: fetchNow, send, sendRepeated, call, sessionStore, emit });
  return client;
}
