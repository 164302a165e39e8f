// Sends a test event to a webhook: one attempt, and its result.
import { testEventType, type WebhookDelivery } from '@foyer/contract';
import { changeInTurn } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { Call } from '../../model/call.js';
import { findWebhook } from '../endpoints/list-webhooks.js';
import { targetOf } from '../endpoints/webhook.js';
import { attemptDelivery, leaseMilliseconds } from './attempt.js';
import { serializeDelivery } from './delivery.js';
import { findClaimed, findDeliveryRow, insertTestDelivery } from './store.js';

/** The attempt is outside any transaction: after a crash, a repeated call with the same Idempotency-Key sends another test. */
export async function testWebhook(deps: Deps, call: Call, webhookId: string): Promise<WebhookDelivery> {
  const webhook = { appId: call.app.id, id: webhookId };
  await findWebhook(deps, webhook);
  const now = deps.clock.now();
  const [id, eventId, leaseId] = [deps.random.ulid(now), deps.random.ulid(now), deps.random.ulid(now)];
  const ids = { appId: webhook.appId, endpointId: webhook.id, id };
  const until = new Date(now.getTime() + leaseMilliseconds);
  // The turn ends before the receiver is asked, which may take seconds to answer.
  await changeInTurn(deps, call, async (tx, record) => {
    await insertTestDelivery(tx, { ...ids, eventId, eventType: testEventType, leaseId, until, now });
    await record.audit({ action: 'webhook.tested', target: targetOf(webhook) });
  });
  const claimed = await findClaimed(deps.prisma, ids);
  if (claimed) await attemptDelivery(deps, claimed, leaseId);
  const row = await findDeliveryRow(deps.prisma, ids);
  // The webhook was deleted before the attempt.
  if (!claimed || !row) throw new ApiError('webhooks/not-found');
  return serializeDelivery(row);
}
