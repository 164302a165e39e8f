// Updates and deletes webhooks; disables one that fails.
import type { Webhook } from '@foyer/contract';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { type Actor, theService } from '../../model/actor.js';
import { dispatchEventsOf } from '../deliveries/dispatch.js';
import { requireAllowedUrl } from './create-webhook.js';
import {
  type DisableOnlyIf,
  deleteWebhookRow,
  disableWebhookRow,
  updateWebhookRow,
  type WebhookPatch,
} from './store.js';
import { type DisabledReason, serializeWebhook } from './webhook.js';

type Ids = { appId: string; id: string };

export async function updateWebhook(
  deps: Deps,
  ids: Ids,
  patch: WebhookPatch,
  actor: Actor,
): Promise<Webhook> {
  if (patch.url !== undefined) await requireAllowedUrl(deps, patch.url);
  const now = deps.clock.now();
  const row = await deps.prisma.$transaction(async (tx) => {
    await dispatchEventsOf(tx, deps, ids.appId);
    const changed = await updateWebhookRow(tx, ids, patch, now);
    if (!changed) throw new ApiError('webhooks/not-found');
    const details = { changed: Object.keys(patch) };
    await writeAuditEntry(tx, deps, {
      appId: ids.appId,
      actor,
      action: 'webhook.updated',
      target: `webhook:${ids.id}`,
      details,
    });
    return changed;
  });
  return serializeWebhook(row, now);
}

/** The daily job deletes its deliveries, of which there may be millions; without the webhook none is sent or listed. */
export async function deleteWebhook(deps: Deps, ids: Ids, actor: Actor): Promise<void> {
  await deps.prisma.$transaction(async (tx) => {
    if (!(await deleteWebhookRow(tx, ids))) throw new ApiError('webhooks/not-found');
    await writeAuditEntry(tx, deps, {
      appId: ids.appId,
      actor,
      action: 'webhook.deleted',
      target: `webhook:${ids.id}`,
    });
  });
}

/** Disables and audits once, also when several attempts find the reason at the same time. */
export async function disableWebhook(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: Ids,
  reason: Exclude<DisabledReason, 'admin'>,
  onlyIf: DisableOnlyIf,
): Promise<void> {
  await deps.prisma.$transaction(async (tx) => {
    await dispatchEventsOf(tx, deps, ids.appId);
    if (!(await disableWebhookRow(tx, ids, reason, deps.clock.now(), onlyIf))) return;
    await writeAuditEntry(tx, deps, {
      appId: ids.appId,
      actor: theService,
      action: 'webhook.disabled',
      target: `webhook:${ids.id}`,
      details: { reason },
    });
  });
}
