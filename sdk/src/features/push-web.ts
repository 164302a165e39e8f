// Subscribes a browser to Web Push (W3C Push API) with the app's public key.
import { FoyerError } from '../errors.js';
import type { PushRegistration } from '../generated/models.js';

/** The subscription of a browser: a `PushSubscription`. */
export interface WebPushSubscription {
  /** Ends the subscription. */
  unsubscribe(): Promise<boolean>;
  /** The endpoint, and the keys in base64url. */
  toJSON(): { endpoint?: string; keys?: Record<string, string> };
}

/** The part of a `ServiceWorkerRegistration` that Web Push uses. */
export interface WebPushWorker {
  /** The push manager of the service worker. */
  readonly pushManager: {
    getSubscription(): Promise<WebPushSubscription | null>;
    subscribe(options: {
      userVisibleOnly: boolean;
      applicationServerKey: string;
    }): Promise<WebPushSubscription>;
  };
}

/** What the service registers of a subscription. */
export async function webRegistration(
  { pushManager }: WebPushWorker,
  applicationServerKey: string,
): Promise<PushRegistration> {
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const subscription = await subscribe().catch(async (error: { name?: string }) => {
    // The browser holds a subscription with another key, from before the app's keys were changed.
    if (error.name !== 'InvalidStateError') throw error;
    await (await pushManager.getSubscription())?.unsubscribe();
    return subscribe();
  });
  const { endpoint, keys: { p256dh, auth } = {} } = subscription.toJSON();
  if (!endpoint || !p256dh || !auth) {
    throw new FoyerError('client/invalid-argument', 'The push subscription has no endpoint or keys.');
  }
  return { provider: 'webpush', platform: 'web', token: endpoint, keys: { p256dh, auth } };
}
