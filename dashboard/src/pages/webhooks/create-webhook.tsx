// The form that adds a webhook. Its secret is shown once, after it is created.
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { showOnce } from '../../components/shown-once.tsx';
import type { CurrentApp } from '../../current-app.tsx';
import { bodyOf, WebhookFields, type WebhookValues, webhookRules } from './webhook-fields.tsx';
import { refreshWebhook } from './webhook-query.ts';

type Props = { current: CurrentApp; onClose: () => void };

const initialValues: WebhookValues = { url: '', description: '', which: 'all', types: [] };

export function CreateWebhook({ current, onClose }: Props) {
  const { form, ...submit } = useApiForm({
    initialValues,
    validate: webhookRules,
    send: (values) => current.api.webhooks.create(bodyOf(values)),
    onSaved: (webhook) => {
      onClose();
      showSecret('The webhook is added', webhook.secret);
      void refreshWebhook(current, webhook.id);
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Add webhook" onClose={onClose}>
      <WebhookFields form={form} />
    </DialogForm>
  );
}

export function showSecret(title: string, secret: string): void {
  showOnce({
    title,
    label: 'Signing secret',
    value: secret,
    children:
      'Your server verifies the signature of each call with this secret; any Standard Webhooks library can do it.',
  });
}
