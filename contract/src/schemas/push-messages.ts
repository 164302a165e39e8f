// Push messages and their receipts.
import * as z from 'zod';
import { Count, textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import {
  countedTopicDevices,
  maxCollapseKeyCharacters,
  maxFailureCharacters,
  maxPushBadge,
  maxPushBodyCharacters,
  maxPushSoundCharacters,
  maxPushTitleCharacters,
  maxPushTtlSeconds,
  maxTopicCharacters,
  maxUrlCharacters,
  pushAheadDays,
  pushPayloadBytes,
  pushTargets,
} from '../limits.js';
import { isUrl } from '../url.js';
import { PageQuery } from './envelopes.js';
import { pushProviders } from './push.js';
import { InstantInput, integer, Timestamp, Ulid } from './values.js';

const Notification = z.strictObject({
  title: text({ min: 1, max: maxPushTitleCharacters }).meta({
    description: 'The title.',
    example: 'Your table is ready',
  }),
  body: text({ min: 1, max: maxPushBodyCharacters }).meta({
    description: 'The text below the title.',
    example: 'We keep it for 15 minutes.',
  }),
  image_url: text({ max: maxUrlCharacters })
    .refine((value) => /^https:\/\/[^\s/]/.test(value) && isUrl(value), 'must be an https URL')
    .optional()
    .meta({ description: 'An https URL of an image.', example: 'https://images.example.com/table.jpg' }),
});

/** Keys reserved by FCM and APNs: a message with one of them would be rejected. */
const reservedKey = /^(aps|from|message_type|(google|gcm).*)$/;

const Data = z
  .record(
    text({ min: 1, max: 256 }).refine((key) => !reservedKey.test(key), 'is reserved by the push providers'),
    textUpTo(pushPayloadBytes),
  )
  .meta({
    description:
      'Custom data for the app; values are strings. The keys `aps`, `from`, `message_type`, `google…` ' +
      'and `gcm…` are reserved.',
    example: { order: '1042' },
  });

const Options = z.strictObject({
  ttl_seconds: integer({ min: 0, max: maxPushTtlSeconds }).optional().meta({
    description: 'How long the provider stores the message for an unreachable device; 28 days by default.',
    example: 3_600,
  }),
  priority: z.enum(['high', 'normal']).optional().meta({
    description: '`high` by default; `normal` may be delayed until the device is active.',
    example: 'high',
  }),
  collapse_key: text({ min: 1, max: maxCollapseKeyCharacters }).optional().meta({
    description: 'A later message with the same key replaces one that was not displayed yet.',
    example: 'order-1042',
  }),
  badge: integer({ min: 0, max: maxPushBadge }).optional().meta({
    description: 'The number on the app icon, on iOS.',
    example: 1,
  }),
  sound: text({ min: 1, max: maxPushSoundCharacters })
    .optional()
    .meta({ description: "A sound of the app, or 'default', on iOS and Android.", example: 'default' }),
});

const Target = {
  uids: list(Ulid, { min: 1, max: pushTargets })
    .optional()
    .meta({
      description: `The devices of these users, at most ${pushTargets}; unknown users are ignored.`,
      example: ['01JC4Q7M0RZ9X2V5T8W3Y6K1NB'],
    }),
  device_ids: list(Ulid, { min: 1, max: pushTargets })
    .optional()
    .meta({ description: `These devices, at most ${pushTargets}.`, example: ['01JC4Q7M0RZ9X2V5T8W3Y6K1NB'] }),
  topic: textUpTo(maxTopicCharacters).optional().meta({
    description: 'All devices subscribed to the topic. Any client with the app key can subscribe a device.',
    example: 'news',
  }),
  all: z.literal(true).optional().meta({
    description:
      'All devices of the app. Any client with the app key can register a device, so do not send personal data.',
    example: true,
  }),
};

export const PushMessageInput = z
  .strictObject({
    ...Target,
    notification: Notification.optional().meta({ description: 'The notification that the device displays.' }),
    data: Data.optional(),
    options: Options.optional().meta({ description: 'Delivery options.' }),
    send_at: InstantInput.optional().meta({
      description:
        `The time to send the message at, at most ${pushAheadDays} days ahead, to the devices that are registered by then. At ` +
        'once by default, and for a time in the past.',
      example: '2026-01-03T09:00:00Z',
    }),
    dry_run: z.boolean().optional().meta({
      description: 'Validates the message and counts its devices; nothing is stored or sent.',
      example: false,
    }),
  })
  .refine(({ notification, data }) => notification !== undefined || Object.keys(data ?? {}).length > 0, {
    path: ['notification'],
    message: 'must be present, unless data has at least one key',
  })
  .meta({
    example: {
      topic: 'news',
      notification: { title: 'Your table is ready', body: 'We keep it for 15 minutes.' },
      data: { order: '1042' },
      dry_run: true,
    },
  });
export type PushMessageInput = z.infer<typeof PushMessageInput>;

export const Sent = z
  .object({
    id: Ulid.nullable().meta({ description: 'The id of the message; null for a dry run.' }),
    status: z.enum(['queued', 'scheduled', 'dry_run']).meta({
      description: '`scheduled`: it is sent at `send_at`. `dry_run`: the message is valid and was not sent.',
      example: 'queued',
    }),
    target_count: Count.meta({
      description: 'The number of active devices that the message targets.',
      example: 1,
    }),
  })
  .meta({ id: 'PushSent', description: 'An accepted message.' });

export const PushMessage = z
  .object({
    id: Ulid,
    status: z.enum(['scheduled', 'queued', 'sending', 'done', 'failed', 'cancelled']).meta({
      description:
        '`scheduled`: it starts at `send_at`. `cancelled`: it was cancelled before. `queued`: not started. `sending`: for some devices an attempt or a retry is still due. `done`: ' +
        'finished; a provider accepted the message for at least one device, or no device could receive it, because ' +
        'it targeted none or all their tokens were invalid. `failed`: stopped because a provider rejected the ' +
        'credentials or the message, because the app was disabled, or because sending kept failing in the service, as ' +
        '`error` describes; or accepted for no device, although at least one token was valid.',
      example: 'done',
    }),
    target: z.object(Target).meta({ description: 'The target of the message.' }),
    notification: Notification.nullable().meta({ description: 'The notification that was sent.' }),
    data: Data.nullable(),
    options: Options.meta({ description: 'The options that were sent.' }),
    target_count: Count.meta({
      description:
        'The number of active devices when the message was sent; of a scheduled message, when it was scheduled.',
      example: 1,
    }),
    accepted_count: Count.meta({
      description:
        'Devices for which the provider accepted the message; delivery to the device is not known.',
      example: 1,
    }),
    failed_count: Count.meta({
      description:
        'Devices to which sending failed, and which remain registered. Devices that were not attempted before the ' +
        'message was stopped are not counted.',
      example: 0,
    }),
    invalid_count: Count.meta({ description: 'Devices whose token was found to be invalid.', example: 0 }),
    error: textUpTo(maxFailureCharacters)
      .nullable()
      .meta({ description: 'Why the message was stopped; null if it was not.', example: null }),
    send_at: Timestamp.nullable().meta({
      description: 'The time that the message is or was scheduled for; null if it was sent at once.',
      example: null,
    }),
    created_at: Timestamp,
    created_by: textUpTo(100).nullable().meta({
      description:
        'Who sent or scheduled it, as in the audit log; null for messages from before this was recorded.',
      example: 'secret_key:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    finished_at: Timestamp.nullable().meta({
      description: 'When sending finished, or the message was cancelled.',
    }),
  })
  .meta({ id: 'PushMessage', description: 'A push message and its delivery status.' });
export type PushMessage = z.infer<typeof PushMessage>;

export const PushReceipt = z
  .object({
    device_id: Ulid,
    uid: Ulid.nullable().meta({
      description: 'The user to whom the device belongs now; null without one.',
    }),
    provider: z.enum(pushProviders).meta({ description: 'The provider of the device.', example: 'fcm' }),
    status: z.enum(['accepted', 'failed', 'invalid', 'retrying']).meta({
      description:
        '`accepted`: the provider accepted the message; delivery to the device is not known. `failed`: sending ' +
        'failed, and the device remains registered. `invalid`: the token is invalid. `retrying`: another ' +
        'attempt follows.',
      example: 'accepted',
    }),
    error: textUpTo(maxFailureCharacters).nullable().meta({
      description: 'The error of the provider, or of the service if the provider returned none.',
      example: null,
    }),
    provider_message_id: textUpTo(maxFailureCharacters)
      .nullable()
      .meta({ description: 'The message id of the provider.', example: 'projects/p/messages/0:1' }),
    attempts: Count.meta({
      description:
        'The number of attempts; 0 for a Web Push endpoint that did not answer the previous message, until all other ' +
        'devices have received this one.',
      example: 1,
    }),
    updated_at: Timestamp,
  })
  .meta({ id: 'PushReceipt', description: 'The result of sending one message to one device.' });
export type PushReceipt = z.infer<typeof PushReceipt>;

export const TopicListQuery = PageQuery.extend({
  prefix: textUpTo(maxTopicCharacters).optional().meta({
    description: 'Topics that begin with this text.',
    example: 'new',
  }),
});

export const PushTopic = z
  .object({
    topic: textUpTo(maxTopicCharacters).meta({ description: 'The topic.', example: 'news' }),
    device_count: Count.meta({
      description:
        `The number of devices that are subscribed, counted up to ${countedTopicDevices.toLocaleString('en')}. It includes devices ` +
        'whose token was found to be invalid; a dry run counts the active ones.',
      example: 1_250,
    }),
    is_exact: z.boolean().meta({
      description: 'False if more devices are subscribed than were counted.',
      example: true,
    }),
  })
  .meta({ id: 'PushTopic', description: 'A topic to which at least one device is subscribed.' });
export type PushTopic = z.infer<typeof PushTopic>;
