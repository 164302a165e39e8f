// Converts a message to the payload of each provider.
import { createHash } from 'node:crypto';
import { limits } from '@foyer/contract';
import type { ApnsMessage } from '../../lib/push/apns.js';
import { secondsOf } from '../../lib/timestamp.js';
import type { Content } from './store.js';

/** FCM HTTP v1, `Message`. */
export function fcmMessage({ notification, data, options }: Content, token: string): object {
  const ttl = options.ttl_seconds;
  const high = options.priority !== 'normal';
  return {
    token,
    ...(notification && {
      notification: {
        title: notification.title,
        body: notification.body,
        ...(notification.image_url && { image: notification.image_url }),
      },
    }),
    ...(data && { data }),
    android: {
      priority: high ? 'HIGH' : 'NORMAL',
      ...(ttl !== undefined && { ttl: `${ttl}s` }),
      ...(options.collapse_key && { collapse_key: options.collapse_key }),
      ...(options.sound && notification && { notification: { sound: options.sound } }),
    },
    apns: {
      headers: {
        'apns-priority': high && notification ? '10' : '5',
        ...collapseHeader(options),
      },
      payload: { aps: apsOf({ notification, data, options }) },
    },
    webpush: { headers: { Urgency: high ? 'high' : 'normal', ...(ttl !== undefined && { TTL: `${ttl}` }) } },
  };
}

/** The headers and the body of APNs. */
export function apnsMessage(
  content: Content,
  bundleId: string,
  now: Date,
): Pick<ApnsMessage, 'headers' | 'body'> {
  const { notification, data, options } = content;
  const high = options.priority !== 'normal' && notification !== null;
  const ttl = options.ttl_seconds ?? limits.maxPushTtlSeconds;
  return {
    headers: {
      'apns-topic': bundleId,
      'apns-push-type': notification ? 'alert' : 'background',
      'apns-priority': high ? '10' : '5',
      'apns-expiration': ttl === 0 ? '0' : String(secondsOf(now) + ttl),
      ...collapseHeader(options),
    },
    body: JSON.stringify({
      ...data,
      ...(notification?.image_url && { image_url: notification.image_url }),
      aps: apsOf(content),
    }),
  };
}

/** The headers of RFC 8030; the body is for the app's service worker. */
export function webPushMessage({ notification, data, options }: Content): {
  headers: Record<string, string>;
  body: string;
} {
  const { collapse_key: collapseKey } = options;
  return {
    headers: {
      TTL: String(options.ttl_seconds ?? limits.maxPushTtlSeconds),
      Urgency: options.priority === 'normal' ? 'normal' : 'high',
      ...(collapseKey && { Topic: hashOf(collapseKey) }),
    },
    body: JSON.stringify({ ...(notification && { notification }), ...(data && { data }) }),
  };
}

function apsOf({ notification, options }: Content): object {
  return {
    ...(notification
      ? { alert: { title: notification.title, body: notification.body } }
      : { 'content-available': 1 }),
    ...(notification?.image_url && { 'mutable-content': 1 }),
    ...(options.badge !== undefined && { badge: options.badge }),
    ...(options.sound && notification && { sound: options.sound }),
  };
}

/** A key with a character that no header may have is hashed: it would break the stream of the message. */
function collapseHeader({ collapse_key: key }: Content['options']): { 'apns-collapse-id'?: string } {
  if (!key) return {};
  return { 'apns-collapse-id': /^[!-~]([ -~]*[!-~])?$/.test(key) ? key : hashOf(key) };
}

/** As much as Topic (RFC 8030) allows: 32 characters of base64url. */
function hashOf(collapseKey: string): string {
  return createHash('sha256').update(collapseKey).digest('base64url').slice(0, 32);
}
