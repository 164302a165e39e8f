// The words for push messages.
import type { PushMessage, PushMessageInput } from '@foyer/contract';
import { devicesText } from '../../components/quantities.ts';

export const messagesKey = (appId: string) => [appId, 'push-messages'];

const statuses: Record<PushMessage['status'], { text: string; color: string }> = {
  queued: { text: 'Queued', color: 'blue' },
  sending: { text: 'Sending', color: 'blue' },
  done: { text: 'Done', color: 'green' },
  failed: { text: 'Failed', color: 'red' },
  scheduled: { text: 'Scheduled', color: 'violet' },
  cancelled: { text: 'Cancelled', color: 'gray' },
};

/** A message is also done if no device could receive it. */
export function statusOf({ status, accepted_count }: PushMessage): { text: string; color: string } {
  return status === 'done' && accepted_count === 0
    ? { text: 'Reached nobody', color: 'orange' }
    : statuses[status];
}

export function titleOf({ notification }: PushMessage): string {
  return notification?.title ?? 'Data without a notification';
}

/** How many devices a message would reach. People may have several or none, so that the numbers differ. */
export function reachText(devices: number, { uids }: PushMessageInput): string {
  const reach = devices === 0 ? 'No device' : devicesText(devices);
  if (!uids || uids.length <= devices) return `${reach} would receive this message.`;
  const people = uids.length === 1 ? '1 person' : `${uids.length.toLocaleString()} people`;
  return `${reach} of ${people} would receive this message: not everyone has a device.`;
}

export function targetText({ all, topic, uids, device_ids }: PushMessage['target']): string {
  if (all) return 'All devices';
  if (topic !== undefined) return `Topic ${topic}`;
  if (uids) return uids.length === 1 ? '1 person' : `${uids.length.toLocaleString()} people`;
  return devicesText(device_ids?.length ?? 0);
}

/** Providers report acceptance; whether a device displayed the message is not known. */
export function countsText({ status, accepted_count, target_count }: PushMessage): string {
  if (status === 'scheduled') return `${devicesText(target_count)} now`;
  if (status === 'cancelled') return 'not sent';
  if (status === 'done' && target_count === 0) return 'no device was registered for it';
  return `accepted for ${accepted_count.toLocaleString()} of ${devicesText(target_count)}`;
}
