// `admin.webhooks` and `admin.events`: webhook endpoints, their deliveries, and the app's events.

import type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
import type {
  AppEventType,
  DeliveryQuery,
  EventQuery,
  NewWebhook,
  ReplayStretch,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookPatch,
  WebhookReplay,
  WebhookWithSecret,
} from '../generated/admin-models.js';
import type { PageQuery } from '../generated/models.js';
import type { WebhookEvent } from '../generated/webhook-models.js';
import { type AdminCall, listPages, type OnceOptions } from './call.js';

/** An event of the app. */
export type AppEvent = Extract<WebhookEvent, { type: AppEventType }>;

export interface AdminWebhooks {
  /** All webhooks (at most 10), oldest first. */
  list(query?: PageQuery, options?: RepeatableCallOptions): PageList<Webhook>;
  /** Creates a webhook for future events. Store the secret: only this response contains it. */
  create(webhook: NewWebhook, options?: OnceOptions): Promise<WebhookWithSecret>;
  /** Rejects with `webhooks/not-found` when the webhook does not exist. */
  get(id: string, options?: RepeatableCallOptions): Promise<Webhook>;
  /** Enabling a webhook resets its failure count; a disabled one receives nothing. */
  update(id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook>;
  /** Deletes the webhook with its deliveries; nothing more is sent to it. */
  delete(id: string, options?: RepeatableCallOptions): Promise<void>;
  /** Both secrets sign each webhook for 24 hours; afterwards only the new one. */
  rotateSecret(id: string, options?: OnceOptions): Promise<WebhookWithSecret>;
  /** Sends one `webhook.test` event immediately and returns its delivery. */
  test(id: string, options?: OnceOptions): Promise<WebhookDelivery>;
  /** The deliveries of the last 30 days, newest first. */
  deliveries(id: string, query?: DeliveryQuery, options?: RepeatableCallOptions): PageList<WebhookDelivery>;
  /** One delivery, with its last request and the beginning of the response. The response is untrusted text. */
  delivery(id: string, deliveryId: string, options?: RepeatableCallOptions): Promise<WebhookDeliveryDetails>;
  /** Schedules a delivery immediately, regardless of its status. */
  retryDelivery(id: string, deliveryId: string, options?: OnceOptions): Promise<WebhookDelivery>;
  /** Resends the events of a time range, oldest first, with their original ids. One replay at a time per webhook. */
  replay(id: string, stretch: ReplayStretch, options?: OnceOptions): Promise<WebhookReplay>;
}

export interface AdminEvents {
  /** The events of the last 30 days, newest first, also when there is no webhook. */
  list(query?: EventQuery, options?: RepeatableCallOptions): PageList<AppEvent>;
}

/** @internal */
export function createAdminWebhooks(call: AdminCall): AdminWebhooks {
  const one = (id: string) => ({ params: { id } });
  return {
    list: (query, options) => listPages<Webhook>(call, 'GET /admin/webhooks', { query }, options),
    create: (webhook, options) => call<WebhookWithSecret>('POST /admin/webhooks', { body: webhook }, options),
    get: (id, options) => call<Webhook>('GET /admin/webhooks/:id', one(id), options),
    update: (id, patch, options) =>
      call<Webhook>('PATCH /admin/webhooks/:id', { ...one(id), body: patch }, options),
    delete: (id, options) => call<void>('DELETE /admin/webhooks/:id', one(id), options),
    rotateSecret: (id, options) =>
      call<WebhookWithSecret>('POST /admin/webhooks/:id/rotate-secret', one(id), options),
    test: (id, options) => call<WebhookDelivery>('POST /admin/webhooks/:id/test', one(id), options),
    deliveries: (id, query, options) =>
      listPages<WebhookDelivery>(call, 'GET /admin/webhooks/:id/deliveries', { ...one(id), query }, options),
    delivery: (id, deliveryId, options) =>
      call<WebhookDeliveryDetails>(
        'GET /admin/webhooks/:id/deliveries/:delivery_id',
        { params: { id, delivery_id: deliveryId } },
        options,
      ),
    retryDelivery: (id, deliveryId, options) =>
      call<WebhookDelivery>(
        'POST /admin/webhooks/:id/deliveries/:delivery_id/retry',
        { params: { id, delivery_id: deliveryId } },
        options,
      ),
    replay: (id, stretch, options) =>
      call<WebhookReplay>('POST /admin/webhooks/:id/replay', { ...one(id), body: stretch }, options),
  };
}

/** @internal */
export function createAdminEvents(call: AdminCall): AdminEvents {
  return {
    list: (query, options) => listPages<AppEvent>(call, 'GET /admin/events', { query }, options),
  };
}
