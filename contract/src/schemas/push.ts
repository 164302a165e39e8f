// Devices that receive push messages.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { optional, optionalText, text } from '../input-values.js';
import {
  maxPushTokenCharacters,
  maxTopicCharacters,
  pushTopicsPerDevice,
  pushUnansweredHours,
  pushUnansweredMessages,
} from '../limits.js';
import { Timestamp, Ulid } from './values.js';

export const pushProviders = ['fcm', 'apns', 'webpush'] as const;

export const pushPlatforms = ['ios', 'android', 'web'] as const;

const Provider = z.enum(pushProviders).meta({
  description: 'The push provider that issued the token and delivers the messages.',
  example: 'fcm',
});

const Platform = z.enum(pushPlatforms).meta({ description: 'The platform of the app.', example: 'android' });

const Environment = z.enum(['production', 'sandbox']).meta({
  description: 'The APNs environment of the token.',
  example: 'production',
});

export const PushDevice = z
  .object({
    id: Ulid,
    provider: Provider,
    platform: Platform,
    environment: Environment,
    app_version: textUpTo(64).nullable().meta({ description: 'As sent by the app.', example: '2.4.0' }),
    locale: textUpTo(35).nullable().meta({ description: 'As sent by the app.', example: 'de-AT' }),
    name: textUpTo(100).nullable().meta({ description: 'As sent by the app.', example: "Ada's phone" }),
    topics: listUpTo(pushTopicsPerDevice, textUpTo(maxTopicCharacters)).meta({
      description: 'Sorted by bytes.',
      example: ['news'],
    }),
    user_uid: Ulid.nullable().meta({
      description: 'The user of the device; null if it is linked to no user.',
    }),
    status: z.enum(['active', 'invalid']).meta({
      description:
        '`invalid` after the provider rejected the token, or after the endpoint of a Web Push subscription did not ' +
        `answer ${pushUnansweredMessages} messages in a row over at least ${pushUnansweredHours} hours. Registering ` +
        'it again makes it active.',
      example: 'active',
    }),
    created_at: Timestamp,
    last_registered_at: Timestamp,
  })
  .meta({ id: 'PushDevice', description: 'A device; its push token is never returned.' });
export type PushDevice = z.infer<typeof PushDevice>;

export const DeviceInput = z.object({
  token: text({ min: 1, max: maxPushTokenCharacters }).meta({
    description: "The provider's token; for Web Push the endpoint of the subscription, an https URL.",
    example: 'fGw0qy4TQfmX:APA91bH5Vt',
  }),
  provider: Provider,
  platform: Platform,
  environment: z
    .preprocess((given) => given ?? 'production', Environment)
    .default('production') as unknown as z.ZodDefault<typeof Environment>,
  keys: optional(
    z.object({
      p256dh: text({ min: 1, max: 200 }).meta({
        description: 'The public key of the subscription, base64url.',
        example: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      }),
      auth: text({ min: 1, max: 100 }).meta({
        description: 'The secret of the subscription, base64url.',
        example: 'BTBZMqHH6r4Tts7J_aSIgg',
      }),
    }),
  ).meta({ description: 'Required for Web Push, ignored otherwise.' }),
  app_version: optionalText(text({ min: 1, max: 64 })).meta({
    description: 'The version of the app.',
    example: '2.4.0',
  }),
  locale: optionalText(text({ min: 1, max: 35 })).meta({ description: 'A language tag.', example: 'de-AT' }),
  name: optionalText(text({ min: 1, max: 100 })).meta({
    description: 'The name of the device, as chosen by the user.',
    example: "Ada's phone",
  }),
});
export type DeviceInput = z.infer<typeof DeviceInput>;
