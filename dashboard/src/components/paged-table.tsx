// A list that is read page by page, as a table. Its columns name what they show of an item.
import { Table, type TableProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { PagedList } from './paged-list.tsx';

export type Column<Item> = {
  title: string;
  /** For a column of buttons, whose title only screen readers need. */
  isTitleHidden?: boolean;
  width?: TableProps['w'];
  align?: 'right';
  /** Left out on phones. */
  isWide?: boolean;
  cell: (item: Item) => ReactNode;
};

type Props<Item> = Omit<ComponentProps<typeof PagedList<Item>>, 'children'> & {
  keyOf: (item: Item) => string;
  columns: readonly Column<Item>[];
};

export function PagedTable<Item>({ keyOf, columns, ...list }: Props<Item>) {
  return (
    <PagedList {...list}>
      {(items) => (
        <Table layout="fixed">
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ title, isTitleHidden, width, ...column }) => (
                <Table.Th
                  key={title}
                  w={width}
                  {...(isTitleHidden && { 'aria-label': title })}
                  {...placeOf(column)}
                >
                  {!isTitleHidden && title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={keyOf(item)}>
                {columns.map(({ title, cell, ...column }) => (
                  <Table.Td key={title} {...placeOf(column)}>
                    {cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </PagedList>
  );
}

function placeOf({ align, isWide }: Pick<Column<never>, 'align' | 'isWide'>) {
  return { ...(align && { ta: align }), ...(isWide && { visibleFrom: 'sm' as const }) };
}
