// Queries on push messages and their receipts, each scoped to an app.
import { limits } from '@foyer/contract';
import { columnList, type Db, Prisma, type PrismaClient, type Tx } from '@foyer/prisma';
import { firstUlidOf } from '../../lib/crypto/ulid-bytes.js';
import { hourMilliseconds } from '../../lib/timestamp.js';
import { lockAppOf } from '../../model/app.js';
import { type BatchEnd, deleteOldestOf, type RetentionBatch } from '../../model/retention-batch.js';
import type { PushProvider } from '../devices/columns.js';
import {
  type ListedReceipt,
  type MessageRow,
  messageNames,
  type ReceiptRow,
  receiptNames,
} from './columns.js';

export type MessageIds = { appId: string; messageId: string };

const messageColumns = columnList(messageNames);

export async function insertMessage(
  tx: Tx,
  message: MessageIds &
    Pick<MessageRow, 'target' | 'content' | 'targetCount' | 'status' | 'sendAt' | 'createdBy'> & {
      now: Date;
    },
): Promise<void> {
  await tx.$executeRaw`INSERT INTO push_messages (app_id, id, target, content, status, target_count, send_at, created_at,
      created_by)
    VALUES (${message.appId}, ${message.messageId}, ${JSON.stringify(message.target)}::jsonb,
      ${JSON.stringify(message.content)}::jsonb, ${message.status}, ${message.targetCount}::int,
      ${message.sendAt}::timestamptz, ${message.now}::timestamptz, ${message.createdBy})`;
}

/** Two calls that schedule messages of an app at once would each miss the other in the count. */
export async function lockScheduled(tx: Tx, appId: string): Promise<void> {
  await tx.$executeRaw(lockAppOf(appId));
}

/** Their ids begin with the time to send at: those of other messages are not read. */
export async function countScheduled(tx: Tx, appId: string, now: Date): Promise<number> {
  const [row] = await tx.$queryRaw<[{ count: number }]>`SELECT count(*)::int AS count FROM push_messages
    WHERE app_id = ${appId} AND id >= ${firstUlidOf(now)} AND status = 'scheduled'`;
  return row.count;
}

/** The messages that the actor has scheduled and that are not sent yet, the latest call first. */
export function listScheduledRowsBy(
  db: Db,
  { appId, createdBy, now }: { appId: string; createdBy: string; now: Date },
): Promise<MessageRow[]> {
  return db.$queryRaw`SELECT ${messageColumns} FROM push_messages
    WHERE app_id = ${appId} AND id >= ${firstUlidOf(now)} AND status = 'scheduled' AND created_by = ${createdBy}
    ORDER BY created_at DESC, id DESC LIMIT ${limits.scheduledPushMessages}::int`;
}

/** Null unless the message is scheduled: a job that starts it meanwhile comes first or finds it finished. */
export async function cancelScheduled(tx: Tx, ids: MessageIds, now: Date): Promise<MessageRow | null> {
  const [row] = await tx.$queryRaw<MessageRow[]>`UPDATE push_messages
    SET status = 'cancelled', finished_at = ${now}::timestamptz
    WHERE app_id = ${ids.appId} AND id = ${ids.messageId} AND status = 'scheduled' RETURNING ${messageColumns}`;
  return row ?? null;
}

export async function setTargetCount(db: Db, ids: MessageIds, targetCount: number): Promise<void> {
  await db.$executeRaw`UPDATE push_messages SET target_count = ${targetCount}::int
    WHERE app_id = ${ids.appId} AND id = ${ids.messageId}`;
}

export async function findMessage(db: Db, ids: MessageIds): Promise<MessageRow | null> {
  const [row] = await db.$queryRaw<MessageRow[]>`SELECT ${messageColumns} FROM push_messages
    WHERE app_id = ${ids.appId} AND id = ${ids.messageId}`;
  return row ?? null;
}

/** Newest first, with ids below `before`. */
export function listMessageRows(
  db: Db,
  appId: string,
  before: string | null,
  limit: number,
): Promise<MessageRow[]> {
  return db.$queryRaw<MessageRow[]>`SELECT ${messageColumns} FROM push_messages
    WHERE app_id = ${appId} AND (${before}::text IS NULL OR id < ${before}::text)
    ORDER BY id DESC LIMIT ${limit}::int`;
}

/** Marks the message `sending`; null if the batch of this step was already sent. */
export async function beginBatch(db: Db, ids: MessageIds, step: number): Promise<MessageRow | null> {
  const [row] = await db.$queryRaw<MessageRow[]>`UPDATE push_messages SET status = 'sending'
    WHERE app_id = ${ids.appId} AND id = ${ids.messageId} AND step = ${step}::int AND finished_at IS NULL
    RETURNING ${messageColumns}`;
  return row ?? null;
}

/** Advances to the next step; false if another job already has. */
export async function advanceMessage(
  tx: Tx,
  ids: MessageIds,
  step: number,
  to: { pass: number; afterDevice: string; waitSeconds: number },
): Promise<boolean> {
  const count = await tx.$executeRaw`UPDATE push_messages SET step = step + 1, pass = ${to.pass}::int,
      after_device = ${to.afterDevice}, wait_seconds = ${to.waitSeconds}::int
    WHERE app_id = ${ids.appId} AND id = ${ids.messageId} AND finished_at IS NULL
      AND step = ${step}::int`;
  return count === 1;
}

/**
 * Fails the first `maxRows` pending retries and returns how many; none if the message has advanced beyond the step. Up to an id,
 * since for a list of ids PostgreSQL, which expects few, may compare each receipt with each.
 */
export async function failRetrying(
  db: Db,
  ids: MessageIds & { step: number },
  now: Date,
  maxRows: number,
): Promise<number> {
  const [row] = await db.$queryRaw<[{ count: number }]>`WITH unfinished AS (
      SELECT id FROM push_messages
      WHERE app_id = ${ids.appId} AND id = ${ids.messageId} AND step = ${ids.step}::int AND finished_at IS NULL
      FOR UPDATE
    ), failed AS (
      UPDATE push_receipts SET status = 'failed', updated_at = ${now}::timestamptz
      WHERE app_id = ${ids.appId} AND message_id = ${ids.messageId} AND status = 'retrying' AND device_id <= (
        SELECT max(device_id) FROM (SELECT device_id FROM push_receipts
          WHERE app_id = ${ids.appId} AND message_id = (SELECT id FROM unfinished) AND status = 'retrying'
          ORDER BY device_id LIMIT ${maxRows}::int) AS batch)
      RETURNING device_id
    ), counted AS (
      UPDATE push_messages SET failed_count = failed_count + (SELECT count(*) FROM failed)
      WHERE app_id = ${ids.appId} AND id IN (SELECT id FROM unfinished)
    )
    SELECT count(*)::int AS count FROM failed`;
  return row.count;
}

/**
 * The message failed if it was stopped, or if no device accepted it and at least one failed. Nothing changes if the message has
 * advanced beyond the step.
 */
export async function finishMessage(
  db: Db,
  ids: MessageIds & { step: number },
  error: string | null,
  now: Date,
): Promise<void> {
  await db.$executeRaw`UPDATE push_messages SET finished_at = ${now}::timestamptz, error = ${error},
      status = CASE WHEN ${error}::text IS NOT NULL OR (accepted_count = 0 AND failed_count > 0)
        THEN 'failed' ELSE 'done' END
    WHERE app_id = ${ids.appId} AND id = ${ids.messageId} AND step = ${ids.step}::int AND finished_at IS NULL`;
}

/** Rows are in the order of the device ids, above `after`, with the present user of each device. */
export function listReceiptRows(
  db: Db,
  ids: MessageIds,
  after: string,
  limit: number,
): Promise<ListedReceipt[]> {
  return db.$queryRaw<ListedReceipt[]>`SELECT ${columnList(receiptNames, { of: 'r' })},
      (SELECT user_id FROM push_devices AS d WHERE d.app_id = ${ids.appId} AND d.id = r.device_id) AS uid
    FROM push_receipts AS r WHERE r.app_id = ${ids.appId} AND r.message_id = ${ids.messageId} AND r.device_id > ${after}
    ORDER BY r.device_id LIMIT ${limit}::int`;
}

/** Returns those of `deviceIds` that have a receipt already, because a process crashed after writing it. */
export async function devicesWithReceipt(db: Db, ids: MessageIds, deviceIds: string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`SELECT device_id AS id FROM push_receipts
    WHERE app_id = ${ids.appId} AND message_id = ${ids.messageId} AND device_id = ANY(${deviceIds}::text[])`;
  return new Set(rows.map(({ id }) => id));
}

/** Devices to retry in this pass. */
export function listRetrying(
  db: Db,
  ids: MessageIds,
  place: { pass: number; afterDevice: string },
  limit: number,
): Promise<{ deviceId: string; provider: PushProvider; attempts: number }[]> {
  return db.$queryRaw`SELECT device_id AS "deviceId", provider, attempts FROM push_receipts
    WHERE app_id = ${ids.appId} AND message_id = ${ids.messageId} AND device_id > ${place.afterDevice}
      AND status = 'retrying' AND attempts < ${place.pass}::int
    ORDER BY device_id LIMIT ${limit}::int`;
}

export async function hasRetrying(db: Db, ids: MessageIds): Promise<boolean> {
  const [row] = await db.$queryRaw<{ there: boolean }[]>`SELECT EXISTS (SELECT 1 FROM push_receipts
    WHERE app_id = ${ids.appId} AND message_id = ${ids.messageId} AND status = 'retrying') AS there`;
  return row?.there === true;
}

export type NewReceipt = Omit<ReceiptRow, 'updatedAt'> & {
  /** An invalid device that was registered after this time remains active. */
  registeredAt: Date;
  /** The Web Push endpoint did not answer this message, or answered; neither for a repeated attempt without an answer. */
  unanswered: boolean;
  answered: boolean;
};

/**
 * Writes receipts once per device and pass, updates the counts of the message and marks invalid devices, atomically. Devices
 * are locked in one order: two messages may have the same ones.
 */
export async function writeReceipts(
  db: Db,
  ids: MessageIds,
  receipts: NewReceipt[],
  now: Date,
): Promise<void> {
  const { appId, messageId } = ids;
  const unansweredBefore = new Date(now.getTime() - limits.pushUnansweredHours * hourMilliseconds);
  await db.$executeRaw`WITH result AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) AS s("deviceId" text, provider text,
        status text, error text, "providerMessageId" text, attempts int, "registeredAt" timestamptz, unanswered boolean,
        answered boolean)
    ), written AS (
      INSERT INTO push_receipts AS r (app_id, message_id, device_id, provider, status, error, provider_message_id,
        attempts, updated_at)
      SELECT ${appId}, ${messageId}, "deviceId", provider, status, error, "providerMessageId", attempts,
        ${now}::timestamptz FROM result
      ON CONFLICT (app_id, message_id, device_id) DO UPDATE SET status = EXCLUDED.status, error = EXCLUDED.error,
        provider_message_id = EXCLUDED.provider_message_id, attempts = EXCLUDED.attempts,
        updated_at = EXCLUDED.updated_at
      WHERE r.status = 'retrying' AND r.attempts < EXCLUDED.attempts
      RETURNING r.status
    ), locked AS (
      SELECT d.id FROM result JOIN push_devices AS d ON d.app_id = ${appId} AND d.id = result."deviceId"
      WHERE (result.status = 'invalid' OR result.unanswered OR (result.answered AND d.unanswered_messages > 0))
        AND d.invalid_at IS NULL AND d.last_registered_at <= result."registeredAt"
      ORDER BY d.id FOR NO KEY UPDATE OF d
    ), marked AS (
      UPDATE push_devices AS d SET
        invalid_at = CASE WHEN result.status = 'invalid' OR (result.unanswered
          AND d.unanswered_messages + 1 >= ${limits.pushUnansweredMessages}::int
          AND d.unanswered_since <= ${unansweredBefore}::timestamptz) THEN ${now}::timestamptz END,
        unanswered_messages = CASE WHEN result.unanswered THEN d.unanswered_messages + 1
          WHEN result.answered THEN 0 ELSE d.unanswered_messages END,
        unanswered_since = CASE WHEN result.unanswered THEN COALESCE(d.unanswered_since, ${now}::timestamptz)
          WHEN result.answered THEN NULL ELSE d.unanswered_since END
      FROM result WHERE d.app_id = ${appId} AND d.id = result."deviceId" AND d.id IN (SELECT id FROM locked)
    ), counted AS (
      SELECT count(*) FILTER (WHERE status = 'accepted') AS accepted, count(*) FILTER (WHERE status = 'failed') AS failed,
        count(*) FILTER (WHERE status = 'invalid') AS invalid FROM written
    )
    UPDATE push_messages SET accepted_count = accepted_count + counted.accepted,
      failed_count = failed_count + counted.failed, invalid_count = invalid_count + counted.invalid
    FROM counted WHERE app_id = ${appId} AND id = ${messageId}`;
}

/** Deletes receipts of messages older than the time, which the ids of the messages begin with. */
export async function deleteReceiptsBefore(
  prisma: PrismaClient,
  { appId, after, time, maxRows }: RetentionBatch,
): Promise<BatchEnd> {
  // A message may have receipts in several batches.
  const [end] = await prisma.$queryRaw<[BatchEnd]>`WITH batch AS MATERIALIZED (
      SELECT message_id, device_id FROM push_receipts
      WHERE app_id = ${appId} AND message_id >= ${after} AND message_id < ${firstUlidOf(time)}
      ORDER BY message_id, device_id LIMIT ${Prisma.raw(String(maxRows))}
    ), gone AS (
      DELETE FROM push_receipts AS r USING batch
      WHERE r.app_id = ${appId} AND r.message_id = batch.message_id AND r.device_id = batch.device_id
    )
    SELECT count(*)::int AS rows, max(message_id) AS last FROM batch`;
  return end;
}

export async function deleteMessagesBefore(prisma: PrismaClient, batch: RetentionBatch): Promise<BatchEnd> {
  const [end] = await prisma.$queryRaw<[BatchEnd]>(deleteOldestOf('push_messages', batch));
  return end;
}

/** The content as the app's backend sent it. */
