// Updates and deletes webhooks; disables one that fails.
import type { Webhook } from '@foyer/contract';
import { changesBetween } from '../../audit/changes-rules.js';
import { change, changeInTurn } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { theService } from '../../model/actor.js';
import type { Call } from '../../model/call.js';
import { dispatchEventsOf } from '../dispatch/dispatch.js';
import { requireAllowedUrl } from './create-webhook.js';
import {
  type DisableOnlyIf,
  deleteWebhookRow,
  disableWebhookRow,
  lockWebhook,
  updateWebhookRow,
  type WebhookIds,
  type WebhookPatch,
} from './store.js';
import { recordedOf, serializeWebhook, targetOf } from './webhook.js';

export async function updateWebhook(
  deps: Deps,
  call: Call,
  id: string,
  patch: WebhookPatch,
): Promise<Webhook> {
  if (patch.url !== undefined) {
    await requireAllowedUrl(deps, patch.url);
    await call.authorizeAgain();
  }
  const ids = { appId: call.app.id, id };
  const now = deps.clock.now();
  const row = await changeInTurn(deps, call, async (tx, record) => {
    await dispatchEventsOf(tx, deps, ids.appId);
    const before = await lockWebhook(tx, ids);
    const changed = before && (await updateWebhookRow(tx, ids, patch, now));
    if (!changed) throw new ApiError('webhooks/not-found');
    const changes = changesBetween(recordedOf(before), recordedOf(changed));
    const details = { changed: Object.keys(patch), changes };
    await record.audit({ action: 'webhook.updated', target: targetOf(ids), details });
    return changed;
  });
  return serializeWebhook(row, now);
}

/** The daily job deletes its deliveries, of which there may be millions; without the webhook none is sent or listed. */
export async function deleteWebhook(deps: Deps, call: Call, id: string): Promise<void> {
  await change(deps, call, async (tx, record) => {
    if (!(await deleteWebhookRow(tx, { appId: call.app.id, id }))) throw new ApiError('webhooks/not-found');
    await record.audit({ action: 'webhook.deleted', target: targetOf({ id }) });
  });
}

/** Disables and audits once, also when several attempts find the reason at the same time. */
export async function disableWebhook(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: WebhookIds,
  reason: 'gone' | 'failing',
  onlyIf: DisableOnlyIf,
): Promise<void> {
  const { appId } = ids;
  await change(deps, { app: { id: appId }, actor: theService }, async (tx, record) => {
    await dispatchEventsOf(tx, deps, appId);
    if (!(await disableWebhookRow(tx, ids, { reason, now: deps.clock.now() }, onlyIf))) return;
    await record.audit({ action: 'webhook.disabled', target: targetOf(ids), details: { reason } });
  });
}
