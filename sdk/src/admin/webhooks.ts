// `admin.webhooks` and `admin.events`: where the app's events are sent, what became of each, and the events themselves.

import type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
import type {
  AppEventType,
  DeliveryQuery,
  EventQuery,
  NewWebhook,
  ReplayStretch,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WebhookReplay,
  WebhookWithSecret,
} from '../generated/admin-models.js';
import type { PageQuery } from '../generated/models.js';
import type { WebhookEvent } from '../generated/webhook-models.js';
import type { Page } from '../models.js';
import { createPageList } from '../page-list.js';
import type { AdminCall, OnceOptions } from './call.js';

/** Something that happened in the app. */
export type AppEvent = Extract<WebhookEvent, { type: AppEventType }>;

export interface AdminWebhooks {
  /** At most 10, the oldest first. */
  list(query?: PageQuery, options?: RepeatableCallOptions): PageList<Webhook>;
  /** It gets the events that happen from now on. Keep the secret: it is shown here alone. */
  create(webhook: NewWebhook, options?: OnceOptions): Promise<WebhookWithSecret>;
  get(id: string, options?: RepeatableCallOptions): Promise<Webhook>;
  /** Enabling it forgets its failures; while it is disabled nothing is sent to it. */
  update(id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook>;
  delete(id: string, options?: RepeatableCallOptions): Promise<void>;
  /** For 24 hours both secrets sign each webhook; then the new one alone. */
  rotateSecret(id: string, options?: OnceOptions): Promise<WebhookWithSecret>;
  /** Sends an event of the type `webhook.test` now, once, and gives what came of it. */
  test(id: string, options?: OnceOptions): Promise<WebhookDelivery>;
  /** Newest first, of the last 30 days. */
  deliveries(id: string, query?: DeliveryQuery, options?: RepeatableCallOptions): PageList<WebhookDelivery>;
  /** Makes a delivery due at once, whatever became of it. */
  retryDelivery(id: string, deliveryId: string, options?: OnceOptions): Promise<WebhookDelivery>;
  /** Sends the events of a stretch of time again, oldest first; each keeps its id. One at a time for each webhook. */
  replay(id: string, stretch: ReplayStretch, options?: OnceOptions): Promise<WebhookReplay>;
}

export interface AdminEvents {
  /** Newest first, of the last 30 days, also where there is no webhook. */
  list(query?: EventQuery, options?: RepeatableCallOptions): PageList<AppEvent>;
}

/** @internal */
export function createAdminWebhooks(call: AdminCall): AdminWebhooks {
  const one = (id: string) => ({ params: { id } });
  return {
    list: (query, options) =>
      createPageList((page) => call<Page<Webhook>>('GET /admin/webhooks', { query: page }, options), query),
    create: (webhook, options) => call<WebhookWithSecret>('POST /admin/webhooks', { body: webhook }, options),
    get: (id, options) => call<Webhook>('GET /admin/webhooks/:id', one(id), options),
    update: (id, patch, options) =>
      call<Webhook>('PATCH /admin/webhooks/:id', { ...one(id), body: patch }, options),
    delete: (id, options) => call<void>('DELETE /admin/webhooks/:id', one(id), options),
    rotateSecret: (id, options) =>
      call<WebhookWithSecret>('POST /admin/webhooks/:id/rotate-secret', one(id), options),
    test: (id, options) => call<WebhookDelivery>('POST /admin/webhooks/:id/test', one(id), options),
    deliveries: (id, query, options) =>
      createPageList(
        (page) =>
          call<Page<WebhookDelivery>>(
            'GET /admin/webhooks/:id/deliveries',
            { ...one(id), query: page },
            options,
          ),
        query,
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
    list: (query, options) =>
      createPageList((page) => call<Page<AppEvent>>('GET /admin/events', { query: page }, options), query),
  };
}
