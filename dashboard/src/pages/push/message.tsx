// One push message: its progress, its content and the receipt of each device.
import type { PushMessage, PushReceipt } from '@foyer/contract';
import { Alert, Badge, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { dataOf } from '../../api.ts';
import { Figure } from '../../components/figure.tsx';
import { JsonText } from '../../components/json-text.tsx';
import { BackLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { type Column, PagedTable } from '../../components/paged-table.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { devicesText, messagesKey, statuses, targetText, titleOf } from './message-words.ts';

const route = getRouteApi('/member/apps/$appId/push/$messageId');
const pollMilliseconds = 2_000;

export function MessagePage() {
  const { app, api } = useApp();
  const { messageId } = route.useParams();
  const query = useQuery({
    queryKey: [...messagesKey(app.id), messageId],
    queryFn: ({ signal }) =>
      dataOf(api.pushMessages.get({ params: { id: messageId }, fetchOptions: { signal } })),
    refetchInterval: ({ state }) =>
      state.data?.status === 'queued' || state.data?.status === 'sending' ? pollMilliseconds : false,
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

function Loaded({ message }: { message: PushMessage }) {
  const { text, color } = statuses[message.status];
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
              {targetText(message.target)}, sent <Time at={message.created_at} />
            </span>
          </Group>
        }
      />
      <Stack gap="xl">
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
        <Content message={message} />
        <Stack gap="sm" component="section" aria-label="Receipts">
          <Title order={2}>Receipts</Title>
          <Receipts message={message} />
        </Stack>
      </Stack>
    </>
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
    title: 'Device',
    cell: ({ device_id, provider, error }) => (
      <>
        <Text size="sm" ff="monospace">
          {device_id}
        </Text>
        <Text size="sm" c="dimmed">
          {[provider, error].filter(Boolean).join(' · ')}
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
    (page) => api.pushMessages.receipts({ params: { id: message.id }, ...page }),
  );
  return (
    <PagedTable
      query={query}
      empty={
        <Text c="dimmed">
          {message.target_count === 0
            ? 'No device was targeted.'
            : `No attempt was made yet for ${devicesText(message.target_count)}.`}
        </Text>
      }
      keyOf={({ device_id }) => device_id}
      columns={receiptColumns}
    />
  );
}
