// The serialization of a webhook, and its audit entries.
import type { AuditAction, Webhook } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import { timestamp } from '../../lib/timestamp.js';
import type { Actor } from '../../model/actor.js';
import type { WebhookIds, WebhookRow } from './store.js';

export function serializeWebhook(row: WebhookRow, now: Date): Webhook {
  const { previousSecretUntil, failingSince } = row;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types as Webhook['types'],
    enabled: row.enabled,
    disabled_reason: row.disabledReason as Webhook['disabled_reason'],
    failing_since: failingSince && timestamp(failingSince),
    previous_secret_expires_at:
      previousSecretUntil && previousSecretUntil > now ? timestamp(previousSecretUntil) : null,
    created_at: timestamp(row.createdAt),
    updated_at: timestamp(row.updatedAt),
  };
}

export function auditWebhook(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  { appId, id }: WebhookIds,
  actor: Actor,
  action: AuditAction,
  details: Record<string, unknown> = {},
): Promise<void> {
  return writeAuditEntry(tx, deps, { appId, actor, action, target: `webhook:${id}`, details });
}
