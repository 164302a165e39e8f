// The rows of messages and receipts: their columns, and which of them the answers contain.
import type { PushMessageInput } from '@foyer/contract';
import { namesIn, shownIn } from '../../model/wire.js';
import type { PushProvider, StoredTarget } from '../devices/columns.js';

export type Content = {
  notification: NonNullable<PushMessageInput['notification']> | null;
  data: Record<string, string> | null;
  options: NonNullable<PushMessageInput['options']>;
};

export type MessageRow = {
  id: string;
  target: StoredTarget;
  content: Content;
  status: 'scheduled' | 'queued' | 'sending' | 'done' | 'failed' | 'cancelled';
  targetCount: number;
  acceptedCount: number;
  failedCount: number;
  invalidCount: number;
  /** Progress: the number of batches, the pass over the devices, and the last device that the pass completed. */
  step: number;
  pass: number;
  afterDevice: string;
  waitSeconds: number;
  error: string | null;
  /** Null if it was sent at once. */
  sendAt: Date | null;
  createdAt: Date;
  createdBy: string | null;
  finishedAt: Date | null;
};

export type ReceiptRow = {
  deviceId: string;
  provider: PushProvider;
  status: 'accepted' | 'failed' | 'invalid' | 'retrying';
  error: string | null;
  providerMessageId: string | null;
  attempts: number;
  updatedAt: Date;
};

/** A receipt with the user to whom its device belongs now. */
export type ListedReceipt = ReceiptRow & { uid: string | null };

const messageTable = {
  id: 'shown',
  status: 'shown',
  target: 'shown',
  content: 'internal',
  targetCount: 'shown',
  acceptedCount: 'shown',
  failedCount: 'shown',
  invalidCount: 'shown',
  error: 'shown',
  sendAt: 'shown',
  createdAt: 'shown',
  createdBy: 'shown',
  finishedAt: 'shown',
  step: 'internal',
  pass: 'internal',
  afterDevice: 'internal',
  waitSeconds: 'internal',
} as const satisfies Record<keyof MessageRow, 'shown' | 'internal'>;

export const messageNames = namesIn(messageTable);
export const shownOfMessage = shownIn(messageTable);

const receiptTable = {
  deviceId: 'shown',
  provider: 'shown',
  status: 'shown',
  error: 'shown',
  providerMessageId: 'shown',
  attempts: 'shown',
  updatedAt: 'shown',
} as const satisfies Record<keyof ReceiptRow, 'shown'>;

export const receiptNames = namesIn(receiptTable);
