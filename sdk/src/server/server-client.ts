// A client for one request of the app's own backend: one access token, which it does not renew. It stores nothing and
// shares nothing, so no user's data can reach another's response.
import type { Client, ClientOptions, Me } from '../api.js';
import { FoyerError } from '../errors.js';
import { fetchAsUser } from '../features/authorized-fetch.js';
import { type Collection, collection } from '../features/collection.js';
import { type Files, files } from '../features/files.js';
import { createMe } from '../features/me.js';
import { type RemoteConfig, remoteConfig } from '../features/remote-config.js';
import { requireOptions } from '../http/required-options.js';
import { createSender } from '../http/send.js';
import { uncached } from '../http/uncached.js';
import { type ActiveSession, type Core, withCore } from '../session/core.js';
import { memoryStorage } from '../session/storage.js';

export interface ServerClientOptions
  extends Pick<
    ClientOptions,
    'baseUrl' | 'appKey' | 'fetch' | 'headers' | 'timeoutMs' | 'maxRetries' | 'onEvent'
  > {
  /** The access token of the user whose request is answered; `null` for a visitor who is not signed in. */
  accessToken: string | null | undefined;
}

export interface ServerClient {
  /** The user's profile, account and devices. */
  readonly me: Me;
  /** The user's files. */
  readonly files: Files;
  /** The app's remote config. */
  readonly config: RemoteConfig;
  /** The access to a collection that the app declares, with the user's rights. */
  collection<T extends object = Record<string, unknown>>(name: string): Collection<T>;
  /** `fetch` with the user's access token as bearer token. Call only URLs that may receive the token. */
  fetch(input: string, init?: RequestInit): Promise<Response>;
}

/**
 * Creates a client for one request to the app's own backend. Create one per request; it has no timers, no storage and no
 * session to renew. A call whose access token the service refuses rejects with `auth/invalid-token`. Throws
 * `client/invalid-argument` when `baseUrl` or `appKey` is malformed.
 *
 * @example
 * const { accessToken } = sessions.read(request.headers) ?? {};
 * const user = await createServerClient({ baseUrl, appKey, accessToken }).me.get();
 */
export function createServerClient({ accessToken, ...options }: ServerClientOptions): ServerClient {
  requireOptions(options);
  const active = accessToken ? sessionOf(accessToken) : null;
  const core: Core = {
    ...createSender({ ...options, fetch: uncached(options.fetch) }),
    tokenStorage: memoryStorage(),
    storageKey: '',
    flows: {},
    lastWrite: Promise.resolve(),
    authState: active
      ? { status: 'signedIn', uid: active.uid, user: null, online: true }
      : { status: 'signedOut' },
    listeners: new Set(),
    active,
    signOutCount: 0,
    signedOut: new Set(),
    endings: new Set(),
    pending: new Map(),
    closing: new AbortController(),
    recover: () => {},
  };
  const client = withCore({} as Client, core);
  return {
    me: createMe(core),
    files: files(client),
    config: remoteConfig(client),
    collection: (name) => collection(client, name),
    fetch: (input, init) => fetchAsUser(core, input, init),
  };
}

/** A session that has one access token for ever: a renewal, which only a refused token causes, has failed already. */
function sessionOf(bearer: string): ActiveSession {
  const renewal = Promise.reject(
    new FoyerError(
      'auth/invalid-token',
      'The service refuses the access token, which a server client does not renew.',
      { status: 401 },
    ),
  );
  renewal.catch(() => {}); // The call that needs it reports it.
  const access = { bearer, refreshes: 0, ageMs: () => 0, lifeMs: Number.POSITIVE_INFINITY };
  const stored = { refreshToken: '', uid: '', refreshes: 0 };
  return { ...stored, online: true, access, renewal, ended: new AbortController() };
}
