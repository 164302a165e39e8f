// The deliveries of a webhook, with a filter by status.
import type { Webhook, WebhookDelivery } from '@foyer/contract';
import { Button, Group, SegmentedControl } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RefreshCwIcon, TruckIcon } from 'lucide-react';
import { dataOf } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { notifyProblem, notifySaved } from '../../components/notify.ts';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { useApp } from '../../current-app.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { deliveriesKey, refreshWebhook } from './webhook-query.ts';
import type { DeliverySearch } from './webhook-search.ts';

const route = getRouteApi('/member/apps/$appId/webhooks/$webhookId');

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const current = useApp();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = usePages([...deliveriesKey(current, webhook.id), status], (page) =>
    current.api.webhooks.listDeliveries({
      ...page,
      params: { id: webhook.id },
      query: { status, ...page.query },
    }),
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
      <PagedStack
        query={query}
        empty={
          <EmptyState icon={TruckIcon} title={status ? 'No delivery has this status' : 'No deliveries yet'}>
            {status ? null : 'Each call of this webhook appears here. Send a test to try the URL.'}
          </EmptyState>
        }
      >
        {(delivery) => (
          <DeliveryRow
            key={delivery.id}
            current={current}
            webhookId={webhook.id}
            delivery={delivery}
            action={<Retry webhookId={webhook.id} delivery={delivery} />}
          />
        )}
      </PagedStack>
    </>
  );
}

function Retry({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const current = useApp();
  const retry = useMutation({
    mutationFn: () =>
      dataOf(
        current.api.webhooks.retryDelivery({
          params: { id: webhookId, delivery_id: delivery.id },
        }),
      ),
    onSuccess: async () => {
      notifySaved('The delivery is sent again.');
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
