// Choosing users by name or email: one for a filter, several as the recipients of a message.
import { CloseButton, Combobox, InputBase, Loader, Pill, PillsInput, Text, useCombobox } from '@mantine/core';
import { SearchIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { isUlid } from '../search-params.ts';
import { type Person, personText, usePeopleSearch, usePerson } from './people.ts';
import { personName } from './person-name.ts';

const placeholder = 'Name or email';
const maxTypedCharacters = 100;

type PickerProps = {
  label: string;
  value: string | undefined;
  onChange: (uid: string | undefined) => void;
};

export function PersonPicker({ label, value, onChange }: PickerProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { data: person } = usePerson(value ?? null);
  const shown = value === undefined ? '' : person ? personText(person) : value;

  function leave() {
    combobox.closeDropdown();
    setTyped(null);
  }

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(uid) => {
        onChange(uid);
        leave();
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          label={label}
          placeholder={placeholder}
          leftSection={<SearchIcon size={16} />}
          rightSectionPointerEvents="all"
          rightSection={
            value !== undefined && (
              <CloseButton
                size="sm"
                aria-label={`Clear ${label.toLowerCase()}`}
                onClick={() => {
                  onChange(undefined);
                  leave();
                }}
              />
            )
          }
          title={value}
          value={typed ?? shown}
          maxLength={maxTypedCharacters}
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            if (event.currentTarget.value === '' && value !== undefined) onChange(undefined);
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
          onBlur={leave}
        />
      </Combobox.Target>
      <People
        typed={typed ?? ''}
        chosen={value === undefined ? [] : [value]}
        onFound={combobox.selectFirstOption}
      />
    </Combobox>
  );
}

type PeopleProps = {
  label: string;
  description?: string;
  error?: ReactNode;
  value: string[];
  onChange: (uids: string[]) => void;
  /** The most that can be chosen. */
  max: number;
};

export function PeoplePicker({ label, description, error, value, onChange, max }: PeopleProps) {
  const [typed, setTyped] = useState('');
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });

  function add(uids: string[]) {
    onChange([...new Set([...value, ...uids])].slice(0, max));
    setTyped('');
    combobox.closeDropdown();
  }

  return (
    <Combobox store={combobox} onOptionSubmit={(uid) => add([uid])}>
      <Combobox.DropdownTarget>
        <PillsInput label={label} error={error} {...(description && { description })}>
          <Pill.Group>
            {value.map((uid) => (
              <PersonPill key={uid} uid={uid} onRemove={() => onChange(value.filter((one) => one !== uid))} />
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-label={label}
                placeholder={value.length === 0 ? placeholder : ''}
                value={typed}
                spellCheck={false}
                autoComplete="off"
                onChange={({ currentTarget }) => {
                  setTyped(currentTarget.value);
                  combobox.openDropdown();
                  combobox.resetSelectedOption();
                }}
                onPaste={(event) => {
                  const uids = uidsIn(event.clipboardData.getData('text'));
                  if (uids.length === 0) return;
                  event.preventDefault();
                  add(uids);
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1));
                }}
                onBlur={() => combobox.closeDropdown()}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <People typed={typed} chosen={value} onFound={combobox.selectFirstOption} />
    </Combobox>
  );
}

function PersonPill({ uid, onRemove }: { uid: string; onRemove: () => void }) {
  const { data: person } = usePerson(uid);
  const text = person ? personText(person) : person === null ? `Unknown user ${uid}` : uid;
  return (
    <Pill
      withRemoveButton
      onRemove={onRemove}
      title={uid}
      removeButtonProps={{ 'aria-label': `Remove ${text}`, 'aria-hidden': false, tabIndex: 0 }}
    >
      {text}
    </Pill>
  );
}

type ResultProps = { typed: string; chosen: string[]; onFound: () => void };

/** Who was found for the typed text. */
function People({ typed, chosen, onFound }: ResultProps) {
  const { found, isSearching, isAsked } = usePeopleSearch(typed);
  const uid = typed.trim().toUpperCase();
  const others = found.filter((person) => !chosen.includes(person.uid));
  // What a deleted user did is still found by the uid.
  const isDeleted = isUlid(uid) && !isSearching && found.length === 0;
  const first = others[0]?.uid ?? (isDeleted ? uid : undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another first result is a reason.
  useEffect(() => {
    if (first !== undefined) onFound();
  }, [first]);
  return (
    <Combobox.Dropdown hidden={!isAsked}>
      <Combobox.Options aria-label="People" mah={320} style={{ overflowY: 'auto' }}>
        {others.map((person) => (
          <Combobox.Option key={person.uid} value={person.uid}>
            <PersonLines person={person} />
          </Combobox.Option>
        ))}
        {isDeleted && (
          <Combobox.Option value={uid}>
            <Text size="sm">Deleted or unknown user</Text>
            <Text size="xs" c="inherit">
              {uid}
            </Text>
          </Combobox.Option>
        )}
        {!isDeleted && others.length === 0 && (
          <Combobox.Empty>
            {isSearching ? <Loader size={16} aria-label="Searching" /> : 'Nobody matches.'}
          </Combobox.Empty>
        )}
      </Combobox.Options>
    </Combobox.Dropdown>
  );
}

function PersonLines({ person }: { person: Person }) {
  const name = personName(person);
  return (
    <>
      <Text size="sm">{name || person.email}</Text>
      {name !== '' && (
        <Text size="xs" c="inherit">
          {person.email}
        </Text>
      )}
    </>
  );
}

function uidsIn(pasted: string): string[] {
  const words = pasted
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  return words.every(isUlid) ? words : [];
}
