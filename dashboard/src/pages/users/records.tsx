// The records of a user, one collection at a time.
import type { AdminUser, DataRecord } from '@foyer/contract';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DatabaseIcon } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/links.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { recordColumns } from '../../components/record-columns.tsx';
import { fieldsOf } from '../../components/record-fields.ts';
import { useApp } from '../../current-app.tsx';

export function Records({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const [chosen, setChosen] = useState<string | null>(null);
  const query = useQuery({
    queryKey: [app.id, 'collections', 'all'],
    queryFn: ({ signal }) => allNames((page) => api.collections.list(page, { signal })),
  });
  return (
    <QueryView query={query}>
      {(names) => {
        const [first] = names;
        if (first === undefined) return <Text size="sm">This app has no collections.</Text>;
        const collection = chosen ?? first;
        return (
          <Stack>
            <NativeSelect
              label="Collection"
              maw={320}
              value={collection}
              data={names}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
            <OwnRecords uid={user.uid} collection={collection} key={collection} />
          </Stack>
        );
      }}
    </QueryView>
  );
}

type CollectionPage = { items: { name: string }[]; next_cursor: string | null };

async function allNames(
  list: (page: { limit: number; cursor?: string }) => Promise<CollectionPage>,
): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const page: CollectionPage = await list({ limit: 100, ...(cursor !== null && { cursor }) });
    names.push(...page.items.map(({ name }) => name));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return names;
}

function OwnRecords({ uid, collection }: { uid: string; collection: string }) {
  const { app, api } = useApp();
  const query = usePages([app.id, 'user', uid, 'records', collection], ({ cursor }, options) =>
    api.data.query(
      collection,
      {
        where: [{ field: '$owner_uid', op: '==', value: uid }],
        orderBy: [{ field: '$id', direction: 'desc' }],
        ...(cursor !== undefined && { startAfter: cursor }),
      },
      options,
    ),
  );
  const fields = fieldsOf(query.data?.pages.flatMap(({ items }) => items) ?? [], []);
  return (
    <PagedTable
      query={query}
      empty={
        <EmptyState icon={DatabaseIcon} title="No records">
          This user owns no record of the collection.
        </EmptyState>
      }
      keyOf={({ id }) => id}
      name={`records.${app.id}.${collection}`}
      columns={recordColumns({
        fields,
        link: (record) => <RecordLink record={record} />,
        isOfOneOwner: true,
      })}
    />
  );
}

function RecordLink({ record: { collection, id } }: { record: DataRecord }) {
  const { app } = useApp();
  return (
    <TextLink
      to="/apps/$appId/data/$collection/$recordId"
      params={{ appId: app.id, collection, recordId: id }}
      size="sm"
      ff="monospace"
    >
      {id}
    </TextLink>
  );
}
