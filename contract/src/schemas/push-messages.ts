// Push messages and their receipts.
import { z } from 'zod';
import { Count, textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import {
  maxFailureCharacters,
  maxPushTtlSeconds,
  maxTopicCharacters,
  maxUrlCharacters,
  pushPayloadBytes,
  pushTargets,
} from '../limits.js';
import { pushProviders } from './push.js';
import { Timestamp, Ulid } from './values.js';

const Notification = z.strictObject({
  title: text({ min: 1, max: 1_000 }).meta({
    description: 'The first line.',
    example: 'Your table is ready',
  }),
  body: text({ min: 1, max: 4_000 }).meta({
    description: 'The text below it.',
    example: 'We keep it for 15 minutes.',
  }),
  image_url: text({ max: maxUrlCharacters })
    .refine((value) => /^https:\/\/[^\s/]/.test(value) && URL.canParse(value), 'must be an https address')
    .optional()
    .meta({ description: 'An https address of a picture.', example: 'https://images.example.com/table.jpg' }),
});

/** What FCM and APNs keep for themselves: a message with such a key would fail at one of them. */
const reservedKey = /^(aps|from|message_type|(google|gcm).*)$/;

const Data = z
  .record(
    text({ min: 1, max: 256 }).refine(
      (key) => !reservedKey.test(key),
      'is kept by the providers for themselves',
    ),
    textUpTo(pushPayloadBytes),
  )
  .meta({
    description:
      'For the app itself, strings alone. `aps`, `from`, `message_type`, `google…` and `gcm…` are no keys.',
    example: { order: '1042' },
  });

const Options = z.strictObject({
  ttl_seconds: z.number().int().min(0).max(maxPushTtlSeconds).optional().meta({
    description: 'How long the provider keeps the message for a device it cannot reach; 28 days when absent.',
    example: 3_600,
  }),
  priority: z.enum(['high', 'normal']).optional().meta({
    description: '`high` when absent; `normal` may wait until the device wakes anyhow.',
    example: 'high',
  }),
  collapse_key: text({ min: 1, max: 64 }).optional().meta({
    description: 'A later message with the same key replaces one that has not been shown.',
    example: 'order-1042',
  }),
  badge: z.number().int().min(0).max(1_000_000).optional().meta({
    description: 'The number on the icon, on iOS.',
    example: 1,
  }),
  sound: text({ min: 1, max: 64 })
    .optional()
    .meta({ description: "A sound of the app, or 'default', on iOS and Android.", example: 'default' }),
});

const Target = {
  uids: list(Ulid, { min: 1, max: pushTargets })
    .optional()
    .meta({
      description: `The devices of these users, at most ${pushTargets}; users who are not there are passed over.`,
      example: ['01JC4Q7M0RZ9X2V5T8W3Y6K1NB'],
    }),
  device_ids: list(Ulid, { min: 1, max: pushTargets })
    .optional()
    .meta({ description: `These devices, at most ${pushTargets}.`, example: ['01JC4Q7M0RZ9X2V5T8W3Y6K1NB'] }),
  topic: textUpTo(maxTopicCharacters).optional().meta({
    description: 'Every device subscribed to it. Whoever has the app key can subscribe one.',
    example: 'news',
  }),
  all: z.literal(true).optional().meta({
    description:
      'Every device of the app. Whoever has the app key can register one: nothing personal belongs here.',
    example: true,
  }),
};

export const PushMessageInput = z
  .strictObject({
    ...Target,
    notification: Notification.optional().meta({ description: 'What the device shows.' }),
    data: Data.optional(),
    options: Options.optional().meta({ description: 'How it is carried.' }),
    dry_run: z.boolean().optional().meta({
      description: 'Judges the message and counts its devices; nothing is kept or sent.',
      example: false,
    }),
  })
  .refine(({ notification, data }) => notification !== undefined || Object.keys(data ?? {}).length > 0, {
    path: ['notification'],
    message: 'a message needs a notification or at least one key of data',
  })
  .meta({
    example: {
      topic: 'news',
      notification: { title: 'Your table is ready', body: 'We keep it for 15 minutes.' },
      data: { order: '1042' },
    },
  });
export type PushMessageInput = z.infer<typeof PushMessageInput>;

export const Sent = z
  .object({
    id: Ulid.nullable().meta({ description: 'The id of the message; null after a dry run.' }),
    status: z
      .enum(['queued', 'dry_run'])
      .meta({ description: '`dry_run`: the message could be sent, and was not.', example: 'queued' }),
    target_count: Count.meta({ description: 'Active devices that it is meant for now.', example: 1 }),
  })
  .meta({ id: 'PushSent', description: 'A message that was taken.' });

export const PushMessage = z
  .object({
    id: Ulid,
    status: z.enum(['queued', 'sending', 'done', 'failed']).meta({
      description:
        '`queued`: not begun. `sending`: some devices are still to be tried, or tried again. `done`: nothing is left to ' +
        'do; it was taken for one device at least, or there was none that it could have gone to: none was meant, or every ' +
        'token was found to be no more. `failed`: it was stopped, because a provider refused the credentials or the ' +
        'message, or the app was switched off, and `error` says which; or it was taken for no device, though one of ' +
        'them might have got it.',
      example: 'done',
    }),
    target: z.object(Target).meta({ description: 'Whom it was meant for.' }),
    notification: Notification.nullable().meta({ description: 'As it was sent.' }),
    data: Data.nullable(),
    options: Options.meta({ description: 'As they were sent.' }),
    target_count: Count.meta({ description: 'Active devices when it was sent.', example: 1 }),
    accepted_count: Count.meta({
      description: 'Devices whose provider took it; that it arrived is known to nobody.',
      example: 1,
    }),
    failed_count: Count.meta({
      description:
        'Devices that did not get it, and are kept. Those that were not tried before it was stopped are in no count.',
      example: 0,
    }),
    invalid_count: Count.meta({ description: 'Devices whose token was found to be no more.', example: 0 }),
    error: textUpTo(maxFailureCharacters)
      .nullable()
      .meta({ description: 'Why it was stopped, or null.', example: null }),
    created_at: Timestamp,
    finished_at: Timestamp.nullable().meta({ description: 'When nothing was left to do.' }),
  })
  .meta({ id: 'PushMessage', description: 'A push message and what became of it.' });
export type PushMessage = z.infer<typeof PushMessage>;

export const PushReceipt = z
  .object({
    device_id: Ulid,
    provider: z.enum(pushProviders).meta({ description: 'Who carried it.', example: 'fcm' }),
    status: z.enum(['accepted', 'failed', 'invalid', 'retrying']).meta({
      description:
        '`accepted`: the provider took it, never that it arrived. `failed`: this device did not get it, and is kept. ' +
        '`invalid`: the token is no more. `retrying`: it is tried again.',
      example: 'accepted',
    }),
    error: textUpTo(maxFailureCharacters).nullable().meta({
      description: "The provider's word for what was wrong, or ours where it gave none.",
      example: null,
    }),
    provider_message_id: textUpTo(maxFailureCharacters)
      .nullable()
      .meta({ description: "The provider's name for what it took.", example: 'projects/p/messages/0:1' }),
    attempts: Count.min(1).meta({ description: 'How often it was tried.', example: 1 }),
    updated_at: Timestamp,
  })
  .meta({ id: 'PushReceipt', description: 'What a provider said of one message and one device.' });
export type PushReceipt = z.infer<typeof PushReceipt>;
