// Webhooks and their deliveries, as the service's contract has them. What a webhook carries: webhook-models.ts.
import type { PageQuery } from './models.js';
import type { WebhookEvent, WebhookEventType } from './webhook-models.js';

/** Something that happened in the app. */
export type AppEvent = Exclude<WebhookEvent, { type: 'webhook.test' }>;
export type AppEventType = AppEvent['type'];

/** A webhook to add. */
export interface NewWebhook {
  /** An https address, without credentials, that leads to the public internet. */
  url: string;
  description?: string | null | undefined;
  /** The types of events it gets; all of them, those of later versions too, when empty or absent. */
  types?: AppEventType[] | undefined;
}

export interface WebhookPatch {
  url?: string | undefined;
  description?: string | null | undefined;
  types?: AppEventType[] | undefined;
  enabled?: boolean | undefined;
}

/** A receiver of the app's events. */
export interface Webhook {
  id: string;
  url: string;
  description: string | null;
  types: AppEventType[];
  enabled: boolean;
  /** `gone`: it answered 410. `failing`: five days without a success. `null` while it is enabled. */
  disabled_reason: 'admin' | 'gone' | 'failing' | null;
  /** The first failure since the last success. */
  failing_since: string | null;
  /** Until when the secret before the last rotation signs as well. */
  previous_secret_expires_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookWithSecret extends Webhook {
  /** For `verifyWebhook`. It is never shown again. */
  secret: string;
}

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  id: string;
  event_id: string;
  event_type: WebhookEventType;
  trigger: 'event' | 'replay' | 'test';
  /** `pending` until an attempt succeeds or none is left. */
  status: 'pending' | 'succeeded' | 'failed';
  attempts: number;
  /** `null` when it is done. */
  next_attempt_at: string | null;
  last_attempt_at: string | null;
  /** What the receiver last answered, if it did. */
  response_status: number | null;
  /** How long the last attempt took. */
  duration_ms: number | null;
  /** Why the last attempt failed, for people. */
  error: string | null;
  created_at: string;
}

export interface DeliveryQuery extends PageQuery {
  status?: WebhookDelivery['status'] | undefined;
}

/** The stretch of time whose events are sent again. Times are ISO 8601 with a zone. */
export interface ReplayStretch {
  since: string;
  /** Now, when absent. */
  until?: string | undefined;
}

/** A replay that was accepted. */
export interface WebhookReplay {
  id: string;
  since: string;
  until: string;
}

/** Filters; each narrows the others down. Times are ISO 8601 with a zone. */
export interface EventQuery extends PageQuery {
  type?: AppEventType | undefined;
  uid?: string | undefined;
  /** Events from this moment on. */
  created_after?: string | undefined;
  /** Events before this moment. */
  created_before?: string | undefined;
}
