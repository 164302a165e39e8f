// The events of the app in the last 30 days, with filters in the URL.
import { type Event, eventTypes } from '@foyer/contract';
import { Accordion, Button, Group, NativeSelect, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ZapIcon } from 'lucide-react';
import { DayFilter } from '../../components/day-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { JsonText } from '../../components/json-text.tsx';
import { PagedList, usePages } from '../../components/paged-list.tsx';
import { PersonPicker } from '../../components/person-picker.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { queryOf } from '../../search-params.ts';
import type { WebhooksSearch } from './webhook-search.ts';

const route = getRouteApi('/member/apps/$appId/webhooks');

export function Events() {
  const { app, api } = useApp();
  const { tab: _, ...filters } = route.useSearch();
  const query = usePages([app.id, 'events', filters], (page, options) =>
    api.events.list({ ...queryOf(filters), ...page }, options),
  );
  const filtered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <EventFilters filtered={filtered} />
      <PagedList
        query={query}
        empty={
          <EmptyState icon={ZapIcon} title={filtered ? 'No event matches' : 'No events yet'}>
            {filtered
              ? 'Change or clear the filters.'
              : 'Sign-ups, changes and deletions of users appear here.'}
          </EmptyState>
        }
      >
        {(events) => (
          <Accordion variant="contained" chevronPosition="left" keepMounted={false}>
            {events.map((event) => (
              <EventItem key={event.id} event={event} />
            ))}
          </Accordion>
        )}
      </PagedList>
    </>
  );
}

function EventItem({ event }: { event: Event }) {
  return (
    <Accordion.Item value={event.id}>
      <Accordion.Control>
        <Group gap="xs">
          <Text size="sm" fw={500} component="span" flex="1 1 12rem">
            {event.type}
          </Text>
          <Text size="sm" c="dimmed" component="span" flex="1 1 12rem" miw={0} title={event.data.user.uid}>
            {event.data.user.email ?? 'Deleted user'}
          </Text>
          <Text size="sm" c="dimmed" component="span" w={130} ta={{ sm: 'right' }}>
            <Time at={event.timestamp} />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <JsonText value={event} label={`Event ${event.id}`} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function EventFilters({ filtered }: { filtered: boolean }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const set = (name: keyof WebhooksSearch, value: string | undefined) =>
    void navigate({
      search: (before) => ({ ...before, [name]: value || undefined }) as WebhooksSearch,
      replace: true,
    });
  return (
    <Group mb="md" gap="sm" align="flex-end">
      <NativeSelect
        label="Type"
        value={search.type ?? ''}
        onChange={(event) => set('type', event.currentTarget.value)}
        data={[{ value: '', label: 'Any' }, ...eventTypes]}
      />
      <PersonPicker label="Person" value={search.uid} onChange={(uid) => set('uid', uid)} />
      <DayFilter label="From" value={search.created_after} onChange={(day) => set('created_after', day)} />
      <DayFilter
        label="Before"
        value={search.created_before}
        onChange={(day) => set('created_before', day)}
      />
      {filtered && (
        <Button variant="subtle" onClick={() => void navigate({ search: { tab: 'events' }, replace: true })}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
