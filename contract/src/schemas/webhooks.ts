// Webhooks and their deliveries.
import { z } from 'zod';
import { Count, textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import { maxFailureCharacters, maxUrlCharacters, webhookDescriptionCharacters } from '../limits.js';
import { eventTypes, testEventType } from './events.js';
import { InstantInput, Timestamp, Ulid } from './values.js';

export const webhookDisabledReasons = ['admin', 'gone', 'failing'] as const;

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

export const deliveryTriggers = ['event', 'replay', 'test'] as const;

const fields = {
  url: text({ max: maxUrlCharacters }).regex(/^\S+$/, 'must be an address').meta({
    description:
      'An https address without credentials, which leads to the public internet; redirects are not followed.',
    example: 'https://backend.example.com/webhooks/foyer',
  }),
  description: text({ max: webhookDescriptionCharacters })
    .nullable()
    .meta({ description: 'For people.', example: 'The backend' }),
  types: list(z.enum(eventTypes), { max: eventTypes.length })
    .refine((types) => new Set(types).size === types.length, 'must not name a type twice')
    .meta({
      description: 'The types of events it gets; empty for all, those of later versions too.',
      example: ['user.created', 'user.deleted'],
    }),
  enabled: z.boolean().meta({ description: 'Whether events are sent to it.', example: true }),
};

const optionalTime = (description: string) => Timestamp.nullable().meta({ description, example: null });

export const Webhook = z
  .object({
    id: Ulid.meta({ description: 'The webhook.' }),
    ...fields,
    disabled_reason: z.enum(webhookDisabledReasons).nullable().meta({
      description:
        '`admin`: by a call; `gone`: it answered 410; `failing`: five days without a success. Null while it is enabled.',
      example: null,
    }),
    failing_since: optionalTime('The first failure since the last success.'),
    previous_secret_expires_at: optionalTime('Until when the secret before the last rotation signs as well.'),
    created_at: Timestamp.meta({ description: 'When it was made.' }),
    updated_at: Timestamp.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Webhook', description: "A receiver of the app's events." });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: textUpTo(100).meta({
    description: 'Verifies the signatures (Standard Webhooks). It is never shown again.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  }),
}).meta({ id: 'WebhookWithSecret', description: 'The webhook, and the secret that it now signs with.' });

export const WebhookDelivery = z
  .object({
    id: Ulid.meta({ description: 'The delivery.' }),
    event_id: textUpTo(64).meta({
      description: 'The event that is delivered; `webhook-id` of each attempt.',
      example: 'evt_01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    event_type: z
      .enum([...eventTypes, testEventType])
      .meta({ description: 'Its type.', example: 'user.created' }),
    trigger: z.enum(deliveryTriggers).meta({ description: 'What made the delivery.', example: 'event' }),
    status: z.enum(deliveryStatuses).meta({
      description: '`pending` until an attempt succeeds or none is left.',
      example: 'succeeded',
    }),
    attempts: Count.meta({ description: 'Attempts so far.', example: 1 }),
    next_attempt_at: optionalTime('When it is tried next; null when it is done.'),
    last_attempt_at: Timestamp.nullable().meta({ description: 'When it was last tried.' }),
    response_status: z
      .number()
      .int()
      .min(100)
      .max(999)
      .nullable()
      .meta({ description: 'What the receiver last answered, if it did.', example: 204 }),
    duration_ms: Count.nullable().meta({ description: 'How long the last attempt took.', example: 87 }),
    error: textUpTo(maxFailureCharacters)
      .nullable()
      .meta({ description: 'Why the last attempt failed, for people.', example: null }),
    created_at: Timestamp.meta({ description: 'When the delivery was made.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event on its way to one webhook.' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const NewWebhook = z.strictObject({
  url: fields.url,
  description: fields.description.optional(),
  types: fields.types.default([]),
});

export const WebhookPatch = z.strictObject(fields).partial();

export const instant = (description: string, example: string) => InstantInput.meta({ description, example });

export const Stretch = z.strictObject({
  since: instant('The first moment whose events are sent again.', '2026-01-02T00:00:00Z'),
  until: instant('The moment at which they end; left out for now.', '2026-01-03T00:00:00Z').optional(),
});

export const Replay = z
  .object({
    id: Ulid.meta({ description: 'The replay.' }),
    since: Timestamp.meta({ description: 'As it was asked for.' }),
    until: Timestamp.meta({ description: 'As it was asked for, or the moment of the call.' }),
  })
  .meta({ id: 'WebhookReplay', description: 'Accepted: the events are sent from now on, oldest first.' });
