// Push: registers this device and its topics, and again when the signed-in user changes, because signing out alone does not
// stop a user's messages.
import type { CallOptions, Client, PageList, RepeatableCallOptions } from '../api.js';
import { FoyerError, isFoyerError } from '../errors.js';
import type { PageQuery, PushDevice, PushRegistration } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import { bounded } from '../http/bounded.js';
import { withRetries } from '../http/retry.js';
import { send } from '../http/send.js';
import type { Page } from '../models.js';
import { call, callOptionalUser } from '../session/call.js';
import { coreOf } from '../session/core.js';
import { uidOf } from '../session/restore.js';
import type { TokenStorage } from '../session/storage.js';
import { createPageList } from './page-list.js';
import { type WebPushWorker, webRegistration } from './push-web.js';

export interface PushOptions {
  /** Stores the registration, so that a sign-out while offline is synchronized at the next start. */
  storage?: Pick<TokenStorage, 'get' | 'set' | 'remove'> | undefined;
}

export interface Push {
  /**
   * Registers the device for the signed-in user, or for none. Call it at each start and when the platform issues a new
   * token.
   */
  register(registration: PushRegistration, options?: CallOptions): Promise<PushDevice>;
  /**
   * Subscribes the browser to Web Push with the app's public key, and registers the subscription. Call it in a click
   * handler the first time, because browsers ask the user; then at each start. The service worker must be active, as that
   * of `navigator.serviceWorker.ready` is. Rejects with the browser's `NotAllowedError` when the user has refused
   * notifications, and with `push/provider-not-configured` when the app has no Web Push key.
   *
   * @example
   * await navigator.serviceWorker.register('/worker.js');
   * await device.registerWeb(await navigator.serviceWorker.ready);
   */
  registerWeb(worker: WebPushWorker, options?: CallOptions): Promise<PushDevice>;
  /** Deletes the registration at the service and in the storage. */
  unregister(options?: RepeatableCallOptions): Promise<void>;
  /** Subscribes this registered device to a topic: 1 to 100 letters, digits or characters of `_.~%-`. */
  subscribe(topic: string, options?: RepeatableCallOptions): Promise<void>;
  /** Unsubscribes this device from a topic. */
  unsubscribe(topic: string, options?: RepeatableCallOptions): Promise<void>;
  /** The signed-in user's devices, newest first. */
  devices(query?: PageQuery, options?: RepeatableCallOptions): PageList<PushDevice>;
  /** Returns the `applicationServerKey` for the browser's `pushManager.subscribe`. */
  webKey(options?: CallOptions): Promise<string>;
}

/** The current registration, its device id, and the user that the service has registered it for. */
type Registered = { registration: PushRegistration; id: string; uid: string | null };

const storageMs = 3_000;
const maxRetries = 2;

/**
 * Returns the push methods of a client. Create it once at startup: it updates the registration after each sign-in and
 * sign-out. Throws `client/invalid-argument` when `client` was not created by `createClient`.
 *
 * @example
 * const device = push(client, { storage: webStorage() });
 * await device.register({ provider: 'fcm', platform: 'android', token });
 * await device.subscribe('news');
 */
export function push(client: Client, { storage }: PushOptions = {}): Push {
  const core = coreOf(client);
  const key = `foyer.push.${core.options.appKey.replace(/[^A-Za-z0-9._-]/g, '_')}`;
  let registered: Registered | undefined;
  // Serializes the registrations, so that the last one requested is the last one sent.
  let last: Promise<unknown> = restore();

  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const own = last.then(work);
    last = own.catch(() => {});
    return own;
  }

  /** Ignores read errors: the app calls `register` at each start. */
  async function restore(): Promise<void> {
    try {
      const stored = JSON.parse(
        (storage && (await bounded(async () => storage.get(key), storageMs))) ?? 'null',
      );
      if (typeof stored?.id === 'string' && stored.registration instanceof Object) registered ??= stored;
    } catch {}
  }

  async function store(next: Registered | undefined): Promise<void> {
    registered = next;
    try {
      await bounded(
        async () => (next ? storage?.set(key, JSON.stringify(next)) : storage?.remove(key)),
        storageMs,
      );
    } catch {}
  }

  async function put(body: PushRegistration, callOptions?: CallOptions): Promise<PushDevice> {
    const device = await callOptionalUser<PushDevice>(core, 'POST /push/devices', { body }, callOptions);
    await store({ registration: body, id: device.id, uid: device.user_uid });
    return device;
  }

  async function sync(): Promise<void> {
    const { state } = client.auth;
    if (!registered || state.status === 'loading') return;
    const { registration, uid } = registered;
    if (uid === (state.status === 'signedIn' ? state.uid : null)) return;
    await withRetries(core, () => put(registration), maxRetries);
  }

  /** The device, registered for the current user: the service refuses the requests of any other. */
  async function synced(): Promise<Registered | undefined> {
    await client.auth.ready();
    await sync();
    return registered;
  }

  client.auth.onStateChange(() =>
    enqueue(sync).catch((error) => {
      // An update that failed offline is retried at the next state change or start.
      if (!isFoyerError(error)) throw error;
    }),
  );

  function ofDevice(
    route: Route & `${string}/devices/:id${string}`,
    topic: string,
    options?: RepeatableCallOptions,
  ) {
    return enqueue(async () => {
      const device = await synced();
      if (!device) throw new FoyerError('client/invalid-argument', 'The device is not registered.');
      await callOptionalUser<void>(core, route, { params: { id: device.id, topic } }, options);
    });
  }

  async function webKey(callOptions?: CallOptions): Promise<string> {
    return (await send<{ public_key: string }>(core, 'GET /push/web-key', {}, callOptions)).public_key;
  }

  function register(registration: PushRegistration, callOptions?: CallOptions): Promise<PushDevice> {
    return enqueue(() => put(registration, callOptions));
  }

  return {
    register,
    async registerWeb(worker, callOptions) {
      // Other calls do not wait until the user has answered the browser.
      return register(await webRegistration(worker, await webKey(callOptions)), callOptions);
    },
    unregister: (callOptions) =>
      enqueue(async () => {
        const device = await synced();
        if (!device) return;
        const params = { id: device.id };
        await callOptionalUser<void>(core, 'DELETE /push/devices/:id', { params }, callOptions).catch(
          (error) => {
            // The service has deleted it already, for example because its token was invalid for a month.
            if (!isFoyerError(error, 'push/device-not-found')) throw error;
          },
        );
        await store(undefined);
      }),
    subscribe: (topic, callOptions) => ofDevice('PUT /push/devices/:id/topics/:topic', topic, callOptions),
    unsubscribe: (topic, callOptions) =>
      ofDevice('DELETE /push/devices/:id/topics/:topic', topic, callOptions),
    devices: (query, callOptions) =>
      createPageList(
        (page) => call<Page<PushDevice>>(core, 'GET /push/devices', { query: page }, callOptions),
        query,
        () => uidOf(core),
      ),
    webKey,
  };
}
