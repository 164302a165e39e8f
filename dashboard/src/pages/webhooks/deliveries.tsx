// The deliveries of a webhook, with a filter by status.
import type { Webhook, WebhookDelivery } from '@foyer/contract';
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RefreshCwIcon, TruckIcon } from 'lucide-react';
import { capitalized } from '../../components/capitalized.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { notifyFailed, notifyProblem, notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { usePages } from '../../components/paged-list.tsx';
import { type Column, PagedTable } from '../../components/paged-table.tsx';
import { PersonLink } from '../../components/person-link.tsx';
import { Time } from '../../components/time.tsx';
import { type CurrentApp, useApp } from '../../current-app.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { answerText, DeliveryStatus, DeliveryTrigger } from './delivery-status.tsx';
import { deliveriesKey, refreshWebhook } from './webhook-query.ts';
import type { DeliverySearch } from './webhook-search.ts';

const watchMilliseconds = 1_000;
/** An attempt takes up to half a minute. */
const mostReads = 40;
const route = getRouteApi('/member/apps/$appId/webhooks/$webhookId');

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const current = useApp();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = usePages([...deliveriesKey(current, webhook.id), status], (page, options) =>
    current.api.webhooks.deliveries(webhook.id, { status, ...page }, options),
  );
  const openDetails = ({ id, event_type, attempts }: WebhookDelivery) =>
    openDialog(
      `Request and response: ${event_type}`,
      () => <DeliveryDetails current={current} webhookId={webhook.id} deliveryId={id} attempts={attempts} />,
      { size: 'xl' },
    );
  return (
    <>
      <Group mb="md" justify="space-between">
        <SegmentedControl
          aria-label="Status of the deliveries"
          value={status ?? ''}
          onChange={(value) =>
            void navigate({
              search: { status: (value || undefined) as DeliverySearch['status'] },
              replace: true,
            })
          }
          data={[
            { value: '', label: 'All' },
            { value: 'pending', label: 'Pending' },
            { value: 'succeeded', label: 'Succeeded' },
            { value: 'failed', label: 'Failed' },
          ]}
        />
        <Button
          variant="default"
          leftSection={<RefreshCwIcon size={16} />}
          loading={query.isFetching && !query.isFetchingNextPage}
          onClick={() => void query.refetch()}
        >
          Refresh
        </Button>
      </Group>
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={TruckIcon} title={status ? 'No delivery has this status' : 'No deliveries yet'}>
            {status ? null : 'Each call of this webhook appears here. Send a test to try the URL.'}
          </EmptyState>
        }
        keyOf={({ id }) => id}
        name="deliveries"
        columns={[
          ...columns,
          {
            title: 'Actions',
            isTitleHidden: true,
            width: { base: 104, sm: 236 },
            cell: (delivery) => (
              <Group gap="xs" justify="flex-end">
                <Button variant="subtle" size="xs" onClick={() => openDetails(delivery)}>
                  Details
                </Button>
                <Retry webhook={webhook} delivery={delivery} />
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}

const columns: readonly Column<WebhookDelivery>[] = [
  {
    title: 'Event',
    cell: (delivery) => (
      <Stack gap={2}>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {delivery.event_type}
          </Text>
          <DeliveryTrigger delivery={delivery} />
        </Group>
        <Text size="sm" c="dimmed" component="div" hiddenFrom="sm">
          {answerText(delivery)}, <Time at={delivery.created_at} />
        </Text>
      </Stack>
    ),
  },
  {
    title: 'Person',
    isWide: true,
    width: 160,
    cell: ({ uid }) => <PersonLink uid={uid} />,
  },
  { title: 'Status', width: 120, cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  {
    title: 'Last answer',
    isWide: true,
    cell: (delivery) => (
      <>
        <Text size="sm">{answerText(delivery)}</Text>
        {delivery.error !== null && (
          <Text size="sm" ff="monospace" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
            {capitalized(delivery.error)}
          </Text>
        )}
      </>
    ),
  },
  timeColumn('Next attempt', ({ next_attempt_at }) => next_attempt_at, 'None'),
  timeColumn('Created', ({ created_at }) => created_at),
  { ...timeColumn('Last attempt', ({ last_attempt_at }) => last_attempt_at), isExtra: true },
  { title: 'Event id', isExtra: true, isWide: true, width: 180, cell: ({ event_id }) => event_id },
];

function timeColumn(
  title: string,
  time: (delivery: WebhookDelivery) => string | null,
  never = 'Never',
): Column<WebhookDelivery> {
  const cell = (delivery: WebhookDelivery) => <Time at={time(delivery)} never={never} />;
  return { title, isWide: true, width: 120, cell };
}

function Retry({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) {
  const { id: webhookId, enabled } = webhook;
  const current = useApp();
  // The row may leave the list meanwhile, by its filter: the attempt is watched all the same.
  const retry = useMutation({
    mutationFn: async () => {
      await current.api.webhooks.retryDelivery(webhookId, delivery.id);
      void refreshWebhook(current, webhookId);
      return enabled ? attemptAfter(current, webhookId, delivery) : null;
    },
    onSuccess: async (attempt) => {
      if (attempt === null) {
        notifySaved(
          enabled ? 'The delivery is sent again.' : 'The delivery is sent once the webhook is enabled.',
        );
      } else if (attempt.status === 'succeeded') notifySaved(`Sent again: ${answerText(attempt)}.`);
      else notifyFailed(`The attempt failed: ${attempt.error ?? answerText(attempt)}.`);
      await refreshWebhook(current, webhookId);
    },
    onError: notifyProblem,
  });
  return (
    <Button variant="default" size="xs" loading={retry.isPending} onClick={() => retry.mutate()}>
      {delivery.status === 'succeeded' ? 'Send again' : 'Retry'}
    </Button>
  );
}

/** The delivery after its next attempt; null if there was none in time, such as of a webhook that was disabled meanwhile. */
async function attemptAfter(
  { api }: CurrentApp,
  webhookId: string,
  { id, attempts }: WebhookDelivery,
): Promise<WebhookDelivery | null> {
  for (let reads = 0; reads < mostReads; reads += 1) {
    await new Promise((resolve) => setTimeout(resolve, watchMilliseconds));
    const read = await api.webhooks.delivery(webhookId, id);
    if (read.attempts > attempts) return read;
  }
  return null;
}
