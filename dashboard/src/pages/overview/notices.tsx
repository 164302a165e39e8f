// Above the figures: what needs somebody's attention now.
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TrendingDownIcon, WebhookIcon } from 'lucide-react';
import { TextLink } from '../../components/links.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { dropOfSignIns } from './comparison.ts';
import type { Day } from './series.ts';

/** Webhooks that fail, or that were disabled for it. */
export function WebhookNotice() {
  const { app, api, can } = useApp();
  const query = useQuery({
    queryKey: [app.id, 'webhooks', 'failing'],
    queryFn: async ({ signal }) => (await api.webhooks.list({ limit: 100 }, { signal })).items,
    enabled: can('webhooks:manage'),
    refetchInterval: 60_000,
  });
  const failing = (query.data ?? []).filter(
    ({ enabled, failing_since, disabled_reason }) =>
      (enabled && failing_since !== null) || disabled_reason === 'failing' || disabled_reason === 'gone',
  );
  if (failing.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<WebhookIcon size={20} />}
      mb="lg"
      title={failing.length === 1 ? 'A webhook is failing' : `${failing.length} webhooks are failing`}
    >
      {failing.map(({ id, url, failing_since, enabled }) => (
        <Text size="sm" key={id} component="div">
          <TextLink to="/apps/$appId/webhooks/$webhookId" params={{ appId: app.id, webhookId: id }}>
            {url}
          </TextLink>
          {failing_since !== null && (
            <>
              , first failed <Time at={failing_since} />, no success since
            </>
          )}
          {!enabled && ', and is disabled'}
        </Text>
      ))}
    </Alert>
  );
}

export function DropNotice({ days }: { days: Day[] }) {
  const drop = dropOfSignIns(days);
  if (!drop) return null;
  return (
    <Alert color="yellow" icon={<TrendingDownIcon size={20} />} title="Sign-ins have dropped">
      <Text size="sm">
        {drop.yesterday.toLocaleString()} yesterday, {drop.usual.toLocaleString()} on a usual day of the week
        before. Failed sign-ins and errors by code, below, may show why.
      </Text>
    </Alert>
  );
}
