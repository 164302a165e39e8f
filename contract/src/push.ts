// Devices that an app can send push messages to, and their topics. Specification "Other endpoints" and "Authentication" 8.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { listUpTo, textUpTo } from './answer-values.js';
import {
  maxPushTokenCharacters,
  maxTopicCharacters,
  pushDevicesPerUser,
  pushTopicsPerDevice,
} from './limits.js';
import { meta } from './metadata.js';
import { dataEnvelope, PageQuery, pageOf, Timestamp, Ulid } from './schemas.js';
import { text } from './text.js';

const c = initContract();

export const pushProviders = ['fcm', 'apns', 'webpush'] as const;
export const pushPlatforms = ['ios', 'android', 'web'] as const;

const Provider = z
  .enum(pushProviders)
  .meta({ description: 'Whose token it is, and who carries the messages.', example: 'fcm' });
const Platform = z.enum(pushPlatforms).meta({ description: 'What the app runs on.', example: 'android' });
const Environment = z.enum(['production', 'sandbox']).meta({
  description: 'Of APNs: which of its two services knows the token.',
  example: 'production',
});

export const PushDevice = z
  .object({
    id: Ulid,
    provider: Provider,
    platform: Platform,
    environment: Environment,
    app_version: textUpTo(64).nullable().meta({ description: 'As the app gave it.', example: '2.4.0' }),
    locale: textUpTo(35).nullable().meta({ description: 'As the app gave it.', example: 'de-AT' }),
    name: textUpTo(100).nullable().meta({ description: 'As the app gave it.', example: "Ada's phone" }),
    topics: listUpTo(pushTopicsPerDevice, textUpTo(maxTopicCharacters)).meta({
      description: 'In order of their bytes.',
      example: ['news'],
    }),
    user_uid: Ulid.nullable().meta({ description: 'Whose device it is; null while it is linked to nobody.' }),
    status: z.enum(['active', 'invalid']).meta({
      description:
        '`invalid` once the provider said that the token is no more; registering again makes it active.',
      example: 'active',
    }),
    created_at: Timestamp,
    last_registered_at: Timestamp,
  })
  .meta({ id: 'PushDevice', description: 'A device; its push token is never returned.' });
export type PushDevice = z.infer<typeof PushDevice>;

export const DeviceInput = z.object({
  token: text(maxPushTokenCharacters).min(1).meta({
    description: "The provider's token; for Web Push the endpoint of the subscription, an https address.",
    example: 'fGw0qy4TQfmX:APA91bH5Vt',
  }),
  provider: Provider,
  platform: Platform,
  environment: Environment.default('production'),
  keys: z
    .object({
      p256dh: text(200).min(1).meta({
        description: 'The public key of the subscription, base64url.',
        example: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      }),
      auth: text(100).min(1).meta({
        description: 'The secret of the subscription, base64url.',
        example: 'BTBZMqHH6r4Tts7J_aSIgg',
      }),
    })
    .optional()
    .meta({ description: 'Needed for Web Push, and ignored for all others.' }),
  app_version: text(64).min(1).optional().meta({ description: 'The version of the app.', example: '2.4.0' }),
  locale: text(35).min(1).optional().meta({ description: 'A language tag.', example: 'de-AT' }),
  name: text(100)
    .min(1)
    .optional()
    .meta({ description: 'What the user calls the device.', example: "Ada's phone" }),
});
export type DeviceInput = z.infer<typeof DeviceInput>;

const DevicePath = z.object({ id: Ulid.meta({ description: 'The `id` of the device.' }) });
const TopicPath = DevicePath.extend({
  topic: textUpTo(maxTopicCharacters).meta({
    description: '1 to 100 letters, digits or characters of `_.~%-`; percent-encoded in the path.',
    example: 'news',
  }),
});

export const push = c.router({
  register: {
    method: 'POST',
    path: '/push/devices',
    summary: 'Register a push token',
    description:
      'Call it at every start, after every sign-in and after every sign-out. With an access token the device becomes ' +
      "the user's, whoever had it before; without one it is linked to nobody, and the user's messages no longer reach " +
      'it. Signing out alone changes nothing. A known token keeps its id and its topics, and one that was invalid is ' +
      `active again. A user has at most ${pushDevicesPerUser} devices: one more unlinks the one registered longest ago.`,
    body: DeviceInput,
    responses: { 200: dataEnvelope(PushDevice), 201: dataEnvelope(PushDevice) },
    metadata: meta({ auth: 'optional-user', rateLimit: 'client', errors: ['push/invalid-token'] }),
  },
  list: {
    method: 'GET',
    path: '/push/devices',
    summary: "List the user's devices",
    description: 'Newest first.',
    query: PageQuery,
    responses: { 200: dataEnvelope(pageOf(PushDevice)) },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
  delete: {
    method: 'DELETE',
    path: '/push/devices/:id',
    summary: 'Forget a device',
    description:
      "A user's device is deleted by that user alone; one that is linked to nobody by whoever knows its id, which " +
      'only the app that registered it was told.',
    pathParams: DevicePath,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({ auth: 'optional-user', rateLimit: 'client', errors: ['push/device-not-found'] }),
  },
  subscribe: {
    method: 'PUT',
    path: '/push/devices/:id/topics/:topic',
    summary: 'Subscribe a device to a topic',
    description:
      'Whoever may delete a device may subscribe it. A device keeps its topics, whoever it is linked to; it has at ' +
      `most ${pushTopicsPerDevice} of them.`,
    pathParams: TopicPath,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({
      auth: 'optional-user',
      rateLimit: 'client',
      errors: ['push/device-not-found', 'push/invalid-topic', 'push/too-many-topics'],
    }),
  },
  unsubscribe: {
    method: 'DELETE',
    path: '/push/devices/:id/topics/:topic',
    summary: 'Unsubscribe a device from a topic',
    description: 'Also answers 204 where the device was not subscribed.',
    pathParams: TopicPath,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({
      auth: 'optional-user',
      rateLimit: 'client',
      errors: ['push/device-not-found', 'push/invalid-topic'],
    }),
  },
  webKey: {
    method: 'GET',
    path: '/push/web-key',
    summary: 'Read the key that browsers subscribe with',
    description: "The `applicationServerKey` for the browser's `pushManager.subscribe` (RFC 8292).",
    responses: {
      200: dataEnvelope(
        z.object({
          public_key: textUpTo(100).meta({
            description: 'An uncompressed P-256 point, base64url.',
            example:
              'BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo',
          }),
        }),
      ),
    },
    metadata: meta({ auth: 'app-key', rateLimit: 'client', errors: ['push/provider-not-configured'] }),
  },
});
