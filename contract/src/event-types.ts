// The types of events, for clients that load no schemas.
import type { AuditAction } from './audit-actions.js';

/** The types of the events of an app. */
export const eventTypes = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.disabled',
  'user.enabled',
  'user.email_verified',
  'user.password_changed',
  'user.passkey_added',
  'user.passkey_removed',
  'user.second_factor_enrolled',
  'user.second_factor_removed',
  'session.created',
  'session.ended',
  'loyalty.points_changed',
] as const;

export type EventType = (typeof eventTypes)[number];

/** `audit.` and the action of an entry of the audit log. */
export type AuditEventType = `audit.${AuditAction}`;

/** Subscribes a webhook to every entry of the audit log, including actions of later versions. */
export const everyAuditEvent = 'audit.*';

export function isAuditType(type: string): type is AuditEventType | typeof everyAuditEvent {
  return type.startsWith('audit.');
}

/** The type of the event that `POST /admin/webhooks/{id}/test` sends; it reports no change. */
export const testEventType = 'webhook.test';
