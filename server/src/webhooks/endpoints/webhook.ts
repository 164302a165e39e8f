// The serialization of a webhook, and its name in audit entries.
import type { Webhook } from '@foyer/contract';
import { timestamp } from '../../lib/timestamp.js';
import { toWire } from '../../model/wire.js';
import type { WebhookIds, WebhookRow } from './store.js';

export function serializeWebhook(row: WebhookRow, now: Date): Webhook {
  const { previousSecretUntil } = row;
  return {
    ...toWire(row, ['id', 'url', 'description', 'enabled', 'failingSince', 'createdAt', 'updatedAt']),
    types: row.types as Webhook['types'],
    disabled_reason: row.disabledReason as Webhook['disabled_reason'],
    previous_secret_expires_at:
      previousSecretUntil && previousSecretUntil > now ? timestamp(previousSecretUntil) : null,
  };
}

/** The target of audit entries. */
export function targetOf({ id }: Pick<WebhookIds, 'id'>): string {
  return `webhook:${id}`;
}

/** What audit entries store of a webhook. The path or the query of a URL may authenticate the service at the receiver. */
export function recordedOf({ url, description, types, enabled }: WebhookRow) {
  return { url: new URL(url).origin, description, types, enabled };
}
