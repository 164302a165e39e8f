// Entries of an audit log: who did what and when; the details of each open below it. Everything in them is text that a
// stranger may have written.
import { type AuditEntry, auditActions } from '@foyer/contract';
import { Accordion, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApp } from '../current-app.tsx';
import { useMe } from '../member.ts';
import { namelessActors } from './actor-name.tsx';
import type { AuditSearch } from './audit-search.ts';
import { capitalized } from './capitalized.ts';
import { JsonText } from './json-text.tsx';
import { TextLink } from './links.tsx';
import { Time } from './time.tsx';

export function AuditEntries({ entries }: { entries: AuditEntry[] }) {
  return (
    <Accordion variant="contained" chevronPosition="left" keepMounted={false} multiple>
      {entries.map((entry) => (
        <Accordion.Item key={entry.id} value={entry.id}>
          <Accordion.Control>
            <Group gap="xs">
              <Text size="sm" fw={500} component="span" flex="1 1 12rem">
                {actionText(entry.action)}
              </Text>
              <Text size="sm" component="span" flex="1 1 12rem" miw={0}>
                {actorText(entry)}
              </Text>
              <Text size="sm" c="dimmed" component="span" w={130} ta={{ sm: 'right' }}>
                <Time at={entry.created_at} />
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Details entry={entry} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** `user.signed_in` as "User signed in". */
export function actionText(action: string): string {
  return capitalized(action.replaceAll(/[._]/g, ' '));
}

/** A name where there is one; the id is in the details. */
function actorText({ actor, actor_name }: AuditEntry): string {
  const [kind] = actor.split(':', 1);
  if (kind === 'secret_key') return actor_name === null ? actor : `Key ${actor_name}`;
  return actor_name ?? (kind === 'user' ? 'A user' : capitalized(namelessActors[actor] ?? actor));
}

function Details({ entry }: { entry: AuditEntry }) {
  const { app } = useApp();
  const isOfTeam = useMe().console_app_id === app.id;
  const meaning = (auditActions as Record<string, string>)[entry.action];
  return (
    <Stack gap="xs">
      {meaning && <Text size="sm">{meaning.replaceAll('`', '')}</Text>}
      <Fact name="Action" value={entry.action} filter={{ action: entry.action }} />
      <Fact name="Actor" value={entry.actor} filter={{ actor: entry.actor }} />
      <Fact name="Target" value={entry.target} filter={{ target: entry.target }} />
      {entry.uid !== null && (
        <Fact name="User" value={entry.uid} filter={{ uid: entry.uid }}>
          {!isOfTeam && (
            <TextLink
              to="/apps/$appId/users/$uid"
              params={{ appId: app.id, uid: entry.uid }}
              size="sm"
              underline="always"
            >
              Open user
            </TextLink>
          )}
        </Fact>
      )}
      {entry.ip_address !== null && <Fact name="IP address" value={entry.ip_address} />}
      {Object.keys(entry.details).length > 0 && (
        <JsonText value={entry.details} label={`Details of ${entry.action}`} />
      )}
    </Stack>
  );
}

type FactProps = { name: string; value: string; filter?: AuditSearch; children?: ReactNode };

function Fact({ name, value, filter, children }: FactProps) {
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" w={90}>
        {name}
      </Text>
      <Text size="sm" ff="monospace" miw={0} maw="100%">
        {value}
      </Text>
      {filter && <FilterLink filter={filter} name={name} />}
      {children}
    </Group>
  );
}

/** Leads to the log of the app, or to that of the team accounts. */
function FilterLink({ filter, name }: { filter: AuditSearch; name: string }) {
  const { app } = useApp();
  const isOfTeam = useMe().console_app_id === app.id;
  const link = {
    search: filter,
    size: 'sm',
    underline: 'always',
    'aria-label': `Filter by ${name.toLowerCase()}`,
    children: 'Filter',
  } as const;
  return isOfTeam ? (
    <TextLink to="/owners/audit-log" {...link} />
  ) : (
    <TextLink to="/apps/$appId/audit-log" params={{ appId: app.id }} {...link} />
  );
}
