// Lists webhooks, and finds one.
import { Ulid, type Webhook } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, pageOf } from '../../lib/page.js';
import { findWebhookRow, listWebhookRows } from './store.js';
import { serializeWebhook, type WebhookRow } from './webhook.js';

export async function listWebhooks(
  deps: Deps,
  appId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<Webhook>> {
  const [after] = page.cursor === undefined ? [''] : decodeCursor(page.cursor, Ulid);
  const rows = await listWebhookRows(deps.prisma, appId, after, page.limit + 1);
  const now = deps.clock.now();
  return pageOf(
    rows,
    page.limit,
    ({ id }) => [id],
    (row) => serializeWebhook(row, now),
  );
}

/** Throws `webhooks/not-found`. */
export async function findWebhook(
  deps: Pick<Deps, 'prisma'>,
  ids: { appId: string; id: string },
): Promise<WebhookRow> {
  const row = await findWebhookRow(deps.prisma, ids);
  if (!row) throw new ApiError('webhooks/not-found');
  return row;
}
