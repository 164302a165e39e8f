// One delivery: what was sent, when, and what the receiver answered.
import type { WebhookDelivery } from '@foyer/contract';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { capitalized } from '../../components/capitalized.ts';
import { Time } from '../../components/time.tsx';
import type { CurrentApp } from '../../current-app.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { answerText, DeliveryStatus, DeliveryTrigger } from './delivery-status.tsx';

type Props = { current: CurrentApp; webhookId: string; delivery: WebhookDelivery };

export function DeliveryRow({ current, webhookId, delivery }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm" align="flex-start">
        <Stack gap={4} miw={0} flex="1 1 16rem">
          <Group gap="xs">
            <Text size="sm" fw={500}>
              {delivery.event_type}
            </Text>
            <DeliveryStatus delivery={delivery} />
            <DeliveryTrigger delivery={delivery} />
          </Group>
          <Text size="sm">{answerText(delivery)}</Text>
          {delivery.error !== null && (
            <Text size="sm" ff="monospace">
              {capitalized(delivery.error)}
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
        <Button variant="subtle" size="xs" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {opened ? 'Hide details' : 'Request and response'}
        </Button>
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
