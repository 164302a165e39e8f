// Converts a message to the payload of each provider.
import { createHash } from 'node:crypto';
import { limits } from '@foyer/contract';
import type { ApnsMessage } from '../../../engines/push-senders/index.js';
import { secondsOf } from '../../lib/timestamp.js';
import type { Content } from './columns.js';

/** FCM HTTP v1, `Message`. */
export function fcmMessage(content: Content, token: string, now: Date): object {
  const { notification, data, options } = content;
  const ttl = options.ttl_seconds;
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
      priority: options.priority === 'normal' ? 'NORMAL' : 'HIGH',
      ...(ttl !== undefined && { ttl: `${ttl}s` }),
      ...(options.collapse_key && { collapse_key: options.collapse_key }),
      ...(options.sound && notification && { notification: { sound: options.sound } }),
    },
    apns: { headers: apnsHeaders(content, now), payload: { aps: apsOf(content) } },
    webpush: { headers: webPushHeaders(content) },
  };
}

/** The headers and the body of APNs. */
export function apnsMessage(
  content: Content,
  bundleId: string,
  now: Date,
): Pick<ApnsMessage, 'headers' | 'body'> {
  const { notification, data } = content;
  return {
    headers: {
      'apns-topic': bundleId,
      'apns-push-type': notification ? 'alert' : 'background',
      ...apnsHeaders(content, now),
    },
    body: JSON.stringify({
      ...data,
      ...(notification?.image_url && { image_url: notification.image_url }),
      aps: apsOf(content),
    }),
  };
}

/** The headers of RFC 8030; the body is for the app's service worker. */
export function webPushMessage(content: Content): { headers: Record<string, string>; body: string } {
  const { notification, data } = content;
  return {
    headers: webPushHeaders(content),
    body: JSON.stringify({ ...(notification && { notification }), ...(data && { data }) }),
  };
}

function apnsHeaders({ notification, options }: Content, now: Date): Record<string, string> {
  const { collapse_key: key, priority, ttl_seconds: ttl = limits.maxPushTtlSeconds } = options;
  return {
    'apns-priority': priority !== 'normal' && notification ? '10' : '5',
    'apns-expiration': ttl === 0 ? '0' : String(secondsOf(now) + ttl),
    // A character that no header may have would break the stream of the message.
    ...(key && { 'apns-collapse-id': /^[!-~]([ -~]*[!-~])?$/.test(key) ? key : hashOf(key) }),
  };
}

function webPushHeaders({ options }: Content): Record<string, string> {
  const { collapse_key: key, priority, ttl_seconds: ttl = limits.maxPushTtlSeconds } = options;
  return {
    TTL: String(ttl),
    Urgency: priority === 'normal' ? 'normal' : 'high',
    ...(key && { Topic: hashOf(key) }),
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

/** Topic (RFC 8030) allows no more: 32 characters of base64url. */
function hashOf(collapseKey: string): string {
  return createHash('sha256').update(collapseKey).digest('base64url').slice(0, 32);
}
