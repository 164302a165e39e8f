// Updates and deletes webhooks; disables one that fails.
import type { Webhook } from '@foyer/contract';
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
  type WebhookIds,
  type WebhookPatch,
} from './store.js';
import { auditWebhook, serializeWebhook } from './webhook.js';

export async function updateWebhook(
  deps: Deps,
  ids: WebhookIds,
  patch: WebhookPatch,
  actor: Actor,
): Promise<Webhook> {
  if (patch.url !== undefined) await requireAllowedUrl(deps, patch.url);
  const now = deps.clock.now();
  const row = await deps.prisma.$transaction(async (tx) => {
    await dispatchEventsOf(tx, deps, ids.appId);
    const changed = await updateWebhookRow(tx, ids, patch, now);
    if (!changed) throw new ApiError('webhooks/not-found');
    await auditWebhook(tx, deps, ids, actor, 'webhook.updated', { changed: Object.keys(patch) });
    return changed;
  });
  return serializeWebhook(row, now);
}

/** The daily job deletes its deliveries, of which there may be millions; without the webhook none is sent or listed. */
export async function deleteWebhook(deps: Deps, ids: WebhookIds, actor: Actor): Promise<void> {
  await deps.prisma.$transaction(async (tx) => {
    if (!(await deleteWebhookRow(tx, ids))) throw new ApiError('webhooks/not-found');
    await auditWebhook(tx, deps, ids, actor, 'webhook.deleted');
  });
}

/** Disables and audits once, also when several attempts find the reason at the same time. */
export async function disableWebhook(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: WebhookIds,
  reason: 'gone' | 'failing',
  onlyIf: DisableOnlyIf,
): Promise<void> {
  await deps.prisma.$transaction(async (tx) => {
    await dispatchEventsOf(tx, deps, ids.appId);
    if (!(await disableWebhookRow(tx, ids, reason, deps.clock.now(), onlyIf))) return;
    await auditWebhook(tx, deps, ids, theService, 'webhook.disabled', { reason });
  });
}
