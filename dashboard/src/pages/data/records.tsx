// The records of a collection, all of them or those of a query.
import type { DataRecord } from '@foyer/contract';
import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { FileTextIcon } from 'lucide-react';
import { ApiProblem } from '../../api-problem.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/links.tsx';
import { OwnerLink } from '../../components/owner-link.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { recordsKey } from './collection-words.ts';
import { QueryBuilder } from './query-builder.tsx';
import { bodyOf, conditionFault, previewOf, queryIn, queryText } from './record-query.ts';

const route = getRouteApi('/member/apps/$appId/data/$collection');

export function Records({ collection }: { collection: string }) {
  const current = useApp();
  const { data } = current.api;
  const { query: text } = route.useSearch();
  const navigate = route.useNavigate();
  const asked = queryIn(text);
  const filtered = queryText(asked) !== '';
  const query = usePages([...recordsKey(current, collection), queryText(asked)], (page) => {
    if (!filtered) return data.list({ params: { collection }, ...page });
    const fault = asked.where.map(conditionFault).find((each) => each !== null);
    if (fault) throw new ApiProblem('client/inexact-number', fault);
    return data.query({
      params: { collection },
      body: { ...bodyOf(asked), ...(page.query.cursor && { startAfter: page.query.cursor }) },
      fetchOptions: page.fetchOptions,
    });
  });
  return (
    <>
      <QueryBuilder
        query={asked}
        onRun={(next) => void navigate({ search: { query: queryText(next) || undefined } })}
      />
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={FileTextIcon} title={filtered ? 'No record matches' : 'No records yet'}>
            {filtered
              ? 'Conditions compare values of the same type, and a record without a field of the order is left out.'
              : 'Records that your app or your server writes appear here.'}
          </EmptyState>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: 'Record', cell: (record) => <RecordLink record={record} /> },
          {
            title: 'Owner',
            width: 110,
            isWide: true,
            cell: ({ owner_uid }) => <OwnerLink uid={owner_uid} none="None" />,
          },
          { title: 'Changed', width: 150, isWide: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
      />
    </>
  );
}

function RecordLink({ record }: { record: DataRecord }) {
  const { app } = useApp();
  return (
    <Stack gap={2}>
      <TextLink
        to="/apps/$appId/data/$collection/$recordId"
        params={{ appId: app.id, collection: record.collection, recordId: record.id }}
        state={{ listSearch: route.useSearch() }}
        size="sm"
        ff="monospace"
      >
        {record.id}
      </TextLink>
      <Text size="sm" c="dimmed" ff="monospace" lineClamp={2}>
        {previewOf(record)}
      </Text>
    </Stack>
  );
}
