// GET /admin/webhooks/{id}/deliveries, newest first.
import { Ulid, type WebhookDelivery } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { decodeCursor, encodeCursor } from '../../lib/cursor.js';
import { findWebhook } from '../endpoints/list-webhooks.js';
import { serializeDelivery } from './delivery.js';
import { listDeliveryRows } from './store.js';

export async function listDeliveries(
  deps: Deps,
  webhook: { appId: string; id: string },
  query: { limit: number; cursor?: string | undefined; status?: string | undefined },
): Promise<{ items: WebhookDelivery[]; next_cursor: string | null }> {
  await findWebhook(deps, webhook);
  const [before] = query.cursor === undefined ? [undefined] : decodeCursor(query.cursor, Ulid);
  const filter = { appId: webhook.appId, endpointId: webhook.id, status: query.status, before };
  const rows = await listDeliveryRows(deps.prisma, filter, query.limit + 1);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(serializeDelivery),
    next_cursor: last && rows.length > shown.length ? encodeCursor([last.id]) : null,
  };
}
