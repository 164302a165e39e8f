// A filter by who or what an audit entry names: the users of the app by name or email, members and keys by name. Users are
// searched as the member types; the others are few.
import { Loader, Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { type Kind, useNameOf, useOthers, useUsers } from './reference-options.ts';

type Props = {
  label: string;
  kinds: readonly Kind[];
  /** A reference such as `user:<uid>`. */
  value: string | undefined;
  onChange: (reference: string | undefined) => void;
};

export function ReferencePicker({ label, kinds, value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { users, isSearching } = useUsers(typed, isOpen && kinds.includes('user'));
  const others = useOthers(kinds, isOpen || value !== undefined);
  const name = useNameOf(value);
  const groups = [
    { group: 'Users', items: users },
    ...others.map(({ group, items }) => ({
      group,
      items: items.filter(({ label }) => matches(label, typed)),
    })),
  ].filter(({ items }) => items.length > 0);
  const known = [users, ...others.map(({ items }) => items)].flat().find((option) => option.value === value);
  const chosen = value === undefined ? null : (known ?? { value, label: name ?? value });
  const isListed = chosen === null || groups.some(({ items }) => items.some((item) => item.value === value));
  return (
    <Select
      label={label}
      placeholder="Any"
      searchable
      clearable
      value={value ?? null}
      searchValue={isOpen ? typed : (chosen?.label ?? '')}
      onSearchChange={setTyped}
      onDropdownOpen={() => {
        setTyped('');
        setOpen(true);
      }}
      onDropdownClose={() => setOpen(false)}
      onChange={(next) => onChange(next ?? undefined)}
      data={isListed || !chosen ? groups : [{ group: 'Chosen', items: [chosen] }, ...groups]}
      filter={keepAll}
      nothingFoundMessage={typed.trim().length < 2 ? 'Type a name or an email.' : 'Nobody matches.'}
      rightSection={isSearching ? <Loader size={16} /> : undefined}
      maxDropdownHeight={320}
    />
  );
}

/** The lists are filtered already, and the service knows better which users match. */
const keepAll: NonNullable<SelectProps['filter']> = ({ options }) => options;

function matches(label: string, typed: string): boolean {
  return label.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
}
