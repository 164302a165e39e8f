// One webhook in the cache, the words for its state, and how changes reach the pages that show it.
import { type EventType, eventTypes, type Webhook } from '@foyer/contract';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../api.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';

export const webhooksKey = ({ app }: CurrentApp) => [app.id, 'webhooks'];

export function webhookQuery(current: CurrentApp, id: string) {
  return queryOptions({
    queryKey: [current.app.id, 'webhook', id],
    queryFn: ({ signal }) => dataOf(current.api.webhooks.get({ params: { id }, fetchOptions: { signal } })),
  });
}

export const deliveriesKey = ({ app }: CurrentApp, id: string) => [app.id, 'webhook', id, 'deliveries'];

/** After any change of a webhook or its deliveries. */
export async function refreshWebhook(current: CurrentApp, id: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: webhooksKey(current) });
  await queryClient.invalidateQueries({ queryKey: webhookQuery(current, id).queryKey });
}

export function typesText(types: readonly EventType[]): string {
  if (types.length === 0) return 'All events';
  return types.length > 3 ? `${types.length} of ${eventTypes.length} event types` : types.join(', ');
}

export function stateOf(webhook: Webhook): { text: string; color: string } {
  if (webhook.disabled_reason === 'gone') return { text: 'Disabled: receiver is gone', color: 'red' };
  if (webhook.disabled_reason === 'failing') return { text: 'Disabled: failed for 5 days', color: 'red' };
  if (!webhook.enabled) return { text: 'Disabled', color: 'gray' };
  return webhook.failing_since === null
    ? { text: 'Enabled', color: 'green' }
    : { text: 'Failing', color: 'orange' };
}
