// Webhooks and their deliveries.
import * as z from 'zod';
import { Count, textUpTo } from '../answer-values.js';
import { eventTypes, testEventType } from '../event-types.js';
import { list, text } from '../input-values.js';
import {
  maxFailureCharacters,
  maxUrlCharacters,
  webhookDescriptionCharacters,
  webhookResponseCharacters,
} from '../limits.js';
import { auditEventTypes, webhookTypes } from './events.js';
import { InstantInput, integer, Timestamp, Ulid } from './values.js';

const webhookDisabledReasons = ['admin', 'gone', 'failing'] as const;

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

const deliveryTriggers = ['event', 'replay', 'test'] as const;

const fields = {
  url: text({ max: maxUrlCharacters }).regex(/^\S+$/, 'must be a URL').meta({
    description: 'A public https URL without credentials; redirects are not followed.',
    example: 'https://backend.example.com/webhooks/foyer',
  }),
  description: text({ max: webhookDescriptionCharacters })
    .nullable()
    .meta({ description: 'For the team.', example: 'The backend' }),
  types: list(z.enum(webhookTypes), { max: webhookTypes.length })
    .refine((types) => new Set(types).size === types.length, 'must not contain a type twice')
    .meta({
      description:
        'The types of events to send; empty for all types but those of the audit log, including types of later versions. ' +
        'Entries of the audit log are sent to webhooks that name them: `audit.*` for all, or single ones such as ' +
        '`audit.settings.updated`.',
      example: ['user.created', 'user.deleted'],
    }),
  enabled: z.boolean().meta({ description: 'Whether events are sent to it.', example: true }),
};

const optionalTime = (description: string) => Timestamp.nullable().meta({ description, example: null });

export const Webhook = z
  .object({
    id: Ulid.meta({ description: 'The webhook.' }),
    ...fields,
    disabled_reason: z
      .enum(webhookDisabledReasons)
      .nullable()
      .meta({
        description:
          '`admin`: disabled by a call; `gone`: the receiver returned 410; `failing`: no successful delivery ' +
          'for five days. Null while it is enabled.',
        example: null,
      }),
    failing_since: optionalTime('The first failure since the last success.'),
    previous_secret_expires_at: optionalTime('When the previous secret stops signing.'),
    created_at: Timestamp.meta({ description: 'When it was created.' }),
    updated_at: Timestamp.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Webhook', description: "A receiver of the app's events." });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: textUpTo(100).meta({
    description: 'Verifies the signatures (Standard Webhooks). It is returned only once.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  }),
}).meta({ id: 'WebhookWithSecret', description: 'The webhook, and its new secret.' });

export const WebhookDelivery = z
  .object({
    id: Ulid.meta({ description: 'The delivery.' }),
    event_id: textUpTo(64).meta({
      description: 'The delivered event; `webhook-id` of each attempt.',
      example: 'evt_01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    event_type: z
      .enum([...eventTypes, ...auditEventTypes, testEventType])
      .meta({ description: 'The type of the event.', example: 'user.created' }),
    uid: Ulid.nullable().meta({
      description:
        'The user of the event or audit entry; null if it has none, as a test, or if it is no longer stored.',
    }),
    trigger: z
      .enum(deliveryTriggers)
      .meta({ description: 'Why the delivery was created.', example: 'event' }),
    status: z.enum(deliveryStatuses).meta({
      description: '`pending` until an attempt succeeds or no attempt is left.',
      example: 'succeeded',
    }),
    attempts: Count.meta({ description: 'The number of attempts so far.', example: 1 }),
    next_attempt_at: optionalTime('The time of the next attempt; null if there is none.'),
    last_attempt_at: Timestamp.nullable().meta({ description: 'The time of the last attempt.' }),
    response_status: integer({ min: 100, max: 999 })
      .nullable()
      .meta({ description: 'The status code of the last response, if there was one.', example: 204 }),
    duration_ms: Count.nullable().meta({
      description: 'The duration of the last attempt in milliseconds.',
      example: 87,
    }),
    error: textUpTo(maxFailureCharacters)
      .nullable()
      .meta({ description: 'Why the last attempt failed, for developers.', example: null }),
    created_at: Timestamp.meta({ description: 'When the delivery was created.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of one event to one webhook.' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryDetails = WebhookDelivery.extend({
  request: z
    .object({
      url: textUpTo(maxUrlCharacters).meta({
        description: 'The URL to which it was sent.',
        example: 'https://backend.example.com/webhooks/foyer',
      }),
      headers: z.record(z.string(), textUpTo(1_000)).meta({
        description: 'The headers, without the signature.',
        example: {
          'content-type': 'application/json',
          'user-agent': 'Foyer-Webhooks/1',
          'webhook-id': 'evt_01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
          'webhook-timestamp': '1767322984',
        },
      }),
      body: textUpTo(100_000)
        .nullable()
        .meta({
          description:
            'The body, as text; null if the event is no longer stored. Once an account is deleted, its personal data is ' +
            'removed here, although it was sent.',
          example: '{"id":"evt_01JC4Q7M0RZ9X2V5T8W3Y6K1NB","type":"user.created"}',
        }),
    })
    .nullable()
    .meta({ description: 'The last request; null before the first attempt.' }),
  response_body: textUpTo(webhookResponseCharacters)
    .nullable()
    .meta({
      description:
        `The first ${webhookResponseCharacters.toLocaleString('en')} characters of the last response, as the receiver sent ` +
        'them: untrusted text. Null if there was no response, it had no body, or the user of the event was deleted.',
      example: '{"received":true}',
    }),
}).meta({ id: 'WebhookDeliveryDetails', description: 'A delivery, with its last request and response.' });
export type WebhookDeliveryDetails = z.infer<typeof WebhookDeliveryDetails>;

export const NewWebhook = z.strictObject({
  url: fields.url,
  description: fields.description.optional(),
  types: fields.types.default([]),
});

/** A webhook in the files of an app. */
export const WebhookDeclaration = z.strictObject({
  ...fields,
  description: fields.description.default(null),
  types: fields.types.default([]),
  enabled: fields.enabled.default(true),
});
export type WebhookDeclaration = z.infer<typeof WebhookDeclaration>;

export const WebhookPatch = z.strictObject(fields).partial();

export const instant = (description: string, example: string) => InstantInput.meta({ description, example });

export const Stretch = z
  .strictObject({
    since: instant('Events at or after this time are sent again.', '2026-01-02T00:00:00Z'),
    until: instant(
      'Events before this time are sent again; later than `since`, and now by default.',
      '2026-01-03T00:00:00Z',
    ).optional(),
  })
  .refine(({ since, until }) => until === undefined || since < until, {
    path: ['until'],
    message: 'must be later than since',
  });

export const Replay = z
  .object({
    id: Ulid.meta({ description: 'The replay.' }),
    since: Timestamp.meta({ description: 'As requested.' }),
    until: Timestamp.meta({ description: 'As requested, or the time of the call.' }),
  })
  .meta({
    id: 'WebhookReplay',
    description: 'The replay was accepted: the events are sent from now on, oldest first.',
  });
