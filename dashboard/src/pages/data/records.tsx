// The records of a collection, all of them or those of a query.
import type { DataRecord } from '@foyer/contract';
import { Stack, Table, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { FileTextIcon } from 'lucide-react';
import { dataOf } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/links.tsx';
import { PagedList, usePages } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { recordsKey } from './collection-words.ts';
import { QueryBuilder } from './query-builder.tsx';
import { bodyOf, previewOf, queryIn, queryText } from './record-query.ts';

const route = getRouteApi('/member/apps/$appId/data/$collection');

export function Records({ collection }: { collection: string }) {
  const current = useApp();
  const { data } = current.api;
  const { query: text } = route.useSearch();
  const navigate = route.useNavigate();
  const asked = queryIn(text);
  const filtered = queryText(asked) !== '';
  const query = usePages([...recordsKey(current, collection), queryText(asked)], ({ cursor }, signal) =>
    filtered
      ? dataOf(
          data.query({
            params: { collection },
            body: { ...bodyOf(asked), ...(cursor && { startAfter: cursor }) },
            fetchOptions: { signal },
          }),
        )
      : dataOf(
          data.list({
            params: { collection },
            query: { ...(cursor && { cursor }) },
            fetchOptions: { signal },
          }),
        ),
  );
  return (
    <>
      <QueryBuilder
        query={asked}
        onRun={(next) => void navigate({ search: { query: queryText(next) || undefined } })}
      />
      <PagedList
        query={query}
        empty={
          <EmptyState icon={FileTextIcon} title={filtered ? 'No record matches' : 'No records yet'}>
            {filtered
              ? 'Conditions compare values of the same type, and a record without a field of the order is left out.'
              : 'Records that your app or your server writes appear here.'}
          </EmptyState>
        }
      >
        {(records) => <RecordTable records={records} appId={current.app.id} />}
      </PagedList>
    </>
  );
}

function RecordTable({ records, appId }: { records: DataRecord[]; appId: string }) {
  const listSearch = route.useSearch();
  return (
    <Table layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Record</Table.Th>
          <Table.Th visibleFrom="sm" w={110}>
            Owner
          </Table.Th>
          <Table.Th visibleFrom="sm" w={150}>
            Changed
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records.map((record) => (
          <Table.Tr key={record.id}>
            <Table.Td>
              <Stack gap={2}>
                <TextLink
                  to="/apps/$appId/data/$collection/$recordId"
                  params={{ appId, collection: record.collection, recordId: record.id }}
                  state={{ listSearch }}
                  size="sm"
                  ff="monospace"
                >
                  {record.id}
                </TextLink>
                <Text size="sm" c="dimmed" ff="monospace" lineClamp={2}>
                  {previewOf(record)}
                </Text>
              </Stack>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              {record.owner_uid === null ? (
                <Text size="sm" c="dimmed">
                  None
                </Text>
              ) : (
                <TextLink to="/apps/$appId/users/$uid" params={{ appId, uid: record.owner_uid }} size="sm">
                  Open user
                </TextLink>
              )}
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Time at={record.updated_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
