// One webhook: its deliveries, its settings, and what can be done with it.
import type { Webhook } from '@foyer/contract';
import { Alert, Badge, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { BackLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RoleRequired } from '../../components/role-required.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { stateOf, typesText, webhookQuery } from './webhook-query.ts';

const route = getRouteApi('/member/apps/$appId/webhooks/$webhookId');

export function WebhookPage() {
  const { app } = useApp();
  return (
    <>
      <BackLink to="/apps/$appId/webhooks" params={{ appId: app.id }}>
        Webhooks
      </BackLink>
      <RoleRequired needs={{ scope: 'webhooks:manage' }}>
        <ReadWebhook />
      </RoleRequired>
    </>
  );
}

function ReadWebhook() {
  const { webhookId } = route.useParams();
  const query = useQuery(webhookQuery(useApp(), webhookId));
  return (
    <QueryView query={query} title="Webhook">
      {(webhook) => <Loaded webhook={webhook} key={webhook.id} />}
    </QueryView>
  );
}

function Loaded({ webhook }: { webhook: Webhook }) {
  const { tab = 'deliveries' } = route.useSearch();
  const navigate = route.useNavigate();
  const { text, color } = stateOf(webhook);
  return (
    <>
      <PageHeader
        title={webhook.url}
        tabTitle="Webhook"
        description={
          <Group gap="sm" component="span">
            <Badge color={color} component="span">
              {text}
            </Badge>
            <span>{webhook.description ?? typesText(webhook.types)}</span>
          </Group>
        }
        actions={<WebhookActions webhook={webhook} />}
      />
      <Trouble webhook={webhook} />
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ search: value === 'settings' ? { tab: value } : {} })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <Deliveries webhook={webhook} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <EditWebhook webhook={webhook} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Trouble({ webhook }: { webhook: Webhook }) {
  if (webhook.failing_since === null && webhook.disabled_reason !== 'gone') return null;
  return (
    <Alert color="orange" mb="lg">
      <Text size="sm" component="div">
        {webhook.disabled_reason === 'gone'
          ? 'The receiver answered 410, so the service disabled this webhook.'
          : 'The first failure was '}
        {webhook.disabled_reason !== 'gone' && (
          <>
            <Time at={webhook.failing_since} />; no delivery has succeeded since.{' '}
            {webhook.enabled
              ? 'After five days without a success it is disabled.'
              : 'Enable it once the receiver works again.'}
          </>
        )}{' '}
        Events are stored for 30 days and can be replayed.
      </Text>
    </Alert>
  );
}
