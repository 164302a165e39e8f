// One push message: its progress, its content and the receipt of each device.
import type { PushMessage, PushReceipt } from '@foyer/contract';
import { Alert, Badge, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { confirmAction } from '../../components/confirm.tsx';
import { senderNames } from '../../components/device-name.ts';
import { Figure } from '../../components/figure.tsx';
import { JsonText } from '../../components/json-text.tsx';
import { BackLink } from '../../components/links.tsx';
import { notifySaved } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { type Column, PagedTable } from '../../components/paged-table.tsx';
import { PersonLink } from '../../components/person-link.tsx';
import { devicesText } from '../../components/quantities.ts';
import { QueryView } from '../../components/query-view.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';
import { MessageTime } from './message-time.tsx';
import { messagesKey, statusOf, targetText, titleOf } from './message-words.ts';

const route = getRouteApi('/member/apps/$appId/push/$messageId');
const pollMilliseconds = 2_000;

export function MessagePage() {
  const { app, api } = useApp();
  const { messageId } = route.useParams();
  const query = useQuery({
    queryKey: [...messagesKey(app.id), messageId],
    queryFn: ({ signal }) => api.push.message(messageId, { signal }),
    refetchInterval: ({ state }) => (isUnfinished(state.data?.status) ? pollMilliseconds : false),
  });
  return (
    <>
      <BackLink to="/apps/$appId/push" params={{ appId: app.id }}>
        Push
      </BackLink>
      <QueryView query={query} title="Push message">
        {(message) => <Loaded message={message} key={message.id} />}
      </QueryView>
    </>
  );
}

function isUnfinished(status: PushMessage['status'] | undefined): boolean {
  return status === 'queued' || status === 'sending' || status === 'scheduled';
}

function Loaded({ message }: { message: PushMessage }) {
  const { text, color } = statusOf(message);
  return (
    <>
      <PageHeader
        title={titleOf(message)}
        tabTitle="Push message"
        description={
          <Group gap="sm" component="span">
            <Badge color={color} component="span">
              {text}
            </Badge>
            <span>
              {targetText(message.target)}, <MessageTime message={message} />
            </span>
          </Group>
        }
        {...(message.status === 'scheduled' && { actions: <CancelButton message={message} /> })}
      />
      <Stack gap="xl">
        {message.status === 'done' && message.accepted_count === 0 && (
          <Alert color="orange" title="This message reached nobody">
            {message.target_count === 0
              ? 'No device was registered for it when it was sent.'
              : 'The tokens of all its devices are no longer valid: the app was removed, or has not been opened for a long time.'}
          </Alert>
        )}
        {message.error !== null && (
          <Alert color="red" title="The message was stopped">
            {message.error}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 2, md: 4 }} component="dl" m={0}>
          <Figure name="Devices" value={message.target_count.toLocaleString()} />
          <Figure name="Accepted by the provider" value={message.accepted_count.toLocaleString()} />
          <Figure name="Failed" value={message.failed_count.toLocaleString()} />
          <Figure name="Token no longer valid" value={message.invalid_count.toLocaleString()} />
        </SimpleGrid>
        {message.target.uids && <Recipients uids={message.target.uids} />}
        <Content message={message} />
        <Stack gap="sm" component="section" aria-label="Receipts">
          <Title order={2}>Receipts</Title>
          <Receipts message={message} />
        </Stack>
      </Stack>
    </>
  );
}

function CancelButton({ message }: { message: PushMessage }) {
  const { app, api } = useApp();
  function confirm() {
    confirmAction({
      title: 'Cancel this message?',
      body: `“${titleOf(message)}” is then not sent. It stays in the list.`,
      confirmLabel: 'Cancel message',
      keepLabel: 'Keep it',
      run: async () => {
        // Even after a refusal: the message may have started meanwhile.
        await api.push
          .cancel(message.id)
          .finally(() => queryClient.invalidateQueries({ queryKey: messagesKey(app.id) }));
        notifySaved('The message is cancelled.');
      },
    });
  }
  return (
    <RoleButton needs={{ scope: 'push:send' }} variant="default" onClick={confirm}>
      Cancel message
    </RoleButton>
  );
}

const shownRecipients = 20;

function Recipients({ uids }: { uids: string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? uids : uids.slice(0, shownRecipients);
  return (
    <Stack gap="sm" component="section" aria-label="Recipients">
      <Title order={2}>Recipients</Title>
      <Group gap="md">
        {shown.map((uid) => (
          <PersonLink key={uid} uid={uid} />
        ))}
        {shown.length < uids.length && (
          <Button variant="default" size="xs" onClick={() => setAll(true)}>
            Show all {uids.length.toLocaleString()}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Content({ message }: { message: PushMessage }) {
  const { notification, data, options } = message;
  const hasOptions = Object.keys(options).length > 0;
  if (!notification && !data && !hasOptions) return null;
  return (
    <Stack gap="sm" component="section" aria-label="Content">
      <Title order={2}>Content</Title>
      {notification && <Text>{notification.body}</Text>}
      {notification?.image_url && (
        <Text size="sm" ff="monospace">
          {notification.image_url}
        </Text>
      )}
      {data && <JsonText value={data} label="Data" />}
      {hasOptions && <JsonText value={options} label="Options" />}
    </Stack>
  );
}

const receiptStatuses: Record<PushReceipt['status'], { text: string; color: string }> = {
  accepted: { text: 'Accepted', color: 'green' },
  failed: { text: 'Failed', color: 'red' },
  invalid: { text: 'Token invalid', color: 'gray' },
  retrying: { text: 'Retrying', color: 'blue' },
};

const receiptColumns: readonly Column<PushReceipt>[] = [
  {
    title: 'Device of',
    cell: ({ device_id, uid, provider, error }) => (
      <>
        <PersonLink uid={uid} none="Nobody signed in" />
        <Text size="sm" c="dimmed" title={`Device ${device_id}`}>
          {[senderNames[provider], error].filter(Boolean).join(' · ')}
        </Text>
      </>
    ),
  },
  {
    title: 'Status',
    width: 120,
    cell: ({ status }) => <Badge color={receiptStatuses[status].color}>{receiptStatuses[status].text}</Badge>,
  },
  { title: 'Attempts', width: 100, isWide: true, cell: ({ attempts }) => attempts },
  { title: 'Updated', width: 150, isWide: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
];

function Receipts({ message }: { message: PushMessage }) {
  const { app, api } = useApp();
  // The counts are part of the key, so that new receipts are read while the message is being sent.
  const { accepted_count, failed_count, invalid_count } = message;
  const query = usePages(
    [...messagesKey(app.id), message.id, 'receipts', accepted_count, failed_count, invalid_count],
    (...page) => api.push.receipts(message.id, ...page),
  );
  return (
    <PagedTable
      query={query}
      empty={
        <Text c="dimmed">
          {message.status === 'scheduled' || message.status === 'cancelled'
            ? 'Nothing was sent.'
            : message.target_count === 0
              ? 'No device was targeted.'
              : `No attempt was made yet for ${devicesText(message.target_count)}.`}
        </Text>
      }
      keyOf={({ device_id }) => device_id}
      columns={receiptColumns}
    />
  );
}
