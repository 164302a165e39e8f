// GET /admin/webhooks and GET /admin/webhooks/{id}.
import { Ulid, type Webhook } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor, encodeCursor } from '../../lib/cursor.js';
import { findWebhookRow, listWebhookRows } from './store.js';
import { serializeWebhook, type WebhookRow } from './webhook.js';

export async function listWebhooks(
  deps: Deps,
  appId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ items: Webhook[]; next_cursor: string | null }> {
  const [after] = page.cursor === undefined ? [''] : decodeCursor(page.cursor, Ulid);
  const rows = await listWebhookRows(deps.prisma, appId, after, page.limit + 1);
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const now = deps.clock.now();
  return {
    items: shown.map((row) => serializeWebhook(row, now)),
    next_cursor: last && rows.length > shown.length ? encodeCursor([last.id]) : null,
  };
}

/** `webhooks/not-found` where the app has none with this id. */
export async function findWebhook(
  deps: Pick<Deps, 'prisma'>,
  ids: { appId: string; id: string },
): Promise<WebhookRow> {
  const row = await findWebhookRow(deps.prisma, ids);
  if (!row) throw new ApiError('webhooks/not-found');
  return row;
}
