// One webhook in the cache, the words for its state, and how changes reach the pages that show it.
import { eventTypes, everyAuditEvent, isAuditType, type Webhook, type WebhookType } from '@foyer/contract';
import { queryOptions } from '@tanstack/react-query';
import { actionText } from '../../components/audit-words.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';

export const webhooksKey = ({ app }: CurrentApp) => [app.id, 'webhooks'];

export function webhookQuery(current: CurrentApp, id: string) {
  return queryOptions({
    queryKey: [current.app.id, 'webhook', id],
    queryFn: ({ signal }) => current.api.webhooks.get(id, { signal }),
  });
}

export const deliveriesKey = ({ app }: CurrentApp, id: string) => [app.id, 'webhook', id, 'deliveries'];

/** Reads a webhook and its deliveries again after a change. */
export async function refreshWebhook(current: CurrentApp, id: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: webhooksKey(current) });
  await queryClient.invalidateQueries({ queryKey: webhookQuery(current, id).queryKey });
}

export function typesText(types: readonly WebhookType[]): string {
  if (types.length === 0) return 'All events';
  const events = types.filter((type) => !isAuditType(type));
  const entries = types.filter(isAuditType);
  return [eventsText(events), entriesText(entries)].filter(Boolean).join('; ');
}

function eventsText(types: readonly string[]): string {
  return types.length > 3 ? `${types.length} of ${eventTypes.length} event types` : types.join(', ');
}

function entriesText(types: readonly string[]): string {
  if (types.includes(everyAuditEvent)) return 'Audit log: every entry';
  if (types.length === 0) return '';
  const words = types.map((type) => actionText(type.replace('audit.', '')));
  return `Audit log: ${types.length > 3 ? `${types.length} actions` : words.join(', ')}`;
}

export function stateOf(webhook: Webhook): { text: string; color: string } {
  if (webhook.disabled_reason === 'gone') return { text: 'Disabled: receiver is gone', color: 'red' };
  if (webhook.disabled_reason === 'failing') return { text: 'Disabled: failed for 5 days', color: 'red' };
  if (!webhook.enabled) return { text: 'Disabled', color: 'gray' };
  return webhook.failing_since === null
    ? { text: 'Enabled', color: 'green' }
    : { text: 'Failing', color: 'orange' };
}
