// A stored webhook and its serialization.
import type { Webhook } from '@foyer/contract';
import { timestamp } from '../../lib/timestamp.js';

export type DisabledReason = 'admin' | 'gone' | 'failing';

export type WebhookRow = {
  appId: string;
  id: string;
  url: string;
  description: string | null;
  types: string[];
  enabled: boolean;
  disabledReason: string | null;
  previousSecretUntil: Date | null;
  failingSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export function serializeWebhook(row: WebhookRow, now: Date): Webhook {
  const overlaps = row.previousSecretUntil !== null && row.previousSecretUntil > now;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types as Webhook['types'],
    enabled: row.enabled,
    disabled_reason: row.disabledReason as DisabledReason | null,
    failing_since: optional(row.failingSince),
    previous_secret_expires_at: overlaps ? optional(row.previousSecretUntil) : null,
    created_at: timestamp(row.createdAt),
    updated_at: timestamp(row.updatedAt),
  };
}

function optional(time: Date | null): string | null {
  return time && timestamp(time);
}
