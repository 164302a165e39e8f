// One delivery: what was sent, when, and what the receiver answered.
import type { WebhookDelivery } from '@foyer/contract';
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Time } from '../../components/time.tsx';
import type { CurrentApp } from '../../current-app.tsx';
import { DeliveryDetails } from './delivery-details.tsx';

const statuses = {
  succeeded: { text: 'Succeeded', color: 'green' },
  pending: { text: 'Pending', color: 'blue' },
  failed: { text: 'Failed', color: 'red' },
} as const;

const triggers = { event: null, replay: 'Replay', test: 'Test' } as const;

type Props = {
  current: CurrentApp;
  webhookId: string;
  delivery: WebhookDelivery;
  action?: ReactNode;
};

export function DeliveryRow({ current, webhookId, delivery, action }: Props) {
  const [opened, setOpened] = useState(false);
  const { text, color } = statuses[delivery.status];
  const trigger = triggers[delivery.trigger];
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm" align="flex-start">
        <Stack gap={4} miw={0} flex="1 1 16rem">
          <Group gap="xs">
            <Text size="sm" fw={500}>
              {delivery.event_type}
            </Text>
            <Badge color={color}>{text}</Badge>
            {trigger && <Badge color="gray">{trigger}</Badge>}
          </Group>
          <Text size="sm">{answerText(delivery)}</Text>
          {delivery.error !== null && (
            <Text size="sm" ff="monospace">
              {delivery.error}
            </Text>
          )}
          <Text size="sm" c="dimmed" component="div">
            Created <Time at={delivery.created_at} />
            {delivery.last_attempt_at !== null && (
              <>
                , last attempt <Time at={delivery.last_attempt_at} />
              </>
            )}
            {delivery.next_attempt_at !== null && (
              <>
                , next <Time at={delivery.next_attempt_at} />
              </>
            )}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {delivery.event_id}
          </Text>
        </Stack>
        <Group gap="xs">
          <Button variant="subtle" size="xs" aria-expanded={opened} onClick={() => setOpened(!opened)}>
            {opened ? 'Hide details' : 'Request and response'}
          </Button>
          {action}
        </Group>
      </Group>
      {opened && (
        <DeliveryDetails
          current={current}
          webhookId={webhookId}
          deliveryId={delivery.id}
          attempts={delivery.attempts}
        />
      )}
    </Paper>
  );
}

function answerText({ attempts, response_status, duration_ms }: WebhookDelivery): string {
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  if (attempts === 0) return 'Not attempted yet';
  const answer = response_status === null ? 'No response' : `Response ${response_status}`;
  return `${answer}${duration_ms === null ? '' : ` in ${duration_ms.toLocaleString()} ms`}, ${tries}`;
}
