// Webhooks, their deliveries and events.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { eventTypes } from '../event-types.js';
import { text } from '../input-values.js';
import { webhookReplayPending, webhooksPerApp } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { Event } from '../schemas/events.js';
import { Ulid } from '../schemas/values.js';
import {
  deliveryStatuses,
  instant,
  NewWebhook,
  Replay,
  Stretch,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookPatch,
  WebhookWithSecret,
} from '../schemas/webhooks.js';

const c = initContract();

const WebhookPath = z.object({
  id: text({ min: 1, max: 64 }).meta({
    description: 'ID of the webhook.',
    example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  }),
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
      description: `Oldest first; an app has at most ${webhooksPerApp}.`,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Webhook)) },
      metadata: meta({ audit: null, errors: [] }),
    },
    create: {
      method: 'POST',
      path: '/webhooks',
      summary: 'Add a webhook',
      description: `Events from now on are sent to it, with the data of their users: requires the scope \`users:read\` as well, and \`audit:read\` for types of the audit log. An app has at most ${webhooksPerApp}.`,
      body: NewWebhook,
      responses: { 201: dataEnvelope(WebhookWithSecret) },
      metadata: meta({
        alsoScope: 'users:read',
        recentSignIn: true,
        idempotencyKey: true,
        audit: 'webhook.created',
        errors: ['webhooks/invalid-url', 'webhooks/limit-reached'],
      }),
    },
    get: {
      method: 'GET',
      path: '/webhooks/:id',
      summary: 'Read a webhook',
      description: 'The secret is not included.',
      pathParams: WebhookPath,
      responses: { 200: dataEnvelope(Webhook) },
      metadata: meta({ audit: null, errors: ['webhooks/not-found'] }),
    },
    update: {
      method: 'PATCH',
      path: '/webhooks/:id',
      summary: 'Change a webhook',
      description:
        'Pending deliveries are sent to the new URL, which starts without failures: the result of an attempt in ' +
        'progress at the old URL does not count for it. While the webhook is disabled, pending deliveries wait, ' +
        'and events of that time can be replayed. Enabling it resets its failures. `url` and `types` require the ' +
        'scope `users:read` as well, and `audit:read` if the webhook receives entries of the audit log; `url` requires a ' +
        'recent sign-in of a team member.',
      pathParams: WebhookPath,
      body: WebhookPatch,
      responses: { 200: dataEnvelope(Webhook) },
      metadata: meta({
        audit: 'webhook.updated',
        errors: ['webhooks/not-found', 'webhooks/invalid-url', 'auth/requires-recent-login'],
      }),
    },
    delete: {
      method: 'DELETE',
      path: '/webhooks/:id',
      summary: 'Delete a webhook',
      description: 'No further deliveries are made; an attempt in progress may still arrive.',
      pathParams: WebhookPath,
      responses: { 204: c.noBody() },
      metadata: meta({ audit: 'webhook.deleted', errors: ['webhooks/not-found'] }),
    },
    rotateSecret: {
      method: 'POST',
      path: '/webhooks/:id/rotate-secret',
      summary: 'Rotate the secret of a webhook',
      description:
        'For 24 hours both secrets sign every delivery, then only the new one. A second rotation within this time ' +
        'ends the oldest secret immediately.',
      pathParams: WebhookPath,
      body: c.noBody(),
      responses: { 200: dataEnvelope(WebhookWithSecret) },
      metadata: meta({
        recentSignIn: true,
        idempotencyKey: true,
        audit: 'webhook.secret_rotated',
        errors: ['webhooks/not-found'],
      }),
    },
    test: {
      method: 'POST',
      path: '/webhooks/:id/test',
      summary: 'Send a test event to a webhook',
      description:
        'Sends one event of the type `webhook.test` immediately and returns the result; a disabled webhook can ' +
        'be tested too.',
      pathParams: WebhookPath,
      body: c.noBody(),
      responses: { 200: dataEnvelope(WebhookDelivery) },
      metadata: meta({ idempotencyKey: true, audit: 'webhook.tested', errors: ['webhooks/not-found'] }),
    },
    listDeliveries: {
      method: 'GET',
      path: '/webhooks/:id/deliveries',
      summary: 'List the deliveries of a webhook',
      description: 'Newest first, retained for 30 days.',
      pathParams: WebhookPath,
      query: PageQuery.extend({
        status: z
          .enum(deliveryStatuses)
          .optional()
          .meta({ description: 'Deliveries with this status only.', example: 'failed' }),
      }),
      responses: { 200: dataEnvelope(pageOf(WebhookDelivery)) },
      metadata: meta({ audit: null, errors: ['webhooks/not-found'] }),
    },
    getDelivery: {
      method: 'GET',
      path: '/webhooks/:id/deliveries/:delivery_id',
      summary: 'Read a delivery with its request and response',
      description:
        'The request and the beginning of the response of the last attempt. Requires the scope `users:read` as well, and ' +
        '`audit:read` for an entry of the audit log.',
      pathParams: DeliveryPath,
      responses: { 200: dataEnvelope(WebhookDeliveryDetails) },
      metadata: meta({ alsoScope: 'users:read', audit: null, errors: ['webhooks/not-found'] }),
    },
    retryDelivery: {
      method: 'POST',
      path: '/webhooks/:id/deliveries/:delivery_id/retry',
      summary: 'Retry a delivery',
      description:
        'Makes the delivery due immediately, whatever its status, and restarts its retry schedule. A delivery with ' +
        'an attempt in progress does not change. Requires the scope `users:read` as well.',
      pathParams: DeliveryPath,
      body: c.noBody(),
      responses: { 202: dataEnvelope(WebhookDelivery) },
      metadata: meta({
        alsoScope: 'users:read',
        idempotencyKey: true,
        audit: 'webhook.delivery_retried',
        errors: ['webhooks/not-found'],
      }),
    },
    replay: {
      method: 'POST',
      path: '/webhooks/:id/replay',
      summary: 'Replay past events',
      description:
        'Creates a delivery for every event of the webhook’s types in the given period, oldest first, within the ' +
        '30 days for which events are retained; each event keeps its id. Entries of the audit log are included as long as they are stored. The deliveries are created gradually: the ' +
        `replay pauses while the webhook has ${webhookReplayPending.toLocaleString('en')} pending deliveries. A ` +
        'webhook can have one replay at a time; another is rejected until the last delivery is created. Requires the ' +
        'scope `users:read` as well.',
      pathParams: WebhookPath,
      body: Stretch,
      responses: { 202: dataEnvelope(Replay) },
      metadata: meta({
        alsoScope: 'users:read',
        idempotencyKey: true,
        audit: 'webhook.replayed',
        errors: ['webhooks/not-found', 'webhooks/replay-in-progress'],
      }),
    },
    listEvents: {
      method: 'GET',
      path: '/events',
      summary: 'List the events of the app',
      description:
        'Newest first, retained for 30 days, even if the app has no webhook. Filters are combined with AND. Requires ' +
        'the scope `users:read` as well.',
      query: PageQuery.extend({
        type: z
          .enum(eventTypes)
          .optional()
          .meta({ description: 'Events of this type only.', example: 'user.created' }),
        uid: Ulid.optional().meta({ description: 'Events of this user only.' }),
        created_after: instant('Events at or after this time.', '2026-01-02T00:00:00Z').optional(),
        created_before: instant('Events before this time.', '2026-01-03T00:00:00Z').optional(),
      }),
      responses: { 200: dataEnvelope(pageOf(Event)) },
      metadata: meta({ alsoScope: 'users:read', audit: null, errors: [] }),
    },
  },
  { pathPrefix: '/admin', metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'webhooks:manage' }) },
);
