// What webhooks carry, as the service's contract has it.
import type { User } from './models.js';

/** The user as the event left it; of a deletion, as it was last. Of a deleted account only `uid` stays. */
export interface WebhookUser extends Omit<User, 'email'> {
  /** Null once the account is deleted and its events are cleared. */
  email: string | null;
  /** The user in the loyalty programme; null like the email. */
  member_id: string | null;
  /** The custom claims. */
  claims: Record<string, unknown>;
}

/** The session that an event speaks of. */
export interface WebhookSession {
  id: string;
  method: 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';
}

/** An entry of the points ledger. */
export interface WebhookLoyaltyEntry {
  id: string;
  /** Added, or taken away when negative. */
  points: number;
  description: string;
  created_at: string;
  /** Your backend's own name for the entry. */
  reference: string | null;
}

interface Of<Type extends string, Data> {
  /** `evt_…`; the same in every attempt, retry and replay. */
  id: string;
  type: Type;
  /** When it happened: ISO 8601, UTC, with microseconds. */
  timestamp: string;
  app_id: string;
  data: Data;
}

/** An event of the app, told apart by its `type`. A later version of the service may add types. */
export type WebhookEvent =
  | Of<'user.created', { user: WebhookUser }>
  | Of<'user.updated', { user: WebhookUser }>
  | Of<'user.deleted', { user: WebhookUser; reason: 'self' | 'admin' }>
  | Of<'user.disabled', { user: WebhookUser }>
  | Of<'user.enabled', { user: WebhookUser }>
  | Of<'user.email_verified', { user: WebhookUser }>
  | Of<'user.password_changed', { user: WebhookUser; reason?: string | undefined }>
  | Of<'session.created', { user: WebhookUser; session: WebhookSession }>
  | Of<'session.ended', { user: WebhookUser; session: WebhookSession & { reason: string } }>
  | Of<'loyalty.points_changed', { user: WebhookUser; points: number; entry: WebhookLoyaltyEntry }>
  /** What `POST /admin/webhooks/{id}/test` sends: nothing happened. */
  | Of<'webhook.test', { webhook_id: string }>;

export type WebhookEventType = WebhookEvent['type'];
