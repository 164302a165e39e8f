// The filters of an audit log.
import { auditActions } from '@foyer/contract';
import { Button, NativeSelect, SimpleGrid } from '@mantine/core';
import { actionText } from '../../components/audit-entries.tsx';
import type { AuditSearch } from '../../components/audit-search.ts';
import { DayFilter } from '../../components/day-filter.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { UidFilter } from '../../components/uid-filter.tsx';

const actions = Object.keys(auditActions).sort();

type Props = {
  search: AuditSearch;
  /** Changes the filters that are in the address by then: several inputs may be applied shortly after another. */
  onSearch: (change: (before: AuditSearch) => AuditSearch) => void;
};

export function AuditFilters({ search, onSearch }: Props) {
  const filtered = Object.values(search).some((value) => value !== undefined);
  const set = (name: keyof AuditSearch) => (value: string | undefined) =>
    onSearch((before) => ({ ...before, [name]: value || undefined }));
  // Actions may be added at any time: one that this page does not know can still be in the address.
  const unknown = search.action && !actions.includes(search.action) ? [search.action] : [];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md">
      <NativeSelect
        label="Action"
        value={search.action ?? ''}
        onChange={(event) => set('action')(event.currentTarget.value)}
        data={[
          { value: '', label: 'Any' },
          ...[...unknown, ...actions].map((action) => ({ value: action, label: actionText(action) })),
        ]}
      />
      <TextFilter
        label="Actor"
        placeholder="member:…, secret_key:…, user:…"
        value={search.actor}
        onChange={set('actor')}
        maxLength={100}
      />
      <TextFilter
        label="Target"
        placeholder="user:…, webhook:…"
        value={search.target}
        onChange={set('target')}
      />
      <UidFilter value={search.uid} onChange={set('uid')} />
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
  );
}
