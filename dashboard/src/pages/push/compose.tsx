// Composing a push message: the audience is counted before anything is sent.
import { Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiForm } from '../../components/api-form.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { BackLink } from '../../components/links.tsx';
import { notifySaved } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { devicesText } from '../../components/quantities.ts';
import { RoleRequired } from '../../components/role-required.tsx';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { useNextPage } from '../../components/use-next-page.ts';
import { useApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';
import { ContentFields } from './content-fields.tsx';
import { emptyMessage, inputOf, messageOf, messageRules } from './message-form.ts';
import { messagesKey, reachText } from './message-words.ts';
import { Preview } from './preview.tsx';
import { TargetFields } from './target-fields.tsx';
import { TimeFields } from './time-fields.tsx';

export function ComposePage() {
  const { app } = useApp();
  return (
    <>
      <BackLink to="/apps/$appId/push" params={{ appId: app.id }}>
        Push
      </BackLink>
      <PageHeader title="Compose message" />
      <RoleRequired needs={{ scope: 'push:send' }}>
        <Composer />
      </RoleRequired>
    </>
  );
}

const exactTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });

const shownFields = [
  'send_at',
  ...['topic', 'notification.title', 'notification.body', 'notification.image_url'],
  ...['options.ttl_seconds', 'options.collapse_key', 'options.badge', 'options.sound'],
];

function Composer() {
  const { app, api } = useApp();
  const navigate = useNextPage();
  // The audience counts only for the message that was checked.
  const [audience, setAudience] = useState<{ of: string; count: number } | null>(null);
  const { form, saving, onSubmit } = useApiForm({
    initialValues: emptyMessage,
    inputOf,
    validate: messageRules,
    send: async (values) => {
      const message = messageOf(values);
      const { target_count } = await api.push.send({ ...message, dry_run: true });
      return { of: JSON.stringify(message), count: target_count };
    },
    onSaved: setAudience,
  });
  useUnsavedChanges(form.isDirty());
  const message = messageOf(form.values);
  const checked = audience?.of === JSON.stringify(message) ? audience.count : null;

  const sending = useMutation({
    mutationFn: () => api.push.send(message),
    onSuccess: async ({ id }) => {
      notifySaved(message.send_at ? 'The message is scheduled.' : 'The message is being sent.');
      void queryClient.invalidateQueries({ queryKey: messagesKey(app.id) });
      await navigate({
        ...(id === null
          ? { to: '/apps/$appId/push', params: { appId: app.id } }
          : { to: '/apps/$appId/push/$messageId', params: { appId: app.id, messageId: id } }),
        ignoreBlocker: true,
      });
    },
  });

  function confirmSend(count: number) {
    const title = `“${message.notification?.title ?? 'Data without a notification'}”`;
    confirmAction({
      ...(message.send_at
        ? {
            title: `Schedule for ${exactTime.format(new Date(message.send_at))}?`,
            body: `${title} is sent then, to the devices that are registered by then: ${devicesText(count)} at present. It can be cancelled until it starts.`,
            confirmLabel: 'Schedule message',
          }
        : {
            title: `Send to ${devicesText(count)}?`,
            body: `${title} is sent at once. A message that is sent cannot be taken back.`,
            confirmLabel: 'Send message',
          }),
      destructive: false,
      ...(message.all && { typeToConfirm: app.name }),
      run: () => sending.mutateAsync(),
    });
  }

  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <form onSubmit={onSubmit} autoComplete="off">
        <Stack>
          <TargetFields form={form} />
          <ContentFields form={form} />
          <TimeFields form={form} />
          {saving.error && <ProblemAlert error={saving.error} shownFields={shownFields} />}
          <Paper withBorder p="md">
            <Group justify="space-between">
              <Text size="sm" role="status">
                {checked === null
                  ? 'Check how many devices would receive this message, then send it.'
                  : reachText(checked, message)}
              </Text>
              <Group gap="sm">
                <Button type="submit" variant={checked ? 'default' : 'filled'} loading={saving.isPending}>
                  Check audience
                </Button>
                {checked !== null && message.send_at && (
                  <Button onClick={() => confirmSend(checked)}>Schedule</Button>
                )}
                {checked !== null && checked > 0 && !message.send_at && (
                  <Button onClick={() => confirmSend(checked)}>Send to {devicesText(checked)}</Button>
                )}
              </Group>
            </Group>
          </Paper>
        </Stack>
      </form>
      <Preview appName={app.name} values={form.values} />
    </SimpleGrid>
  );
}
