// Webhooks: where an app wants its events sent, and what became of each. Specification "Events"; shapes: conventions §6.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { Count, textUpTo } from './answer-values.js';
import {
  maxFailureCharacters,
  maxUrlCharacters,
  webhookDescriptionCharacters,
  webhookReplayPending,
  webhooksPerApp,
} from './limits.js';
import { meta } from './metadata.js';
import { dataEnvelope, InstantInput, PageQuery, pageOf, Timestamp, Ulid } from './schemas.js';
import { text } from './text.js';
import { Event, eventTypes, testEventType } from './webhook-events.js';

const c = initContract();

export const webhookDisabledReasons = ['admin', 'gone', 'failing'] as const;
export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export const deliveryTriggers = ['event', 'replay', 'test'] as const;

const fields = {
  url: text(maxUrlCharacters).regex(/^\S+$/, 'must be an address').meta({
    description:
      'An https address without credentials, which leads to the public internet; redirects are not followed.',
    example: 'https://backend.example.com/webhooks/foyer',
  }),
  description: text(webhookDescriptionCharacters)
    .nullable()
    .meta({ description: 'For people.', example: 'The backend' }),
  types: z
    .array(z.enum(eventTypes))
    .max(eventTypes.length)
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

const WebhookWithSecret = Webhook.extend({
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

const NewWebhook = z.object({
  url: fields.url,
  description: fields.description.optional(),
  types: fields.types.default([]),
});

const WebhookPatch = z.object(fields).partial();

const instant = (description: string, example: string) => InstantInput.meta({ description, example });

const Stretch = z.object({
  since: instant('The first moment whose events are sent again.', '2026-01-02T00:00:00Z'),
  until: instant('The moment at which they end; left out for now.', '2026-01-03T00:00:00Z').optional(),
});

const Replay = z
  .object({
    id: Ulid.meta({ description: 'The replay.' }),
    since: Timestamp.meta({ description: 'As it was asked for.' }),
    until: Timestamp.meta({ description: 'As it was asked for, or the moment of the call.' }),
  })
  .meta({ id: 'WebhookReplay', description: 'Accepted: the events are sent from now on, oldest first.' });

const WebhookPath = z.object({
  id: text(64).min(1).meta({ description: 'The webhook.', example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB' }),
});
const DeliveryPath = WebhookPath.extend({
  delivery_id: text(64).min(1).meta({ description: 'The delivery.', example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NC' }),
});

const admin = { auth: 'admin', rateLimit: 'admin', scope: 'webhooks:manage' } as const;
const once = { ...admin, idempotencyKey: true } as const;

export const webhooks = c.router({
  list: {
    method: 'GET',
    path: '/admin/webhooks',
    summary: 'List the webhooks',
    description: `An app has at most ${webhooksPerApp}, the oldest first.`,
    query: PageQuery,
    responses: { 200: dataEnvelope(pageOf(Webhook)) },
    metadata: meta({ ...admin, audit: null, errors: [] }),
  },
  create: {
    method: 'POST',
    path: '/admin/webhooks',
    summary: 'Add a webhook',
    description: `It gets the events that happen from now on. An app has at most ${webhooksPerApp}.`,
    body: NewWebhook,
    responses: { 201: dataEnvelope(WebhookWithSecret) },
    metadata: meta({
      ...once,
      audit: 'webhook.created',
      errors: ['webhooks/invalid-url', 'webhooks/limit-reached'],
    }),
  },
  get: {
    method: 'GET',
    path: '/admin/webhooks/:id',
    summary: 'Read a webhook',
    description: 'Its secret is not shown.',
    pathParams: WebhookPath,
    responses: { 200: dataEnvelope(Webhook) },
    metadata: meta({ ...admin, audit: null, errors: ['webhooks/not-found'] }),
  },
  update: {
    method: 'PATCH',
    path: '/admin/webhooks/:id',
    summary: 'Change a webhook',
    description:
      'What is still on its way goes to the new address, which begins without failures: what an attempt that is under way finds at the old one does not count for it. While it is disabled nothing is sent: deliveries that are pending wait, and events that happen meanwhile can be replayed. Enabling it forgets its failures.',
    pathParams: WebhookPath,
    body: WebhookPatch,
    responses: { 200: dataEnvelope(Webhook) },
    metadata: meta({
      ...admin,
      audit: 'webhook.updated',
      errors: ['webhooks/not-found', 'webhooks/invalid-url'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/admin/webhooks/:id',
    summary: 'Remove a webhook',
    description: 'Nothing more is sent to it; what is on its way just now may still arrive.',
    pathParams: WebhookPath,
    responses: { 204: c.noBody() },
    metadata: meta({ ...admin, audit: 'webhook.deleted', errors: ['webhooks/not-found'] }),
  },
  rotateSecret: {
    method: 'POST',
    path: '/admin/webhooks/:id/rotate-secret',
    summary: 'Rotate the secret of a webhook',
    description:
      'For 24 hours both secrets sign each webhook; then the new one alone. A second rotation in that time ends the oldest at once.',
    pathParams: WebhookPath,
    body: c.noBody(),
    responses: { 200: dataEnvelope(WebhookWithSecret) },
    metadata: meta({ ...once, audit: 'webhook.secret_rotated', errors: ['webhooks/not-found'] }),
  },
  test: {
    method: 'POST',
    path: '/admin/webhooks/:id/test',
    summary: 'Send a test to a webhook',
    description:
      'Sends an event of the type `webhook.test` now, once, and answers with what came of it; a disabled webhook can be tested too.',
    pathParams: WebhookPath,
    body: c.noBody(),
    responses: { 200: dataEnvelope(WebhookDelivery) },
    metadata: meta({ ...once, audit: 'webhook.tested', errors: ['webhooks/not-found'] }),
  },
  listDeliveries: {
    method: 'GET',
    path: '/admin/webhooks/:id/deliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Newest first, kept for 30 days.',
    pathParams: WebhookPath,
    query: PageQuery.extend({
      status: z
        .enum(deliveryStatuses)
        .optional()
        .meta({ description: 'Those of this status alone.', example: 'failed' }),
    }),
    responses: { 200: dataEnvelope(pageOf(WebhookDelivery)) },
    metadata: meta({ ...admin, audit: null, errors: ['webhooks/not-found'] }),
  },
  retryDelivery: {
    method: 'POST',
    path: '/admin/webhooks/:id/deliveries/:delivery_id/retry',
    summary: 'Try a delivery again',
    description:
      'It is due at once, whatever became of it, and its schedule begins anew. One that is being tried just now is left alone.',
    pathParams: DeliveryPath,
    body: c.noBody(),
    responses: { 202: dataEnvelope(WebhookDelivery) },
    metadata: meta({ ...once, audit: 'webhook.delivery_retried', errors: ['webhooks/not-found'] }),
  },
  replay: {
    method: 'POST',
    path: '/admin/webhooks/:id/replay',
    summary: 'Send past events again',
    description:
      'Makes a delivery of every event of the webhook’s types in that time, of the 30 days that events are kept, oldest first; each keeps its id. ' +
      `It makes them little by little: while ${webhookReplayPending.toLocaleString('en')} deliveries of the webhook are pending it waits, for as long as the receiver is down. ` +
      'A webhook has one replay at a time; another is refused until the last delivery is made.',
    pathParams: WebhookPath,
    body: Stretch,
    responses: { 202: dataEnvelope(Replay) },
    metadata: meta({
      ...once,
      audit: 'webhook.replayed',
      errors: ['webhooks/not-found', 'webhooks/replay-in-progress'],
    }),
  },
  listEvents: {
    method: 'GET',
    path: '/admin/events',
    summary: 'List the events of the app',
    description: 'Newest first, kept for 30 days, also where there is no webhook. Filters join by AND.',
    query: PageQuery.extend({
      type: z
        .enum(eventTypes)
        .optional()
        .meta({ description: 'Events of this type.', example: 'user.created' }),
      uid: Ulid.optional().meta({ description: 'Events of this user.' }),
      created_after: instant('Events from this moment on.', '2026-01-02T00:00:00Z').optional(),
      created_before: instant('Events before this moment.', '2026-01-03T00:00:00Z').optional(),
    }),
    responses: { 200: dataEnvelope(pageOf(Event)) },
    metadata: meta({ ...admin, audit: null, errors: [] }),
  },
});
