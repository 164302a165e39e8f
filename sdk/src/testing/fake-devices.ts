// The push devices of the fake service.
import type { PushDevice } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import {
  type Call,
  data,
  forAnyone,
  forAnyUser,
  forUser,
  type Handlers,
  noContent,
  pageOf,
  Refusal,
} from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import { accept, nested, oneOf, optional, text } from './fake-input.js';

/** A point of P-256, as `pushManager.subscribe` requires. */
const webKey = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

const tokenFormats: Record<string, RegExp> = {
  fcm: /^[\w:.%~-]+$/,
  apns: /^(?:[0-9A-Fa-f]{2}){32,100}$/,
};

export function deviceHandlers(clock: FakeClock) {
  /** By provider and token. */
  const devices = new Map<string, PushDevice>();

  function register({ body, session }: Call) {
    const input = accept(body, {
      token: text(4_096),
      provider: oneOf('fcm', 'apns', 'webpush'),
      platform: oneOf('ios', 'android', 'web'),
      environment: optional(oneOf('production', 'sandbox')),
      keys: optional(nested({ p256dh: text(200), auth: text(100) })),
      app_version: optional(text(64)),
      locale: optional(text(35)),
      name: optional(text(100)),
    });
    if (input.provider === 'webpush' && !input.token.startsWith('https://')) {
      throw new Refusal('push/invalid-token', { token: ['must be an https URL'] });
    }
    if (input.provider === 'webpush' && !input.keys) {
      throw new Refusal('push/invalid-token', { 'keys.p256dh': ['is required for Web Push'] });
    }
    const format = tokenFormats[input.provider];
    if (format && !format.test(input.token)) {
      throw new Refusal('push/invalid-token', { token: ['is not a token of the provider'] });
    }
    // Hex digits in either case are the same token.
    const token = input.provider === 'apns' ? input.token.toLowerCase() : input.token;
    const key = `${input.provider} ${token}`;
    const known = devices.get(key);
    const device: PushDevice = {
      id: known?.id ?? clock.newId(),
      provider: input.provider,
      platform: input.platform,
      environment: input.environment ?? 'production',
      app_version: input.app_version ?? null,
      locale: input.locale ?? null,
      name: input.name ?? null,
      topics: known?.topics ?? [],
      user_uid: session?.uid ?? null,
      status: 'active',
      created_at: known?.created_at ?? clock.timestamp(),
      last_registered_at: clock.timestamp(),
    };
    devices.set(key, device);
    return data(device, known ? 200 : 201);
  }

  /** The device of the path: it belongs to no user, or to the caller. */
  function find({ params, session }: Call): [string, PushDevice] {
    const found = [...devices].find(([, { id }]) => id === params.id);
    if (!found || (found[1].user_uid ?? session?.uid) !== session?.uid)
      throw new Refusal('push/device-not-found');
    return found;
  }

  function topicOf({ params: { topic = '' } }: Call): string {
    if (/^[A-Za-z0-9_.~%-]{1,100}$/.test(topic)) return topic;
    throw new Refusal('push/invalid-topic');
  }

  const handlers = {
    'POST /push/devices': forAnyUser(register),
    'GET /push/devices': forUser((call) => {
      const own = [...devices.values()].filter(({ user_uid }) => user_uid === call.session.uid);
      return pageOf(own.reverse(), call);
    }),
    'DELETE /push/devices/:id': forAnyUser((call) => {
      devices.delete(find(call)[0]);
      return noContent;
    }),
    'PUT /push/devices/:id/topics/:topic': forAnyUser((call) => {
      const topic = topicOf(call);
      const [, device] = find(call);
      device.topics = [...new Set([...device.topics, topic])].sort();
      return noContent;
    }),
    'DELETE /push/devices/:id/topics/:topic': forAnyUser((call) => {
      const topic = topicOf(call);
      const [, device] = find(call);
      device.topics = device.topics.filter((each) => each !== topic);
      return noContent;
    }),
    'GET /push/web-key': forAnyone(() => data({ public_key: webKey })),
  } satisfies Partial<Handlers<Route>>;

  function unlinkFrom(uid: string): void {
    for (const device of devices.values()) if (device.user_uid === uid) device.user_uid = null;
  }

  return { handlers, devices, unlinkFrom };
}
