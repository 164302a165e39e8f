// The form that sends the events of a period again.
import type { Webhook } from '@foyer/contract';
import { Text, TextInput } from '@mantine/core';
import { dataOf } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifySaved } from '../../components/notify.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { refreshWebhook, typesText } from './webhook-query.ts';

type Props = { current: CurrentApp; webhook: Webhook; onClose: () => void };

export function Replay({ current, webhook, onClose }: Props) {
  const { form, saving, onSubmit } = useApiForm({
    initialValues: { since: localTime(new Date(Date.now() - 86_400_000)), until: '' },
    send: ({ since, until }) =>
      dataOf(
        current.api.webhooks.replay({
          params: { id: webhook.id },
          body: { since: instantOf(since), ...(until !== '' && { until: instantOf(until) }) },
        }),
      ),
    onSaved: () => {
      notifySaved('The replay has started.');
      onClose();
      void refreshWebhook(current, webhook.id);
    },
  });
  return (
    <DialogForm
      onSubmit={onSubmit}
      saving={saving}
      submitLabel="Start replay"
      shownFields={['since', 'until']}
      onClose={onClose}
    >
      <Text size="sm">
        Every event of the period is sent again, oldest first, with its first id, so that your server can
        recognize those that it has processed. Sent: {typesText(webhook.types)}.
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

function instantOf(local: string): string {
  return new Date(local).toISOString();
}

/** In the form of `datetime-local` inputs: the reader's time, to the minute. */
function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
