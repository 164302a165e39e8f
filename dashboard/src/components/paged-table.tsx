// A list that is read page by page, as a table. Its columns name what they show of an item; members choose among them, sort
// by those that the service can sort by, select rows, and save the list as a file.
import { Button, Checkbox, Group, Menu, Table, type TableProps, Text, UnstyledButton } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon, Columns3Icon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { CsvValue } from './csv.ts';
import { CsvButton, type CsvExport } from './csv-export.tsx';
import { PagedList } from './paged-list.tsx';
import { openRow } from './row-click.ts';
import { useShownColumns } from './table-columns.ts';
import { UnfoldingRow } from './unfolding-row.tsx';

export type Column<Item> = {
  title: string;
  /** For a column of buttons, whose title only screen readers need. */
  isTitleHidden?: boolean;
  width?: TableProps['w'];
  align?: 'right';
  /** Left out on phones. */
  isWide?: boolean;
  /** Shown only where a member has chosen it. */
  isExtra?: boolean;
  /** The orders of the list that sort by this column. */
  sort?: { ascending: string; descending: string };
  cell: (item: Item) => ReactNode;
  /** What a file contains of it; a column without is in no file. */
  text?: (item: Item) => CsvValue;
};

export type TableOrder = { value: string; onChange: (order: string) => void };

type Props<Item> = Omit<ComponentProps<typeof PagedList<Item>>, 'children'> & {
  keyOf: (item: Item) => string;
  /** What a person calls the item; its key, if it has no name. */
  nameOf?: (item: Item) => string;
  columns: readonly Column<Item>[];
  /** Under which the choice of columns is kept; without it there is none. */
  name?: string;
  order?: TableOrder;
  csv?: CsvExport<Item>;
  /** How many items there are in words, such as "about 1,200 users". */
  count?: ReactNode;
  /** What a row shows below itself once it is unfolded. */
  details?: (item: Item) => ReactNode;
  /** What can be done with the selected rows; `select` replaces the selection. */
  selection?: (selected: Item[], select: (items: Item[]) => void) => ReactNode;
};

export function PagedTable<Item>(props: Props<Item>) {
  const { keyOf, nameOf = keyOf, columns, name, order, csv, count, selection, details, ...list } = props;
  const { shown, isShown, toggle } = useShownColumns(name ?? '', columns);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  function select(keys: string[], isSelected: boolean) {
    const next = new Set(selected);
    for (const key of keys) isSelected ? next.add(key) : next.delete(key);
    setSelected(next);
  }

  return (
    <PagedList {...list}>
      {(items) => {
        const chosen = items.filter((item) => selected.has(keyOf(item)));
        return (
          <>
            {(count || csv || name || chosen.length > 0) && (
              <Group justify="space-between" mih={30} gap="xs">
                {selection && chosen.length > 0 ? (
                  <Group gap="xs" role="group" aria-label="Selected rows">
                    <Text size="sm" fw={600}>
                      {chosen.length.toLocaleString()} selected
                    </Text>
                    {selection(chosen, (items) => setSelected(new Set(items.map(keyOf))))}
                  </Group>
                ) : (
                  <Text size="sm" c="dimmed">
                    {count}
                  </Text>
                )}
                <Group gap="xs">
                  {name && <ColumnMenu columns={columns} isShown={isShown} onToggle={toggle} />}
                  {csv && (
                    <CsvButton
                      {...csv}
                      selected={chosen}
                      columns={columns.flatMap(({ title, text }) => (text ? { title, text } : []))}
                    />
                  )}
                </Group>
              </Group>
            )}
            <Table layout="fixed" highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  {details && <Table.Th w={44} aria-label="Details" />}
                  {selection && (
                    <Table.Th w={44}>
                      <Checkbox
                        aria-label="Select all rows"
                        checked={chosen.length === items.length}
                        indeterminate={chosen.length > 0 && chosen.length < items.length}
                        onChange={(event) => select(items.map(keyOf), event.currentTarget.checked)}
                      />
                    </Table.Th>
                  )}
                  {shown.map((column) => (
                    <HeaderCell key={column.title} column={column} order={order} />
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((item) => {
                  const cells = (
                    <>
                      {selection && (
                        <Table.Td>
                          <Checkbox
                            aria-label={`Select ${nameOf(item)}`}
                            checked={selected.has(keyOf(item))}
                            onChange={(event) => select([keyOf(item)], event.currentTarget.checked)}
                          />
                        </Table.Td>
                      )}
                      {shown.map(({ title, cell, ...column }, place) => (
                        <Table.Td key={title} {...placeOf(column)} {...(place === 0 && { 'data-own': true })}>
                          {cell(item)}
                        </Table.Td>
                      ))}
                    </>
                  );
                  return details ? (
                    <UnfoldingRow
                      key={keyOf(item)}
                      columns={shown.length + (selection ? 2 : 1)}
                      details={() => details(item)}
                    >
                      {cells}
                    </UnfoldingRow>
                  ) : (
                    <Table.Tr key={keyOf(item)} onClick={openRow} className="opens">
                      {cells}
                    </Table.Tr>
                  );
                })}
              </Table.Tbody>
            </Table>
          </>
        );
      }}
    </PagedList>
  );
}

type HeaderProps<Item> = { column: Column<Item>; order: TableOrder | undefined };

function HeaderCell<Item>({ column, order }: HeaderProps<Item>) {
  const { title, isTitleHidden, width, sort } = column;
  const direction = order && sort && directionOf(order.value, sort);
  return (
    <Table.Th
      w={width}
      {...(isTitleHidden && { 'aria-label': title })}
      {...(direction && { 'aria-sort': direction })}
      {...placeOf(column)}
    >
      {order && sort ? (
        <UnstyledButton
          fz="sm"
          fw={700}
          onClick={() => order.onChange(order.value === sort.ascending ? sort.descending : sort.ascending)}
        >
          <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
            {title}
            {direction === 'ascending' && <ArrowUpIcon size={14} />}
            {direction === 'descending' && <ArrowDownIcon size={14} />}
          </Group>
        </UnstyledButton>
      ) : (
        !isTitleHidden && title
      )}
    </Table.Th>
  );
}

function directionOf(order: string, { ascending, descending }: { ascending: string; descending: string }) {
  if (order === ascending) return 'ascending';
  return order === descending ? 'descending' : 'none';
}

type ColumnMenuProps<Item> = {
  columns: readonly Column<Item>[];
  isShown: (column: Column<Item>) => boolean;
  onToggle: (column: Column<Item>) => void;
};

/** The first column stays: it names the row. Phones show no other column that could be chosen. */
function ColumnMenu<Item>({ columns, isShown, onToggle }: ColumnMenuProps<Item>) {
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" visibleFrom="sm" leftSection={<Columns3Icon size={16} />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.slice(1).map(
          (column) =>
            !column.isTitleHidden && (
              <Menu.Item
                key={column.title}
                role="menuitemcheckbox"
                aria-checked={isShown(column)}
                leftSection={
                  <Checkbox checked={isShown(column)} readOnly tabIndex={-1} size="xs" aria-hidden />
                }
                onClick={() => onToggle(column)}
              >
                {column.title}
              </Menu.Item>
            ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function placeOf({ align, isWide }: Pick<Column<never>, 'align' | 'isWide'>) {
  return { ...(align && { ta: align }), ...(isWide && { visibleFrom: 'sm' as const }) };
}
