// Reads messages and their receipts.
import { type PushMessage, type PushReceipt, Ulid } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { serializeMessage, serializeReceipt } from './message.js';
import {
  findMessage,
  listMessageRows,
  listReceiptRows,
  listScheduledRowsBy,
  type MessageIds,
} from './store.js';

export async function listMessages(
  deps: Pick<Deps, 'prisma'>,
  appId: string,
  page: PageInput,
): Promise<Page<PushMessage>> {
  const rows = await listMessageRows(deps.prisma, appId, startOf(page) ?? null, page.limit + 1);
  return pageOf(rows, page.limit, ({ id }) => [id], serializeMessage);
}

/** The messages that the actor has scheduled and that are not sent yet. */
export async function listScheduledBy(
  { prisma, clock }: Pick<Deps, 'prisma' | 'clock'>,
  appId: string,
  actor: string,
): Promise<{ id: string; title: string | null; createdAt: Date }[]> {
  const rows = await listScheduledRowsBy(prisma, { appId, createdBy: actor, now: clock.now() });
  return rows.map(({ id, content, createdAt }) => ({
    id,
    title: content.notification?.title ?? null,
    createdAt,
  }));
}

/** Throws `push/message-not-found`. */
export async function readMessage(deps: Pick<Deps, 'prisma'>, ids: MessageIds): Promise<PushMessage> {
  const message = await findMessage(deps.prisma, ids);
  if (!message) throw new ApiError('push/message-not-found');
  return serializeMessage(message);
}

export async function listReceipts(
  deps: Pick<Deps, 'prisma'>,
  ids: MessageIds,
  page: PageInput,
): Promise<Page<PushReceipt>> {
  const after = startOf(page) ?? '';
  await readMessage(deps, ids);
  const rows = await listReceiptRows(deps.prisma, ids, after, page.limit + 1);
  return pageOf(rows, page.limit, ({ deviceId }) => [deviceId], serializeReceipt);
}

function startOf({ cursor }: PageInput): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(cursor, Ulid)[0];
}
