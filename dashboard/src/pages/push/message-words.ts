// The words for push messages.
import type { PushMessage } from '@foyer/contract';

export const messagesKey = (appId: string) => [appId, 'push-messages'];

export const statuses: Record<PushMessage['status'], { text: string; color: string }> = {
  queued: { text: 'Queued', color: 'blue' },
  sending: { text: 'Sending', color: 'blue' },
  done: { text: 'Done', color: 'green' },
  failed: { text: 'Failed', color: 'red' },
};

export function titleOf({ notification }: PushMessage): string {
  return notification?.title ?? 'Data without a notification';
}

export function devicesText(count: number): string {
  return count === 1 ? '1 device' : `${count.toLocaleString()} devices`;
}

export function targetText({ all, topic, uids, device_ids }: PushMessage['target']): string {
  if (all) return 'All devices';
  if (topic !== undefined) return `Topic ${topic}`;
  if (uids) return uids.length === 1 ? '1 user' : `${uids.length.toLocaleString()} users`;
  return devicesText(device_ids?.length ?? 0);
}

/** Providers report acceptance; whether a device displayed the message is not known. */
export function countsText({ accepted_count, target_count }: PushMessage): string {
  return `accepted for ${accepted_count.toLocaleString()} of ${devicesText(target_count)}`;
}
