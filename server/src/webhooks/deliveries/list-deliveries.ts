// Lists the deliveries of a webhook, newest first.
import { Ulid, type WebhookDelivery } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, pageOf } from '../../lib/page.js';
import { findWebhook } from '../endpoints/list-webhooks.js';
import { serializeDelivery } from './delivery.js';
import { listDeliveryRows } from './store.js';

export async function listDeliveries(
  deps: Deps,
  webhook: { appId: string; id: string },
  query: { limit: number; cursor?: string | undefined; status?: string | undefined },
): Promise<Page<WebhookDelivery>> {
  await findWebhook(deps, webhook);
  const [before] = query.cursor === undefined ? [undefined] : decodeCursor(query.cursor, Ulid);
  const filter = { appId: webhook.appId, endpointId: webhook.id, status: query.status, before };
  const rows = await listDeliveryRows(deps.prisma, filter, query.limit + 1);
  return pageOf(rows, query.limit, ({ id }) => [id], serializeDelivery);
}
