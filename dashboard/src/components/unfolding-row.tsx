// A row of a table that shows more below itself once it is unfolded.
import { ActionIcon, Table } from '@mantine/core';
import { ChevronDownIcon, ChevronRightIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isPlainClick } from './row-click.ts';

type Props = { columns: number; details: () => ReactNode; children: ReactNode };

/** A click anywhere in the row unfolds it; the button is for the keyboard and screen readers. */
export function UnfoldingRow({ columns, details, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const toggle = () => setOpen(!isOpen);
  return (
    <>
      <Table.Tr className="opens" onClick={(event) => isPlainClick(event) && toggle()}>
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Details"
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {isOpen ? <ChevronDownIcon size={16} /> : <ChevronRightIcon size={16} />}
          </ActionIcon>
        </Table.Td>
        {children}
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={columns}>{details()}</Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
