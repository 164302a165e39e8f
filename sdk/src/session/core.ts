// The state of one client, which the functions of the SDK share. A feature that an app does not import is not bundled.
import type { AccessTokenCache, AuthState, Client, ClientOptions } from '../api.js';
import { FoyerError } from '../errors.js';
import type { Emit } from '../events.js';
import type { V1Exchange } from '../features/v1-migration.js';
import type { User } from '../generated/models.js';
import type { StorageChannel, TokenStorage } from './storage.js';

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
  /** False after a failure, until the service answers. */
  online: boolean;
  /** True while the storage still contains an older refresh token. */
  unsaved?: boolean;
  /** The refresh token that was sent last, and the time since its first send. */
  sent?: { refreshToken: string; ageMs: () => number };
  /** The refresh token that the service may have spent: a response is missing. */
  lostToken?: string;
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

/** Options, fetch and event handler of every request. */
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
  /** The value that the pending write stores. */
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
  /** Settles after the sign-ins in progress; a sign-out everywhere waits for it. */
  signingIn?: Promise<unknown> | undefined;
  /** The access token that the app's backend refused although it was new. */
  refused?: string;
  /** The sign-ins and other proofs in progress, by route and body. */
  pending: Map<string, Promise<unknown>>;
  /** The channel to the other tabs. */
  peers?: StorageChannel | undefined;
  /** Aborts when the client is disposed of. */
  closing: AbortController;
  /** Starts to recover, unless nothing failed or it has started; if the service is reachable, at once. */
  recover: (isReachable?: boolean) => void;
}

/** The same in every copy of the package. The value is a function, because a proxy of a framework wraps objects only. */
const coreKey = Symbol.for('foyer.core');
type WithCore = { [coreKey]?: () => Core };

/** Adds the core to a client; a copy of the client has it too. */
export function withCore<C extends Client>(client: C, core: Core): C {
  return Object.assign(client, { [coreKey]: () => core });
}

/** The core of a client, for the features that an app imports as functions, such as `files(client)`. */
export function coreOf(client: Client): Core {
  const core = (client as WithCore)[coreKey]?.();
  if (core) return core;
  throw new FoyerError('client/invalid-argument', 'The client was not created by createClient.');
}
