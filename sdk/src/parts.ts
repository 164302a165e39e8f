// The internals of a client, for the features that an app imports as functions (`files(client)`), so that bundlers drop
// unused ones.
import type { Client, ClientOptions } from './api.js';
import type { Call, SendRepeated } from './call.js';
import type { Emit } from './events.js';
import type { Send } from './http.js';
import type { SessionStore } from './session-store.js';

export type Parts = {
  options: ClientOptions;
  fetch: typeof fetch;
  /** Sends one request, with the given bearer token or none. */
  send: Send;
  /** As `send`, with retries of idempotent requests. */
  sendRepeated: SendRepeated;
  /** Sends a request as the signed-in user. */
  call: Call;
  sessionStore: SessionStore;
  emit: Emit;
};

/** Contains the clients of `createClient`. */
export const partsOf = new WeakMap<Client, Parts>();
