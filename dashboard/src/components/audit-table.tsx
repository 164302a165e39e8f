// A list of audit entries as a table: what happened, by whom, to whom and when. A row unfolds to the whole entry.
import type { AuditEntry } from '@foyer/contract';
import { Group, Stack, Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { useApp } from '../current-app.tsx';
import { useMe } from '../member.ts';
import { detailText } from './audit-details.ts';
import type { AuditSearch } from './audit-search.ts';
import { actionMeaning, actionText, actorText, targetText } from './audit-words.ts';
import type { CsvValue } from './csv.ts';
import { JsonText } from './json-text.tsx';
import { TextLink } from './links.tsx';
import { type Column, PagedTable } from './paged-table.tsx';
import { ReferenceLink } from './reference-link.tsx';
import { Time } from './time.tsx';

type Props = Pick<ComponentProps<typeof PagedTable<AuditEntry>>, 'query' | 'empty' | 'csv' | 'name'>;

export function AuditTable(props: Props) {
  return (
    <PagedTable
      {...props}
      keyOf={({ id }) => id}
      columns={columns}
      details={(entry) => <Details entry={entry} />}
    />
  );
}

const columns: readonly Column<AuditEntry>[] = [
  {
    title: 'What',
    text: ({ action }) => actionText(action),
    cell: (entry) => (
      <Stack gap={0}>
        <Text size="sm" fw={500}>
          {actionText(entry.action)}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {detailText(entry)}
        </Text>
        <Text size="sm" component="div" hiddenFrom="sm">
          <Actor entry={entry} /> · <Time at={entry.created_at} />
        </Text>
      </Stack>
    ),
  },
  extra('Detail', detailText),
  {
    title: 'Who',
    isWide: true,
    width: '22%',
    text: actorText,
    cell: (entry) => <Actor entry={entry} />,
  },
  {
    title: 'To whom',
    isWide: true,
    width: '22%',
    text: targetText,
    cell: (entry) => (entry.target === entry.actor ? null : <Target entry={entry} />),
  },
  extra('IP address', ({ ip_address }) => ip_address),
  extra('Action', ({ action }) => action),
  extra('Actor', ({ actor }) => actor),
  extra('Target', ({ target }) => target),
  extra('User id', ({ uid }) => uid),
  extra('Details', ({ details }) => JSON.stringify(details)),
  {
    title: 'When',
    isWide: true,
    width: 140,
    text: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

function extra(title: string, text: (entry: AuditEntry) => CsvValue): Column<AuditEntry> {
  return {
    title,
    isExtra: true,
    isWide: true,
    width: 160,
    text,
    cell: (entry) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text(entry)}
      </Text>
    ),
  };
}

function Actor({ entry }: { entry: AuditEntry }) {
  const { actor, actor_name, uid } = entry;
  return (
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
      <ReferenceLink reference={actor} uid={uid} exists={actor_name !== null}>
        {actorText(entry)}
      </ReferenceLink>
    </Text>
  );
}

function Target({ entry }: { entry: AuditEntry }) {
  const { target, target_name, uid } = entry;
  return (
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
      <ReferenceLink reference={target} uid={uid} exists={target_name !== null}>
        {targetText(entry)}
      </ReferenceLink>
    </Text>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  const { action, actor, target, uid, ip_address, details } = entry;
  const meaning = actionMeaning(action);
  return (
    <Stack gap="xs" py="xs">
      {meaning && <Text size="sm">{meaning}</Text>}
      <Fact name="Action" value={action} filter={{ action }} />
      <Fact name="Actor" value={actor} filter={{ actor }}>
        <Actor entry={entry} />
      </Fact>
      <Fact name="Target" value={target} filter={{ target }}>
        <Target entry={entry} />
      </Fact>
      {uid !== null && <Fact name="User" value={uid} filter={{ uid }} />}
      {ip_address !== null && <Fact name="IP address" value={ip_address} />}
      {Object.keys(details).length > 0 && <JsonText value={details} label={`Details of ${action}`} />}
    </Stack>
  );
}

type FactProps = { name: string; value: string; filter?: AuditSearch; children?: ReactNode };

function Fact({ name, value, filter, children }: FactProps) {
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" w={90}>
        {name}
      </Text>
      <Text size="sm" ff="monospace" miw={0} maw="100%">
        {value}
      </Text>
      {filter && <FilterLink filter={filter} name={name} />}
      {children}
    </Group>
  );
}

/** Leads to the log of the app, or to that of the team accounts. */
function FilterLink({ filter, name }: { filter: AuditSearch; name: string }) {
  const { app } = useApp();
  const isOfTeam = useMe().console_app_id === app.id;
  const link = {
    search: filter,
    size: 'sm',
    underline: 'always',
    'aria-label': `Filter by ${name.toLowerCase()}`,
    children: 'Filter',
  } as const;
  return isOfTeam ? (
    <TextLink to="/owners/audit-log" {...link} />
  ) : (
    <TextLink to="/apps/$appId/audit-log" params={{ appId: app.id }} {...link} />
  );
}
