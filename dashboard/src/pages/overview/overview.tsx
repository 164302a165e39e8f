// The start page of an app: its daily numbers.
import type { StatsTotals } from '@foyer/contract';
import { Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RocketIcon } from 'lucide-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { LoadingRows } from '../../components/loading-rows.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { shownDays } from '../../read-stats.ts';
import { statsQuery } from '../../stats-query.ts';
import { ChartCard } from './chart-card.tsx';
import { Figures } from './figures.tsx';
import { LimitNotice } from './limit-notice.tsx';
import { DropNotice, WebhookNotice } from './notices.tsx';
import { activeUsers, type Day, errors, isEmpty, signIns, signUps } from './series.ts';

const route = getRouteApi('/member/apps/$appId/overview');

export function OverviewPage() {
  const { app } = useApp();
  const days = shownDays(route.useSearch().days);
  const navigate = route.useNavigate();
  const query = useQuery({
    ...statsQuery(app.id, days),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  return (
    <>
      <PageHeader
        title={app.name}
        tabTitle="Overview"
        actions={
          <NativeSelect
            aria-label="Period"
            value={days}
            onChange={(event) =>
              void navigate({
                search: event.currentTarget.value === '30' ? {} : { days: event.currentTarget.value },
                replace: true,
              })
            }
            data={[
              { value: '7', label: 'Last 7 days' },
              { value: '30', label: 'Last 30 days' },
              { value: '90', label: 'Last 90 days' },
              { value: '365', label: 'Last year' },
            ]}
          />
        }
      />
      <LimitNotice />
      <WebhookNotice />
      <QueryView query={query} loading={<LoadingRows rows={3} height={160} />}>
        {(read) =>
          isEmpty(read.days.slice(-read.count)) ? (
            <NoUsers appId={app.id} users={read.totals.users} />
          ) : (
            <Statistics {...read} />
          )
        }
      </QueryView>
    </>
  );
}

function NoUsers({ appId, users }: { appId: string; users: number }) {
  return (
    <EmptyState
      icon={RocketIcon}
      title="No sign-ins in this period"
      action={
        <Group justify="center">
          <ButtonLink to="/apps/$appId/quick-start" params={{ appId }}>
            Open quick start
          </ButtonLink>
          <ButtonLink variant="default" to="/apps/$appId/users" params={{ appId }}>
            See users
          </ButtonLink>
        </Group>
      }
    >
      {users > 0 && `The app has ${users.toLocaleString()} users, of whom nobody signed in. `}
      Sign-ups, sign-ins and active users appear here. Quick start shows the first API calls, with the address
      and key of this app filled in.
    </EmptyState>
  );
}

type Read = { days: Day[]; totals: StatsTotals; count: number };

/** What was read covers the period before, too, unless the service does not go back so far. */
function Statistics({ days: all, totals, count }: Read) {
  const days = all.slice(-count);
  const before = all.length >= 2 * count ? all.slice(-2 * count, -count) : null;
  return (
    <Stack gap="lg">
      <DropNotice days={all} />
      <Figures days={days} before={before} totals={totals} />
      <Text size="sm" c="dimmed" component="div">
        As of <Time at={totals.as_of} />. Days are in UTC, and today is not over.
      </Text>
      <ChartCard
        title="Active users"
        description="Users who signed in or refreshed a session on that day. Users of both API versions are counted in both."
        days={days}
        series={activeUsers(days)}
        kind="area"
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <ChartCard title="Sign-ups" days={days} series={signUps(days)} kind="bar" />
        <ChartCard title="Sign-ins by method" days={days} series={signIns(days)} kind="bar" />
      </SimpleGrid>
      <ChartCard
        title="Errors by code"
        description="Error responses of the API."
        days={days}
        series={errors(days)}
        kind="bar"
      />
    </Stack>
  );
}
