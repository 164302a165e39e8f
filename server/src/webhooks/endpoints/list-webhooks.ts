// Lists webhooks, and finds one.
import { Ulid, type Webhook } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { findWebhookRow, listWebhookRows, type WebhookIds, type WebhookRow } from './store.js';
import { serializeWebhook } from './webhook.js';

export async function listWebhooks(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  appId: string,
  page: PageInput,
): Promise<Page<Webhook>> {
  const [after] = page.cursor === undefined ? [''] : decodeCursor(page.cursor, Ulid);
  const rows = await listWebhookRows(deps.prisma, appId, after, page.limit + 1);
  const now = deps.clock.now();
  const serialize = (row: WebhookRow) => serializeWebhook(row, now);
  return pageOf(rows, page.limit, ({ id }) => [id], serialize);
}

/** Throws `webhooks/not-found`. */
export async function findWebhook(deps: Pick<Deps, 'prisma'>, ids: WebhookIds): Promise<WebhookRow> {
  const row = await findWebhookRow(deps.prisma, ids);
  if (!row) throw new ApiError('webhooks/not-found');
  return row;
}
