// Retries a delivery, and replays the events of a period.
import type { WebhookDelivery } from '@foyer/contract';
import { change } from '../../change.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import { firstUlidAt } from '../../lib/crypto/ulid-bytes.js';
import { timestamp } from '../../lib/timestamp.js';
import type { Call } from '../../model/call.js';
import { findWebhook } from '../endpoints/list-webhooks.js';
import { targetOf } from '../endpoints/webhook.js';
import { serializeDelivery } from './delivery.js';
import { findDeliveryRow, insertReplay, lockWebhookForShare, rescheduleNow } from './store.js';

export type Replay = { id: string; since: string; until: string };

export async function retryDelivery(
  deps: Deps,
  call: Call,
  { webhookId, id }: { webhookId: string; id: string },
  store: StoreResponse<WebhookDelivery>,
): Promise<WebhookDelivery> {
  const { id: appId } = call.app;
  await findWebhook(deps, { appId, id: webhookId });
  const ids = { appId, endpointId: webhookId, id };
  return change(deps, call, async (tx, record) => {
    await rescheduleNow(tx, ids, deps.clock.now());
    const found = await findDeliveryRow(tx, ids);
    if (!found) throw new ApiError('webhooks/not-found');
    const target = targetOf({ id: webhookId });
    await record.audit({ action: 'webhook.delivery_retried', target, details: { delivery: id } });
    const delivery = serializeDelivery(found);
    await store(tx, delivery);
    return delivery;
  });
}

/** One replay per webhook at a time, since overlapping ones would multiply deliveries. */
export async function replayEvents(
  deps: Deps,
  call: Call,
  { webhookId, ...period }: { webhookId: string; since: string; until?: string | undefined },
  store: StoreResponse<Replay>,
): Promise<Replay> {
  const webhook = { appId: call.app.id, id: webhookId };
  const now = deps.clock.now();
  const { since, until = timestamp(now) } = period;
  const id = deps.random.ulid(now);
  const [afterId, beforeId] = [firstUlidAt(since), firstUlidAt(until)];
  const replay = { id, since, until };
  await change(deps, call, async (tx, record) => {
    if (!(await lockWebhookForShare(tx, webhook))) throw new ApiError('webhooks/not-found');
    const row = { appId: webhook.appId, id, endpointId: webhook.id, afterId, beforeId };
    if (!(await insertReplay(tx, row, now))) throw new ApiError('webhooks/replay-in-progress');
    await record.audit({ action: 'webhook.replayed', target: targetOf(webhook), details: { since, until } });
    await store(tx, replay);
  });
  return replay;
}
