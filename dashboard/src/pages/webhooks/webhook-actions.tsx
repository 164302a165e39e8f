// What can be done with a webhook: test, replay, rotate the secret, enable, disable, delete.
import type { Webhook, WebhookDelivery } from '@foyer/contract';
import { Button, Menu } from '@mantine/core';
import { useModals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { ChevronDownIcon, SendIcon } from 'lucide-react';
import { deletion } from '../../api.ts';
import { ApiProblem } from '../../api-problem.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { notifyProblem, notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { useIsShown } from '../../components/use-is-shown.ts';
import { useNextPage } from '../../components/use-next-page.ts';
import { useApp } from '../../current-app.tsx';
import { showSecret } from './create-webhook.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { Replay } from './replay.tsx';
import { refreshWebhook } from './webhook-query.ts';

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const current = useApp();
  const { api, app } = current;
  const navigate = useNextPage();
  const refresh = () => refreshWebhook(current, webhook.id);

  const openDialogs = useModals().modals.length;
  const isShown = useIsShown();
  const test = useMutation({
    mutationFn: () => api.webhooks.test(webhook.id),
    onSuccess: (delivery) => {
      void refresh();
      // Another dialog would be replaced, and what was typed in it lost; the delivery is in the list too.
      if (openDialogs > 0 || !isShown()) return notifyOfTest(delivery);
      openDialog(titleOf(delivery), () => (
        <DeliveryRow current={current} webhookId={webhook.id} delivery={delivery} />
      ));
    },
    onError: notifyProblem,
  });

  async function setEnabled(enabled: boolean) {
    await api.webhooks.update(webhook.id, { enabled });
    notifySaved(enabled ? 'The webhook is enabled.' : 'The webhook is disabled.');
    await refresh();
  }

  function confirmRotate() {
    confirmAction({
      title: 'Rotate the signing secret?',
      body: 'You get a new secret now. For 24 hours both secrets sign each call, so that your server can change over; then only the new one. A second rotation within this time ends the oldest secret at once.',
      confirmLabel: 'Rotate secret',
      destructive: false,
      run: async () => {
        const { secret } = await api.webhooks.rotateSecret(webhook.id);
        showSecret('The new signing secret', secret);
        await refresh();
      },
    });
  }

  function confirmDisable() {
    confirmAction({
      title: 'Disable this webhook?',
      body: 'It is no longer called. Pending deliveries wait until you enable it again, and events that it misses can be replayed for 30 days.',
      confirmLabel: 'Disable webhook',
      run: () => setEnabled(false),
    });
  }

  function confirmDelete() {
    confirmAction({
      title: 'Delete this webhook?',
      body: `${webhook.url} is not called any more, and its deliveries and secret are deleted. Events are stored for 30 days regardless. This cannot be undone.`,
      confirmLabel: 'Delete webhook',
      run: async () => {
        await deletion(api.webhooks.delete(webhook.id), 'webhooks/not-found');
        notifySaved('The webhook is deleted.');
        await navigate({ to: '/apps/$appId/webhooks', params: { appId: app.id }, ignoreBlocker: true });
        await refresh();
      },
    });
  }

  function openReplay() {
    openDialog('Replay past events', (close) => (
      <Replay current={current} webhook={webhook} onClose={close} />
    ));
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<SendIcon size={16} />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Send a test
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon size={16} />}>
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={openReplay}>Replay events</Menu.Item>
          <Menu.Item onClick={confirmRotate}>Rotate secret</Menu.Item>
          {webhook.enabled ? (
            <Menu.Item onClick={confirmDisable}>Disable</Menu.Item>
          ) : (
            <Menu.Item onClick={() => void setEnabled(true).catch(notifyProblem)}>Enable</Menu.Item>
          )}
          <Menu.Item color="red" onClick={confirmDelete}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function titleOf({ status }: WebhookDelivery): string {
  return status === 'succeeded' ? 'The receiver accepted the test' : 'The test failed';
}

function notifyOfTest(delivery: WebhookDelivery): void {
  const text = `${titleOf(delivery)}.`;
  if (delivery.status === 'succeeded') notifySaved(text);
  else notifyProblem(new ApiProblem('client/test-failed', text));
}
