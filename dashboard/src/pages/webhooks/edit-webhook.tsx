// The form that changes a webhook.
import type { Webhook } from '@foyer/contract';
import { Text } from '@mantine/core';
import { useStoredForm } from '../../components/api-form.ts';
import { changedIn } from '../../components/form-values.ts';
import { notifySaved } from '../../components/notify.ts';
import { PageForm } from '../../components/page-form.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { bodyOf, WebhookFields, type WebhookValues, webhookRules } from './webhook-fields.tsx';
import { refreshWebhook } from './webhook-query.ts';

function valuesOf({ url, description, types }: Webhook): WebhookValues {
  return { url, description: description ?? '', which: types.length === 0 ? 'all' : 'selected', types };
}

export function EditWebhook({ webhook }: { webhook: Webhook }) {
  const current = useApp();
  const { form, ...submit } = useStoredForm({
    stored: webhook,
    valuesOf,
    validate: webhookRules,
    send: (values, before) =>
      current.api.webhooks.update(webhook.id, changedIn(bodyOf(before), bodyOf(values))),
    onSaved: (saved) => {
      notifySaved('The webhook is saved.');
      void refreshWebhook(current, saved.id);
    },
  });
  return (
    <PageForm {...submit} autoComplete="off" maxWidth={560}>
      <WebhookFields form={form} />
      {form.values.url !== webhook.url && (
        <Text size="sm" c="dimmed">
          Pending deliveries are sent to the new URL.
        </Text>
      )}
      {webhook.previous_secret_expires_at !== null && (
        <Text size="sm" c="dimmed" component="div">
          The previous secret also signs until <Time at={webhook.previous_secret_expires_at} />.
        </Text>
      )}
    </PageForm>
  );
}
