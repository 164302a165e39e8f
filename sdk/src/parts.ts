// What a client is made of, for the capabilities that an app takes by importing their function (`files(client)`): whoever
// does not import one does not carry it.
import type { Client, ClientOptions } from './api.js';
import type { Call, SendRepeated } from './call.js';
import type { Emit } from './events.js';
import type { Send } from './http.js';
import type { SessionKeeper } from './session-keeper.js';

export type Parts = {
  options: ClientOptions;
  fetch: typeof fetch;
  /** One request, with the bearer given, or none. */
  send: Send;
  /** The same, repeated where that is safe. */
  sendRepeated: SendRepeated;
  /** A call as the signed-in user. */
  call: Call;
  keeper: SessionKeeper;
  emit: Emit;
};

/** By client, of `createClient` alone. */
export const partsOf = new WeakMap<Client, Parts>();
