// GET /admin/webhooks/{id}/deliveries/{delivery_id}: a delivery with its last request and the beginning of its response.
import type { WebhookDeliveryDetails } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { findWebhook } from '../endpoints/list-webhooks.js';
import { serializeDelivery } from './delivery.js';
import { bodyOf, headersOf } from './message.js';
import { type DeliveryDetails, findDeliveryDetails } from './store.js';

export async function readDelivery(
  deps: Pick<Deps, 'prisma'>,
  webhook: { appId: string; id: string },
  id: string,
): Promise<WebhookDeliveryDetails> {
  await findWebhook(deps, webhook);
  const ids = { appId: webhook.appId, endpointId: webhook.id, id };
  const found = await findDeliveryDetails(deps.prisma, ids);
  if (!found) throw new ApiError('webhooks/not-found');
  return {
    ...serializeDelivery(found.delivery),
    request: requestOf(found),
    response_body: mayRepeatDeletedUser(found) ? null : found.responseBody,
  };
}

function requestOf({ delivery, event, requestUrl }: DeliveryDetails): WebhookDeliveryDetails['request'] {
  const { eventId, lastAttemptAt } = delivery;
  if (requestUrl === null || lastAttemptAt === null) return null;
  return { url: requestUrl, headers: headersOf(eventId, lastAttemptAt), body: bodyOf(event) };
}

/** A receiver may answer with data of the event. That of the deletion itself is stored as long as its event. */
function mayRepeatDeletedUser({ delivery, event, hasUser }: DeliveryDetails): boolean {
  return delivery.trigger !== 'test' && !hasUser && event.eventType !== 'user.deleted';
}
