// The filters of an audit log.
import { Button, Select, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import type { AuditSearch } from '../../components/audit-search.ts';
import { actionGroups, actionText } from '../../components/audit-words.ts';
import { DayFilter } from '../../components/day-filter.tsx';
import { PersonPicker } from '../../components/person-picker.tsx';
import { ReferencePicker } from '../../components/reference-picker.tsx';
import { useApp } from '../../current-app.tsx';
import { useMe } from '../../member.ts';

const actions = Object.entries(actionGroups).map(([group, words]) => ({
  group,
  items: Object.entries(words).map(([value, label]) => ({ value, label })),
}));
const known = new Set(actions.flatMap(({ items }) => items.map(({ value }) => value)));

type Props = {
  search: AuditSearch;
  /** Changes the filters that are in the URL by then: several inputs may be applied shortly after another. */
  onSearch: (change: (before: AuditSearch) => AuditSearch) => void;
};

export function AuditFilters({ search, onSearch }: Props) {
  const { app } = useApp();
  // On a phone they would fill the window.
  const [isOpen, setOpen] = useState(false);
  const isOfTeam = useMe().console_app_id === app.id;
  const filtered = Object.values(search).some((value) => value !== undefined);
  const set = (name: keyof AuditSearch) => (value: string | undefined) =>
    onSearch((before) => ({ ...before, [name]: value || undefined }));
  // Actions may be added at any time: one that this page does not know can still be in the URL.
  const { action } = search;
  const unknown = action && !known.has(action) ? [{ value: action, label: actionText(action) }] : [];
  return (
    <>
      <Button
        variant="default"
        hiddenFrom="sm"
        mb="md"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Filters{filtered && ' (set)'}
      </Button>
      <SimpleGrid
        cols={{ base: 1, xs: 2, md: 3 }}
        spacing="sm"
        mb="md"
        {...(!isOpen && { visibleFrom: 'sm' as const })}
      >
        <Select
          label="Action"
          placeholder="Any"
          searchable
          clearable
          value={action ?? null}
          onChange={(value) => set('action')(value ?? undefined)}
          data={[...unknown, ...actions]}
          nothingFoundMessage="No action matches."
          maxDropdownHeight={320}
        />
        <ReferencePicker
          label="Actor"
          kinds={['user', 'member', 'secret_key', 'nameless']}
          value={search.actor}
          onChange={set('actor')}
        />
        <ReferencePicker
          label="Target"
          kinds={['user', 'member', 'secret_key', 'webhook', 'collection', 'app']}
          value={search.target}
          onChange={set('target')}
        />
        {isOfTeam ? (
          <ReferencePicker
            label="User"
            kinds={['member']}
            value={search.uid && `user:${search.uid}`}
            onChange={(reference) => set('uid')(reference?.replace('user:', ''))}
          />
        ) : (
          <PersonPicker label="User" value={search.uid} onChange={set('uid')} />
        )}
        <DayFilter label="From" value={search.created_after} onChange={set('created_after')} />
        <DayFilter label="Before" value={search.created_before} onChange={set('created_before')} />
        {filtered && (
          <Button
            variant="subtle"
            style={{ alignSelf: 'end', justifySelf: 'start' }}
            onClick={() => onSearch(() => ({}))}
          >
            Clear filters
          </Button>
        )}
      </SimpleGrid>
    </>
  );
}
