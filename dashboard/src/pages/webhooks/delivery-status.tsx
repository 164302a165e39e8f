// The state of a delivery and its last answer, in words.
import type { WebhookDelivery } from '@foyer/contract';
import { Badge } from '@mantine/core';

const statuses = {
  succeeded: { text: 'Succeeded', color: 'green' },
  pending: { text: 'Pending', color: 'blue' },
  retrying: { text: 'Retrying', color: 'orange' },
  failed: { text: 'Failed', color: 'red' },
} as const;

const triggers = { event: null, replay: 'Replay', test: 'Test' } as const;

export function DeliveryStatus({ delivery }: { delivery: WebhookDelivery }) {
  const { text, color } = statuses[shownStatus(delivery)];
  return <Badge color={color}>{text}</Badge>;
}

/** Nothing for a delivery of a new event. */
export function DeliveryTrigger({ delivery }: { delivery: WebhookDelivery }) {
  const trigger = triggers[delivery.trigger];
  return trigger && <Badge color="gray">{trigger}</Badge>;
}

/** A delivery that has failed, and is tried again, is not one that waits for its first attempt. */
export function shownStatus({ status, attempts }: WebhookDelivery): keyof typeof statuses {
  return status === 'pending' && attempts > 0 ? 'retrying' : status;
}

export function answerText({ attempts, response_status, duration_ms }: WebhookDelivery): string {
  if (attempts === 0) return 'Not attempted yet';
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  const answer = response_status === null ? 'No response' : `Response ${response_status}`;
  return `${answer}${duration_ms === null ? '' : ` in ${duration_ms.toLocaleString()} ms`}, ${tries}`;
}
