// Serialization of messages and receipts.
import type { PushMessage, PushReceipt } from '@foyer/contract';
import { toWire } from '../../model/wire.js';
import { type ListedReceipt, type MessageRow, receiptNames, shownOfMessage } from './columns.js';

export function serializeMessage(message: MessageRow): PushMessage {
  const { owners: _, ...target } = message.target;
  return { ...toWire({ ...message, target }, shownOfMessage), ...message.content };
}

export function serializeReceipt(receipt: ListedReceipt): PushReceipt {
  return { ...toWire(receipt, receiptNames), uid: receipt.uid };
}
