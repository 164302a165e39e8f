// What the calls of push take and give, as the service's contract has it.

export type PushProvider = 'fcm' | 'apns' | 'webpush';
export type PushPlatform = 'ios' | 'android' | 'web';

/** What an app knows of the device that it runs on. */
export interface PushRegistration {
  /** The provider's token; for Web Push the `endpoint` of the subscription. */
  token: string;
  provider: PushProvider;
  platform: PushPlatform;
  /** Of APNs: `sandbox` for a development build. `production` when absent. */
  environment?: 'production' | 'sandbox' | undefined;
  /** Of the Web Push subscription, base64url: `subscription.toJSON().keys`. */
  keys?: { p256dh: string; auth: string } | undefined;
  appVersion?: string | undefined;
  /** A language tag. */
  locale?: string | undefined;
  name?: string | undefined;
}

/** A device as the service knows it; the token is never returned. */
export interface PushDevice {
  id: string;
  provider: PushProvider;
  platform: PushPlatform;
  environment: 'production' | 'sandbox';
  app_version: string | null;
  locale: string | null;
  name: string | null;
  topics: string[];
  /** Whose messages it gets; null while it is linked to nobody. */
  user_uid: string | null;
  /** `invalid` once the provider said that the token is no more. */
  status: 'active' | 'invalid';
  created_at: string;
  last_registered_at: string;
}
