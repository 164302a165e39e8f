// Push devices, messages and receipts as the app's backend sees them, as the service's contract has them.

type PushProvider = 'fcm' | 'apns' | 'webpush';

/** A device; its push token is never returned. */
export interface PushDevice {
  id: string;
  provider: PushProvider;
  platform: 'ios' | 'android' | 'web';
  /** Of APNs: which of its two services knows the token. */
  environment: 'production' | 'sandbox';
  app_version: string | null;
  locale: string | null;
  name: string | null;
  topics: string[];
  /** `null` while it is linked to nobody. */
  user_uid: string | null;
  /** `invalid` once the provider said that the token is no more. */
  status: 'active' | 'invalid';
  created_at: string;
  last_registered_at: string;
}

export interface PushNotification {
  title: string;
  body: string;
  /** An https address of a picture. */
  image_url?: string | undefined;
}

export interface PushDelivery {
  /** How long the provider keeps the message for a device it cannot reach; 28 days when absent. */
  ttl_seconds?: number | undefined;
  /** `high` when absent; `normal` may wait until the device wakes anyhow. */
  priority?: 'high' | 'normal' | undefined;
  /** A later message with the same key replaces one that has not been shown. */
  collapse_key?: string | undefined;
  /** The number on the icon, on iOS. */
  badge?: number | undefined;
  /** A sound of the app, or `default`. */
  sound?: string | undefined;
}

/** Whom a message is for: exactly one of these. */
export interface PushTarget {
  /** The devices of these users, at most 1,000. */
  uids?: string[] | undefined;
  /** These devices, at most 1,000. */
  device_ids?: string[] | undefined;
  /** Every device subscribed to it. */
  topic?: string | undefined;
  /** Every device of the app. */
  all?: true | undefined;
}

/** A message to send: a notification, data, or both. */
export interface NewPushMessage extends PushTarget {
  notification?: PushNotification | undefined;
  /** For the app itself, strings alone. */
  data?: Record<string, string> | undefined;
  options?: PushDelivery | undefined;
  /** Judges the message and counts its devices; nothing is kept or sent. */
  dry_run?: boolean | undefined;
}

/** A message that was taken. */
export interface PushSent {
  /** `null` after a dry run. */
  id: string | null;
  status: 'queued' | 'dry_run';
  /** Active devices that it is meant for now. */
  target_count: number;
}

/** A message and what became of it. */
export interface PushMessage {
  id: string;
  status: 'queued' | 'sending' | 'done' | 'failed';
  target: PushTarget;
  notification: PushNotification | null;
  data: Record<string, string> | null;
  options: PushDelivery;
  target_count: number;
  /** Devices whose provider took it; that it arrived is known to nobody. */
  accepted_count: number;
  failed_count: number;
  /** Devices whose token was found to be no more. */
  invalid_count: number;
  /** Why it was stopped. */
  error: string | null;
  created_at: string;
  finished_at: string | null;
}

/** What a provider said of one message and one device. */
export interface PushReceipt {
  device_id: string;
  provider: PushProvider;
  status: 'accepted' | 'failed' | 'invalid' | 'retrying';
  error: string | null;
  provider_message_id: string | null;
  attempts: number;
  updated_at: string;
}
