// The webhooks of an app, and the events that they receive.
import type { Webhook } from '@foyer/contract';
import { Badge, Tabs, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { PlusIcon, WebhookIcon } from 'lucide-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/links.tsx';
import { ListCard } from '../../components/list-card.tsx';
import { openDialog } from '../../components/open-dialog.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { RoleRequired } from '../../components/role-required.tsx';
import { Time } from '../../components/time.tsx';
import { type CurrentApp, useApp } from '../../current-app.tsx';
import { CreateWebhook } from './create-webhook.tsx';
import { Events } from './events.tsx';
import { stateOf, typesText, webhooksKey } from './webhook-query.ts';

const route = getRouteApi('/member/apps/$appId/webhooks');
const needs = { scope: 'webhooks:manage' } as const;

export function WebhooksPage() {
  const current = useApp();
  const { tab = 'endpoints' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="The service calls your server when a user signs up, changes or is deleted. Your server can verify the signature of each call."
        actions={<AddButton current={current} />}
      />
      <RoleRequired needs={needs}>
        <Tabs
          value={tab}
          onChange={(value) => void navigate({ search: value === 'events' ? { tab: value } : {} })}
          keepMounted={false}
        >
          <Tabs.List mb="lg">
            <Tabs.Tab value="endpoints">Endpoints</Tabs.Tab>
            <Tabs.Tab value="events">Events</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="endpoints">
            <Endpoints />
          </Tabs.Panel>
          <Tabs.Panel value="events">
            <Events />
          </Tabs.Panel>
        </Tabs>
      </RoleRequired>
    </>
  );
}

function AddButton({ current }: { current: CurrentApp }) {
  return (
    <RoleButton needs={needs} leftSection={<PlusIcon size={18} />} onClick={() => openCreate(current)}>
      Add webhook
    </RoleButton>
  );
}

function Endpoints() {
  const current = useApp();
  const query = usePages(webhooksKey(current), (...page) => current.api.webhooks.list(...page));
  return (
    <PagedStack
      query={query}
      empty={
        <EmptyState icon={WebhookIcon} title="No webhooks yet" action={<AddButton current={current} />}>
          Add the URL of your server, and it is called when users sign up, change or are deleted. Events of
          the last 30 days can be sent to it afterwards.
        </EmptyState>
      }
    >
      {(webhook) => <Endpoint key={webhook.id} webhook={webhook} appId={current.app.id} />}
    </PagedStack>
  );
}

function Endpoint({ webhook, appId }: { webhook: Webhook; appId: string }) {
  const { text, color } = stateOf(webhook);
  return (
    <ListCard
      link={
        <TextLink
          to="/apps/$appId/webhooks/$webhookId"
          params={{ appId, webhookId: webhook.id }}
          fw={500}
          size="sm"
        >
          {webhook.url}
        </TextLink>
      }
      state={<Badge color={color}>{text}</Badge>}
    >
      {webhook.description && <Text size="sm">{webhook.description}</Text>}
      <Text size="sm" c="dimmed">
        {typesText(webhook.types)}
      </Text>
      {webhook.failing_since !== null && (
        <Text size="sm" c="dimmed" component="div">
          First failure <Time at={webhook.failing_since} />, no success since
        </Text>
      )}
    </ListCard>
  );
}

function openCreate(current: CurrentApp) {
  openDialog('Add webhook', (close) => <CreateWebhook current={current} onClose={close} />);
}
