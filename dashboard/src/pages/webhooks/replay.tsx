// The form that sends the events of a period again.
import type { Webhook } from '@foyer/contract';
import { Text, TextInput } from '@mantine/core';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { instantOf, localTime } from '../../components/local-time.ts';
import { notifySaved } from '../../components/notify.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { serviceNow } from '../../service-clock.ts';
import { refreshWebhook, typesText } from './webhook-query.ts';

type Props = { current: CurrentApp; webhook: Webhook; onClose: () => void };

export function Replay({ current, webhook, onClose }: Props) {
  const { form, ...submit } = useApiForm({
    initialValues: { since: localTime(new Date(serviceNow() - 86_400_000), 'minutes'), until: '' },
    send: ({ since, until }) =>
      current.api.webhooks.replay(webhook.id, {
        since: instantOf(since),
        ...(until !== '' && { until: instantOf(until) }),
      }),
    onSaved: () => {
      notifySaved('The replay has started.');
      onClose();
      void refreshWebhook(current, webhook.id);
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Start replay" onClose={onClose}>
      <Text size="sm">
        Every event of the period is sent again, oldest first. It keeps its id, so that your server can skip
        events that it has processed already. Types: {typesText(webhook.types)}.
      </Text>
      <TextInput
        type="datetime-local"
        label="From"
        required
        data-autofocus
        {...form.getInputProps('since')}
      />
      <TextInput
        type="datetime-local"
        label="Until"
        description="Now by default."
        {...form.getInputProps('until')}
      />
    </DialogForm>
  );
}
