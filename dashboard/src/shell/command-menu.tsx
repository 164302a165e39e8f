// Ctrl+K: goes to a page, an app, a section of the settings or a person. `/` puts the cursor into the search of the page.
import { isSearchLongEnough, limits } from '@foyer/contract';
import {
  Box,
  Group,
  Kbd,
  Modal,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { SearchIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { apiOf } from '../api.ts';
import { personName } from '../components/person-name.ts';
import { searchedText } from '../components/searched-text.ts';
import { focusNextSection } from '../components/title-focus.ts';
import { appQuery, appsQuery } from '../member.ts';
import { roleMay } from '../role-needs.ts';
import { settingsSections } from '../settings-sections.ts';
import { type Command, commandsFor } from './commands.ts';
import { furtherPagesFor, navigationFor, settingsNeeds } from './navigation-items.ts';

const typingMilliseconds = 120;

export function CommandMenu({ appId }: { appId: string | undefined }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [returning, setReturning] = useState(true);
  useHotkeys([['/', () => focusSearch() || open()]]);
  // Also from an input, where a slash is a character.
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [open]);
  return (
    <>
      <UnstyledButton onClick={open} aria-keyshortcuts="Control+K">
        <Group gap="xs" wrap="nowrap" px="sm" py={6} className="search-everything">
          <SearchIcon size={16} />
          <Text size="sm" visibleFrom="sm">
            Go to
          </Text>
          <VisuallyHidden hiddenFrom="sm">Go to</VisuallyHidden>
          <Box visibleFrom="sm" aria-hidden>
            <Kbd size="xs">Ctrl K</Kbd>
          </Box>
        </Group>
      </UnstyledButton>
      <Modal
        opened={opened}
        onClose={close}
        // The page that was chosen takes the focus.
        returnFocus={returning}
        onEnterTransitionEnd={() => setReturning(true)}
        withCloseButton={false}
        centered={false}
        yOffset="10dvh"
        padding={0}
        attributes={{ content: { 'aria-label': 'Go to' } }}
      >
        <Commands
          appId={appId}
          onRun={() => {
            setReturning(false);
            close();
          }}
        />
      </Modal>
    </>
  );
}

function Commands({ appId, onRun }: { appId: string | undefined; onRun: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const [asked] = useDebouncedValue(typed.trim(), typingMilliseconds);
  const app = useQuery({ ...appQuery(appId ?? ''), enabled: appId !== undefined }).data;
  const apps = useInfiniteQuery(appsQuery).data?.pages.flatMap((page) => page.items) ?? [];
  const people = useQuery({
    queryKey: [appId, 'users', 'command', asked],
    queryFn: async ({ signal }) => {
      const { items } = await apiOf(app?.app_key ?? '').users.list(
        { q: searchedText(asked), limit: 8 },
        { signal },
      );
      return { text: asked, items: items.map((user) => ({ ...user, name: personName(user) })) };
    },
    enabled: app !== undefined && isSearchLongEnough(asked),
    placeholderData: keepPreviousData,
  }).data;

  const commands: Command[] = commandsFor(typed, {
    pages: app
      ? [...navigationFor(app.role).flatMap(({ items }) => items), ...furtherPagesFor(app.role)]
      : [],
    sections: app && roleMay(app.role, settingsNeeds) ? settingsSections : [],
    apps,
    people: isSearchLongEnough(typed.trim()) ? people : undefined,
  });
  const current = commands[Math.min(place, commands.length - 1)];

  function run(command: Command | undefined) {
    if (!command) return;
    if (command.kind === 'Settings') focusNextSection();
    onRun();
    void navigate({ ...command.to, params: { appId: appId ?? '', ...command.to.params } } as never);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setPlace((before) => (before + step + commands.length) % Math.max(1, commands.length));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(current);
    }
  }

  return (
    <Stack gap={0}>
      <TextInput
        size="md"
        variant="unstyled"
        px="md"
        role="combobox"
        aria-label="Go to a page, a person or a setting"
        aria-expanded
        aria-controls="commands"
        aria-activedescendant={current ? `command-${current.id}` : undefined}
        placeholder="A page, a person or a setting"
        leftSection={<SearchIcon size={18} />}
        data-autofocus
        value={typed}
        maxLength={limits.maxPushTokenCharacters}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Box id="commands" role="listbox" aria-label="Results" mah="60dvh" style={{ overflowY: 'auto' }} p={4}>
        {commands.map((command) => (
          <Group
            key={command.id}
            id={`command-${command.id}`}
            role="option"
            aria-selected={command === current}
            className="command"
            justify="space-between"
            wrap="nowrap"
            px="sm"
            py={6}
            onClick={() => run(command)}
          >
            <Text size="sm" truncate>
              {command.label}
            </Text>
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {command.kind}
            </Text>
          </Group>
        ))}
      </Box>
      {commands.length === 0 && (
        <Text size="sm" c="dimmed" p="md" role="status">
          Nothing matches.
        </Text>
      )}
    </Stack>
  );
}

/** False if the page has no search. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLElement>('main input[type=search]');
  search?.focus();
  return search !== null;
}
