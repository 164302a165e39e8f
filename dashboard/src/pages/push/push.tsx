// The push messages of an app, newest first.
import type { PushMessage } from '@foyer/contract';
import { Badge, Text } from '@mantine/core';
import { BellIcon, SendIcon } from 'lucide-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink, TextLink } from '../../components/links.tsx';
import { ListCard } from '../../components/list-card.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { useApp } from '../../current-app.tsx';
import { MessageTime } from './message-time.tsx';
import { countsText, messagesKey, statusOf, targetText, titleOf } from './message-words.ts';

export function PushPage() {
  const current = useApp();
  const query = usePages(messagesKey(current.app.id), (...page) => current.api.push.messages(...page));
  return (
    <>
      <PageHeader
        title="Push"
        description="Messages to the devices that your app has registered: scheduled ones first, then those of the last 30 days."
        actions={<ComposeButton />}
      />
      <PagedStack
        query={query}
        empty={
          <EmptyState icon={BellIcon} title="No messages yet" action={<ComposeButton />}>
            Once your app registers devices, you can send messages to some or all of them.
          </EmptyState>
        }
      >
        {(message) => <MessageRow key={message.id} message={message} appId={current.app.id} />}
      </PagedStack>
    </>
  );
}

function ComposeButton() {
  const { app, can } = useApp();
  const icon = <SendIcon size={18} />;
  if (!can('push:send')) {
    return (
      <RoleButton needs={{ scope: 'push:send' }} leftSection={icon}>
        Compose message
      </RoleButton>
    );
  }
  return (
    <ButtonLink to="/apps/$appId/push/compose" params={{ appId: app.id }} leftSection={icon}>
      Compose message
    </ButtonLink>
  );
}

function MessageRow({ message, appId }: { message: PushMessage; appId: string }) {
  const { text, color } = statusOf(message);
  return (
    <ListCard
      link={
        <TextLink
          to="/apps/$appId/push/$messageId"
          params={{ appId, messageId: message.id }}
          fw={500}
          size="sm"
        >
          {titleOf(message)}
        </TextLink>
      }
      state={<Badge color={color}>{text}</Badge>}
    >
      {message.notification && <Text size="sm">{message.notification.body}</Text>}
      <Text size="sm" c="dimmed" component="div">
        {targetText(message.target)} · {countsText(message)} · <MessageTime message={message} />
      </Text>
    </ListCard>
  );
}
