// The records of a collection, all of them or those of a query.
import type { DataRecord } from '@foyer/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FileTextIcon } from 'lucide-react';
import { ApiProblem } from '../../api-problem.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/links.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { recordColumns } from '../../components/record-columns.tsx';
import { fieldsOf } from '../../components/record-fields.ts';
import { orderIn, orderText } from '../../components/record-order.ts';
import { useApp } from '../../current-app.tsx';
import { collectionQuery, recordsKey } from './collection-words.ts';
import { QueryBuilder } from './query-builder.tsx';
import { bodyOf, conditionFault, queryIn, queryText } from './record-query.ts';

type CallOptions = { signal: AbortSignal };

/** What the service adds to every record, which a query can name as well. */
const ownFields = ['$id', '$owner_uid', '$created_at', '$updated_at'];

const route = getRouteApi('/member/apps/$appId/data/$collection');

export function Records({ collection }: { collection: string }) {
  const current = useApp();
  const { app, api } = current;
  const { query: text } = route.useSearch();
  const navigate = route.useNavigate();
  const asked = queryIn(text);
  const filtered = queryText(asked) !== '';
  const declared = useQuery(collectionQuery(current, collection)).data;
  const indexed = declared?.indexed_fields.filter((field) => !declared.building_fields.includes(field)) ?? [];
  const byId = !indexed.includes('$created_at');
  const newestFirst = { field: byId ? '$id' : '$created_at', direction: 'desc' } as const;

  const order = asked.orderBy[0] ?? newestFirst;

  async function readPage({ cursor, limit }: { cursor?: string; limit?: number }, options: CallOptions) {
    const fault = asked.where.map(conditionFault).find((each) => each !== null);
    if (fault) throw new ApiProblem('client/inexact-number', fault);
    const body = filtered ? bodyOf(asked) : { orderBy: [newestFirst] };
    return api.data.query(
      collection,
      { ...body, ...(limit && { limit }), ...(cursor && { startAfter: cursor }) },
      options,
    );
  }

  const key = [
    ...recordsKey(current, collection),
    queryText(filtered ? asked : { where: [], orderBy: [newestFirst] }),
  ];
  const query = usePages(key, readPage);
  const fields = fieldsOf(query.data?.pages.flatMap(({ items }) => items) ?? [], indexed);
  return (
    <>
      <QueryBuilder
        query={asked}
        fields={[...new Set([...fields, ...ownFields])]}
        onRun={(next) => void navigate({ search: { query: queryText(next) || undefined } })}
      />
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={FileTextIcon} title={filtered ? 'No record matches' : 'No records yet'}>
            {filtered
              ? 'Conditions compare values of the same type, and a record without a field of the order is left out.'
              : 'Records that your app or your server writes appear here. Create record, above, adds one by hand.'}
          </EmptyState>
        }
        keyOf={({ id }) => id}
        columns={recordColumns({
          fields: fields.filter((field) => !field.startsWith('$')),
          link: (record) => <RecordLink record={record} />,
        })}
        name={`records.${app.id}.${collection}`}
        order={{
          value: orderText(order),
          onChange: (text) =>
            void navigate({ search: { query: queryText({ ...asked, orderBy: [orderIn(text)] }) } }),
        }}
        count={
          filtered
            ? !order.field.startsWith('$') &&
              asked.orderBy.length > 0 &&
              `Without records that have no ${order.field}.`
            : `Newest first, by ${byId ? 'id' : 'the time of creation'}.`
        }
        csv={{ fileName: `${app.name} ${collection}`, readPage }}
      />
    </>
  );
}

function RecordLink({ record }: { record: DataRecord }) {
  const { app } = useApp();
  return (
    <TextLink
      to="/apps/$appId/data/$collection/$recordId"
      params={{ appId: app.id, collection: record.collection, recordId: record.id }}
      state={{ listSearch: route.useSearch() }}
      size="sm"
      ff="monospace"
    >
      {record.id}
    </TextLink>
  );
}
