// Retries a delivery, and replays the events of a period.
import type { WebhookDelivery } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import { firstUlidAt } from '../../lib/crypto/ulid-bytes.js';
import { timestamp } from '../../lib/timestamp.js';
import type { Actor } from '../../model/actor.js';
import { findWebhook } from '../endpoints/list-webhooks.js';
import type { WebhookIds } from '../endpoints/store.js';
import { auditWebhook } from '../endpoints/webhook.js';
import { serializeDelivery } from './delivery.js';
import { findDeliveryRow, insertReplay, lockWebhookForShare, rescheduleNow } from './store.js';

export type Replay = { id: string; since: string; until: string };

export async function retryDelivery(
  deps: Deps,
  webhook: WebhookIds,
  deliveryId: string,
  actor: Actor,
  store: StoreResponse<WebhookDelivery>,
): Promise<WebhookDelivery> {
  await findWebhook(deps, webhook);
  const ids = { appId: webhook.appId, endpointId: webhook.id, id: deliveryId };
  return deps.prisma.$transaction(async (tx) => {
    await rescheduleNow(tx, ids, deps.clock.now());
    const found = await findDeliveryRow(tx, ids);
    if (!found) throw new ApiError('webhooks/not-found');
    await auditWebhook(tx, deps, webhook, actor, 'webhook.delivery_retried', { delivery: deliveryId });
    const delivery = serializeDelivery(found);
    await store(tx, delivery);
    return delivery;
  });
}

/** One replay per webhook at a time, since overlapping ones would multiply deliveries. */
export async function replayEvents(
  deps: Deps,
  webhook: WebhookIds,
  period: { since: string; until?: string | undefined },
  actor: Actor,
  store: StoreResponse<Replay>,
): Promise<Replay> {
  const now = deps.clock.now();
  const { since, until = timestamp(now) } = period;
  const id = deps.random.ulid(now);
  const [afterId, beforeId] = [firstUlidAt(since), firstUlidAt(until)];
  const replay = { id, since, until };
  await deps.prisma.$transaction(async (tx) => {
    if (!(await lockWebhookForShare(tx, webhook))) throw new ApiError('webhooks/not-found');
    const row = { appId: webhook.appId, id, endpointId: webhook.id, afterId, beforeId };
    if (!(await insertReplay(tx, row, now))) throw new ApiError('webhooks/replay-in-progress');
    await auditWebhook(tx, deps, webhook, actor, 'webhook.replayed', { since, until });
    await store(tx, replay);
  });
  return replay;
}
