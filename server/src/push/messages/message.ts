// Serialization of messages and receipts.
import type { PushMessage, PushReceipt } from '@foyer/contract';
import { timestamp } from '../../lib/timestamp.js';
import type { MessageRow, ReceiptRow } from './store.js';

export function serializeMessage(message: MessageRow): PushMessage {
  return {
    id: message.id,
    status: message.status,
    target: message.target,
    ...message.content,
    target_count: message.targetCount,
    accepted_count: message.acceptedCount,
    failed_count: message.failedCount,
    invalid_count: message.invalidCount,
    error: message.error,
    created_at: timestamp(message.createdAt),
    finished_at: message.finishedAt && timestamp(message.finishedAt),
  };
}

export function serializeReceipt(receipt: ReceiptRow): PushReceipt {
  return {
    device_id: receipt.deviceId,
    provider: receipt.provider,
    status: receipt.status,
    error: receipt.error,
    provider_message_id: receipt.providerMessageId,
    attempts: receipt.attempts,
    updated_at: timestamp(receipt.updatedAt),
  };
}
