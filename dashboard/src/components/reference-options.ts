// What a filter of the audit log offers: users that the service finds by what is typed, and the few members, keys, webhooks and
// collections of the app, as far as the member may read them. That of the team accounts offers the owners, and the members who
// are in its latest entries.
import type { AuditEntry } from '@foyer/contract';
import { useQuery } from '@tanstack/react-query';
import { consoleApi } from '../api.ts';
import { useApp } from '../current-app.tsx';
import { useMe } from '../member.ts';
import { isNamedActor, useActorName } from './actor-name.tsx';
import { capitalized } from './capitalized.ts';
import { namelessActors } from './nameless-actors.ts';
import { personText, usePeopleSearch, usePerson } from './people.ts';
import { personName } from './person-name.ts';

export type Kind = 'user' | 'member' | 'secret_key' | 'webhook' | 'collection' | 'nameless' | 'app';

type Option = { value: string; label: string };

const firstPage = { limit: 100 };

export function useUsers(typed: string, isShown: boolean): { users: Option[]; isSearching: boolean } {
  const { app } = useApp();
  const isOfTeam = useMe().console_app_id === app.id;
  const { found, isSearching } = usePeopleSearch(isShown && !isOfTeam ? typed : '');
  const users = found.map((person) => {
    const name = personName(person);
    return { value: `user:${person.uid}`, label: name === '' ? person.email : `${name}, ${person.email}` };
  });
  return { users, isSearching };
}

/** What is read at once: only what the member may read, and only once the list is opened. */
export function useOthers(kinds: readonly Kind[], isShown: boolean): { group: string; items: Option[] }[] {
  const { app, api, can, is } = useApp();
  const isOfTeam = useMe().console_app_id === app.id;
  const wants = (kind: Kind, may: boolean) => isShown && kinds.includes(kind) && may && !isOfTeam;
  const members = useQuery({
    queryKey: [app.id, 'members', 'picker'],
    queryFn: ({ signal }) => consoleApi.console.listMembers(app.id, firstPage, { signal }),
    enabled: isShown && kinds.includes('member'),
  });
  const ownersOfService = useQuery({
    queryKey: [app.id, 'owners', 'picker'],
    queryFn: ({ signal }) => consoleApi.console.listOwners(app.id, firstPage, { signal }),
    enabled: wants('member', true),
  });
  const recent = useQuery({
    queryKey: [app.id, 'audit-log', 'picker'],
    queryFn: ({ signal }) => consoleApi.console.listAuditLog(firstPage, { signal }),
    enabled: isShown && kinds.includes('member') && isOfTeam,
  });
  const keys = useQuery({
    queryKey: [app.id, 'keys', 'picker'],
    queryFn: ({ signal }) => api.keys.list(firstPage, { signal }),
    enabled: wants('secret_key', is('admin')),
  });
  const webhooks = useQuery({
    queryKey: [app.id, 'webhooks', 'picker'],
    queryFn: ({ signal }) => api.webhooks.list(firstPage, { signal }),
    enabled: wants('webhook', can('webhooks:manage')),
  });
  const collections = useQuery({
    queryKey: [app.id, 'collections', 'picker'],
    queryFn: ({ signal }) => api.collections.list(firstPage, { signal }),
    enabled: wants('collection', can('data:read')),
  });
  const kind = isOfTeam ? 'user' : 'member';
  const team = (members.data?.items ?? []).map(({ uid, email }) => ({
    value: `${kind}:${uid}`,
    label: email,
  }));
  const owners = new Set(team.map(({ value }) => value));
  return [
    { group: isOfTeam ? 'Owners' : 'Team', items: team },
    {
      group: 'Owners of the service',
      items: (ownersOfService.data?.items ?? [])
        .map(({ uid, email }) => ({ value: `member:${uid}`, label: email }))
        .filter(({ value }) => !owners.has(value)),
    },
    {
      group: 'Members in the latest entries',
      items: accountsIn(recent.data?.items ?? []).filter(({ value }) => !owners.has(value)),
    },
    {
      group: 'Secret keys',
      items: (keys.data?.items ?? []).map(({ id, name }) => ({
        value: `secret_key:${id}`,
        label: `Key ${name}`,
      })),
    },
    {
      group: 'Webhooks',
      items: (webhooks.data?.items ?? []).map(({ id, url }) => ({ value: `webhook:${id}`, label: url })),
    },
    {
      group: 'Collections',
      items: (collections.data?.items ?? []).map(({ name }) => ({
        value: `collection:${name}`,
        label: name,
      })),
    },
    {
      group: 'Others',
      items: [
        ...(kinds.includes('app') ? [{ value: `app:${app.id}`, label: 'The app' }, configOption] : []),
        ...(kinds.includes('nameless') ? namelessOptions : []),
      ],
    },
  ];
}

/** The team accounts that entries name, by email. */
function accountsIn(entries: AuditEntry[]): Option[] {
  const named = entries.flatMap(({ actor, actor_name, target, target_name }) => [
    [actor, actor_name] as const,
    [target, target_name] as const,
  ]);
  const accounts = new Map(named.filter(([reference]) => reference.startsWith('user:')));
  return [...accounts]
    .flatMap(([value, label]) => (label === null ? [] : [{ value, label }]))
    .sort((one, other) => one.label.localeCompare(other.label));
}

const configOption = { value: 'config', label: 'Remote config' };

const namelessOptions = ['service', 'command_line', 'anonymous'].map((value) => ({
  value,
  label: capitalized(namelessActors[value] ?? value),
}));

/** The name of who was chosen earlier, for instance by a link. */
export function useNameOf(reference: string | undefined): string | undefined {
  const { app } = useApp();
  const isOfTeam = useMe().console_app_id === app.id;
  const uid = reference?.startsWith('user:') && !isOfTeam ? reference.slice('user:'.length) : null;
  const { data: person } = usePerson(uid);
  const isOther = reference !== undefined && isNamedActor(reference) && !isOfTeam;
  const name = useActorName(isOther ? reference : null);
  return (person ? personText(person) : name) ?? undefined;
}
