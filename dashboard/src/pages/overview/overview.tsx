// The start page of an app: its daily numbers.
import { Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RocketIcon } from 'lucide-react';
import { dataOf } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { LoadingRows } from '../../components/loading-rows.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { useApp } from '../../current-app.tsx';
import { serviceNow } from '../../service-clock.ts';
import { ChartCard } from './chart-card.tsx';
import { Figures } from './figures.tsx';
import { activeUsers, type Day, errors, isEmpty, signIns, signUps } from './series.ts';

const route = getRouteApi('/member/apps/$appId/overview');
const dayMilliseconds = 86_400_000;

export function OverviewPage() {
  const { app, api } = useApp();
  const { days = '30' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    queryKey: [app.id, 'stats', days],
    queryFn: async ({ signal }) => {
      // Days are days in UTC.
      const now = serviceNow();
      const query = { from: dayOf(now - (Number(days) - 1) * dayMilliseconds), to: dayOf(now) };
      return (await dataOf(api.stats.daily({ query, fetchOptions: { signal } }))).days;
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  return (
    <>
      <PageHeader
        title={app.name}
        tabTitle={`Overview of ${app.name}`}
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
      <QueryView query={query} loading={<LoadingRows rows={3} height={160} />}>
        {(read) => (isEmpty(read) ? <NoUsers appId={app.id} /> : <Statistics days={read} />)}
      </QueryView>
    </>
  );
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

function NoUsers({ appId }: { appId: string }) {
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
      Sign-ups, sign-ins and active users appear here. Quick start shows the first API calls, with the address
      and key of this app filled in.
    </EmptyState>
  );
}

function Statistics({ days }: { days: Day[] }) {
  return (
    <Stack gap="lg">
      <Figures days={days} />
      <ChartCard
        title="Active users"
        description="Users who signed in or refreshed a session on that day. Users of both API versions are counted in both."
        days={days}
        series={activeUsers}
        kind="area"
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <ChartCard title="Sign-ups" days={days} series={signUps} kind="bar" />
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
