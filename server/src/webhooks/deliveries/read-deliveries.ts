// Lists the deliveries of a webhook, and reads one with its last request and the beginning of its response.
import { Ulid, type WebhookDelivery, type WebhookDeliveryDetails } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { findWebhook } from '../endpoints/list-webhooks.js';
import type { WebhookIds } from '../endpoints/store.js';
import { serializeDelivery } from './delivery.js';
import { bodyOf, headersOf } from './message.js';
import { type DeliveryDetails, findDeliveryDetails, listDeliveryRows } from './store.js';

/** Newest first. */
export async function listDeliveries(
  deps: Pick<Deps, 'prisma'>,
  webhook: WebhookIds,
  query: PageInput & { status?: string | undefined },
): Promise<Page<WebhookDelivery>> {
  await findWebhook(deps, webhook);
  const [before] = query.cursor === undefined ? [undefined] : decodeCursor(query.cursor, Ulid);
  const filter = { appId: webhook.appId, endpointId: webhook.id, status: query.status, before };
  const rows = await listDeliveryRows(deps.prisma, filter, query.limit + 1);
  return pageOf(rows, query.limit, ({ id }) => [id], serializeDelivery);
}

export async function readDelivery(
  deps: Pick<Deps, 'prisma' | 'apps'>,
  webhook: WebhookIds,
  id: string,
): Promise<WebhookDeliveryDetails> {
  await findWebhook(deps, webhook);
  const ids = { appId: webhook.appId, endpointId: webhook.id, id };
  const found = await findDeliveryDetails(deps.prisma, ids);
  if (!found) throw new ApiError('webhooks/not-found');
  return {
    ...serializeDelivery(found.delivery),
    request: await requestOf(deps, found),
    response_body: mayRepeatDeletedUser(found) ? null : found.delivery.responseBody,
  };
}

async function requestOf(
  deps: Pick<Deps, 'prisma' | 'apps'>,
  { delivery, event }: DeliveryDetails,
): Promise<WebhookDeliveryDetails['request']> {
  const { eventId, lastAttemptAt, requestUrl } = delivery;
  if (requestUrl === null || lastAttemptAt === null) return null;
  return { url: requestUrl, headers: headersOf(eventId, lastAttemptAt), body: await bodyOf(deps, event) };
}

/** A receiver may answer with data of the event. That of the deletion itself is stored as long as its event. */
function mayRepeatDeletedUser({ delivery, event, hasUser }: DeliveryDetails): boolean {
  if (delivery.trigger === 'test' || hasUser) return false;
  return event.eventType !== 'user.deleted' || event.eventCreatedAt === null;
}
