// What tables of records show of each: its id, fields that the records have, its owner and times.
import type { DataRecord } from '@foyer/contract';
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from './paged-table.tsx';
import { PersonLink } from './person-link.tsx';
import { previewOf, shownFields, valueAt, valueText } from './record-fields.ts';
import { orderText } from './record-order.ts';
import { Time } from './time.tsx';

type Options = {
  fields: readonly string[];
  link: (record: DataRecord) => ReactNode;
  /** Without the column of the owner, where all have the same. */
  isOfOneOwner?: boolean;
};

export function recordColumns({
  fields,
  link,
  isOfOneOwner = false,
}: Options): readonly Column<DataRecord>[] {
  const owner: Column<DataRecord> = {
    title: 'Owner',
    width: 180,
    isWide: true,
    cell: ({ owner_uid }) => <PersonLink uid={owner_uid} none="The app" />,
    text: ({ owner_uid }) => owner_uid,
  };
  return [
    {
      title: 'Record',
      sort: orderBy('$id'),
      text: ({ id }) => id,
      cell: (record) => (
        <Stack gap={2}>
          {link(record)}
          <Text
            size="sm"
            c="dimmed"
            ff="monospace"
            lineClamp={2}
            {...(fields.length > 0 && { hiddenFrom: 'sm' })}
          >
            {previewOf(record)}
          </Text>
        </Stack>
      ),
    },
    ...fields.map((field, place) => fieldColumn(field, place >= shownFields)),
    ...(isOfOneOwner ? [] : [owner]),
    timeColumn('Changed', '$updated_at', ({ updated_at }) => updated_at),
    { ...timeColumn('Created', '$created_at', ({ created_at }) => created_at), isExtra: true },
    {
      title: 'All fields',
      isExtra: true,
      isWide: true,
      cell: (record) => (
        <Text size="sm" ff="monospace" lineClamp={2}>
          {previewOf(record)}
        </Text>
      ),
      text: (record) => JSON.stringify(record.fields),
    },
  ];
}

function fieldColumn(field: string, isExtra: boolean): Column<DataRecord> {
  return {
    // A field may be named like one of the other columns.
    title: ownTitles.includes(field) ? `${field} (field)` : field,
    isExtra,
    isWide: true,
    sort: orderBy(field),
    cell: (record) => (
      <Text size="sm" ff="monospace" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {valueText(valueAt(record.fields, field))}
      </Text>
    ),
    text: (record) => valueText(valueAt(record.fields, field)),
  };
}

const ownTitles = ['Record', 'Owner', 'Changed', 'Created', 'All fields'];

function timeColumn(title: string, field: string, time: (record: DataRecord) => string): Column<DataRecord> {
  const cell = (record: DataRecord) => <Time at={time(record)} />;
  return { title, width: 150, isWide: true, sort: orderBy(field), cell, text: time };
}

function orderBy(field: string) {
  return {
    ascending: orderText({ field, direction: 'asc' }),
    descending: orderText({ field, direction: 'desc' }),
  };
}
