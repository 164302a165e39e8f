// The state of one client, which the functions of the SDK share. A feature that an app does not import is not bundled.
import type { AccessTokenCache, AuthState, Client, ClientOptions } from './api.js';
import { FoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { User } from './generated/models.js';
import type { StorageChannel, TokenStorage } from './storage.js';
import type { V1Exchange } from './v1-migration.js';

/** A session as the storage contains it. */
export interface Stored {
  refreshToken: string;
  uid: string;
  /** Tells the sessions of this device apart. */
  id?: number | undefined;
  /** Number of refreshes, by which tabs recognize the newest token. */
  refreshes: number;
}

/** The access token of a session. */
export interface Access {
  bearer: string;
  /** The `refreshes` of the refresh token that it came with. */
  refreshes: number;
  ageMs: () => number;
  lifeMs: number;
}

/** The session in memory: its tokens and their state. */
export interface ActiveSession extends Stored {
  access?: Access;
  user?: User | undefined;
  /** True while the storage still contains an older refresh token. */
  unsaved?: boolean;
  /** The refresh token that was sent last, the time since its first send, and whether a response of the service is missing. */
  sent?: { refreshToken: string; ageMs: () => number; isLost?: boolean };
  /** The pending renewal, shared by its callers. */
  renewal?: Promise<void> | undefined;
  /** The last rejected refresh, with the delay that the service requires before the next. */
  backoff?: { error: FoyerError; ageMs: () => number };
  /** Aborts the session's pending refresh when the session ends. */
  ended: AbortController;
}

/** A session that the service has yet to end. */
export interface Ending extends Pick<ActiveSession, 'refreshToken' | 'refreshes' | 'access' | 'user'> {
  /** Undefined for a session from the storage, which other tabs may be ending too. */
  uid?: string;
  /** The user's other sessions are to be ended too. */
  everywhere?: boolean | undefined;
  /** The pending attempt, shared by its callers. */
  ending?: Promise<boolean> | undefined;
}

/** What a request requires. */
export interface Sender {
  options: ClientOptions;
  fetchNow: typeof fetch;
  emit: Emit;
  /** The token that identifies this device, from the storage or a later response; stored with the session. */
  device?: string | null | undefined;
  /** The flow of each code that was requested here; undefined in a client without sign-in. */
  flows?: Record<string, string | null | undefined>;
}

export interface Core extends Sender {
  tokenStorage: TokenStorage;
  /** The key of the stored session, and the name of its lock and channel. */
  storageKey: string;
  /** What the last write is to store. */
  latest?: Stored | null;
  lastWrite: Promise<unknown>;
  authState: AuthState;
  listeners: Set<(state: AuthState, previous: AuthState) => void>;
  active: ActiveSession | null;
  cache?: ReturnType<AccessTokenCache> | undefined;
  v1?: ReturnType<V1Exchange> | undefined;
  /** The pending restore, shared by its callers. */
  restoring?: Promise<void> | undefined;
  signOutCount: number;
  /** Sessions that were signed out here: a refresh that another tab completes later must not restore them. */
  signedOut: Set<number | undefined>;
  endings: Set<Ending>;
  /** Settles with the sign-ins under way: the end of a user's every session waits for them. */
  signingIn?: Promise<unknown> | undefined;
  /** The channel to the other tabs. */
  peers?: StorageChannel | undefined;
  /** Aborts when the client is disposed of. */
  closing: AbortController;
  /** Starts to recover, unless nothing failed or it has started; if the service is reachable, at once. */
  recover: (isReachable?: boolean) => void;
}

/** The cores of the clients of `createClient`. */
export const cores = new WeakMap<Client, Core>();

/** The core of a client, for the features that an app imports as functions, such as `files(client)`. */
export function coreOf(client: Client): Core {
  const core = cores.get(client);
  if (core) return core;
  throw new FoyerError('client/invalid-argument', 'The client was not created by createClient.');
}
