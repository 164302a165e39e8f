// Webhooks, their deliveries and events. Specification "Events"; conventions of the API, section 6.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { text } from '../input-values.js';
import { webhookReplayPending, webhooksPerApp } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { Event, eventTypes } from '../schemas/events.js';
import { Ulid } from '../schemas/values.js';
import {
  deliveryStatuses,
  instant,
  NewWebhook,
  Replay,
  Stretch,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WebhookWithSecret,
} from '../schemas/webhooks.js';

const c = initContract();

const WebhookPath = z.object({
  id: text({ min: 1, max: 64 }).meta({ description: 'The webhook.', example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB' }),
});

const DeliveryPath = WebhookPath.extend({
  delivery_id: text({ min: 1, max: 64 }).meta({
    description: 'The delivery.',
    example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NC',
  }),
});

export const webhooks = c.router(
  {
    list: {
      method: 'GET',
      path: '/webhooks',
      summary: 'List the webhooks',
      description: `An app has at most ${webhooksPerApp}, the oldest first.`,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Webhook)) },
      metadata: meta({ audit: null, errors: [] }),
    },
    create: {
      method: 'POST',
      path: '/webhooks',
      summary: 'Add a webhook',
      description: `It gets the events that happen from now on. An app has at most ${webhooksPerApp}.`,
      body: NewWebhook,
      responses: { 201: dataEnvelope(WebhookWithSecret) },
      metadata: meta({
        idempotencyKey: true,
        audit: 'webhook.created',
        errors: ['webhooks/invalid-url', 'webhooks/limit-reached'],
      }),
    },
    get: {
      method: 'GET',
      path: '/webhooks/:id',
      summary: 'Read a webhook',
      description: 'Its secret is not shown.',
      pathParams: WebhookPath,
      responses: { 200: dataEnvelope(Webhook) },
      metadata: meta({ audit: null, errors: ['webhooks/not-found'] }),
    },
    update: {
      method: 'PATCH',
      path: '/webhooks/:id',
      summary: 'Change a webhook',
      description:
        'What is still on its way goes to the new address, which begins without failures: what an attempt that is under way finds at the old one does not count for it. While it is disabled nothing is sent: deliveries that are pending wait, and events that happen meanwhile can be replayed. Enabling it forgets its failures.',
      pathParams: WebhookPath,
      body: WebhookPatch,
      responses: { 200: dataEnvelope(Webhook) },
      metadata: meta({
        audit: 'webhook.updated',
        errors: ['webhooks/not-found', 'webhooks/invalid-url'],
      }),
    },
    delete: {
      method: 'DELETE',
      path: '/webhooks/:id',
      summary: 'Remove a webhook',
      description: 'Nothing more is sent to it; what is on its way just now may still arrive.',
      pathParams: WebhookPath,
      responses: { 204: c.noBody() },
      metadata: meta({ audit: 'webhook.deleted', errors: ['webhooks/not-found'] }),
    },
    rotateSecret: {
      method: 'POST',
      path: '/webhooks/:id/rotate-secret',
      summary: 'Rotate the secret of a webhook',
      description:
        'For 24 hours both secrets sign each webhook; then the new one alone. A second rotation in that time ends the oldest at once.',
      pathParams: WebhookPath,
      body: c.noBody(),
      responses: { 200: dataEnvelope(WebhookWithSecret) },
      metadata: meta({
        idempotencyKey: true,
        audit: 'webhook.secret_rotated',
        errors: ['webhooks/not-found'],
      }),
    },
    test: {
      method: 'POST',
      path: '/webhooks/:id/test',
      summary: 'Send a test to a webhook',
      description:
        'Sends an event of the type `webhook.test` now, once, and answers with what came of it; a disabled webhook can be tested too.',
      pathParams: WebhookPath,
      body: c.noBody(),
      responses: { 200: dataEnvelope(WebhookDelivery) },
      metadata: meta({ idempotencyKey: true, audit: 'webhook.tested', errors: ['webhooks/not-found'] }),
    },
    listDeliveries: {
      method: 'GET',
      path: '/webhooks/:id/deliveries',
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
      metadata: meta({ audit: null, errors: ['webhooks/not-found'] }),
    },
    retryDelivery: {
      method: 'POST',
      path: '/webhooks/:id/deliveries/:delivery_id/retry',
      summary: 'Try a delivery again',
      description:
        'It is due at once, whatever became of it, and its schedule begins anew. One that is being tried just now is left alone.',
      pathParams: DeliveryPath,
      body: c.noBody(),
      responses: { 202: dataEnvelope(WebhookDelivery) },
      metadata: meta({
        idempotencyKey: true,
        audit: 'webhook.delivery_retried',
        errors: ['webhooks/not-found'],
      }),
    },
    replay: {
      method: 'POST',
      path: '/webhooks/:id/replay',
      summary: 'Send past events again',
      description:
        'Makes a delivery of every event of the webhook’s types in that time, of the 30 days that events are kept, oldest first; each keeps its id. ' +
        `It makes them little by little: while ${webhookReplayPending.toLocaleString('en')} deliveries of the webhook are pending it waits, for as long as the receiver is down. ` +
        'A webhook has one replay at a time; another is refused until the last delivery is made.',
      pathParams: WebhookPath,
      body: Stretch,
      responses: { 202: dataEnvelope(Replay) },
      metadata: meta({
        idempotencyKey: true,
        audit: 'webhook.replayed',
        errors: ['webhooks/not-found', 'webhooks/replay-in-progress'],
      }),
    },
    listEvents: {
      method: 'GET',
      path: '/events',
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
      metadata: meta({ audit: null, errors: [] }),
    },
  },
  { pathPrefix: '/admin', metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'webhooks:manage' }) },
);
