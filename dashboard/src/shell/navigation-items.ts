// The pages of an app, in the groups of the navigation.
import type { Role } from '@foyer/contract';
import {
  BellIcon,
  ChartLineIcon,
  DatabaseIcon,
  FileIcon,
  HistoryIcon,
  KeyRoundIcon,
  RocketIcon,
  SettingsIcon,
  SlidersHorizontalIcon,
  UsersIcon,
  UsersRoundIcon,
  WebhookIcon,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { type RoleNeeds, roleMay } from '../role-needs.ts';

type Page =
  | 'overview'
  | 'quick-start'
  | 'users'
  | 'remote-config'
  | 'settings'
  | 'files'
  | 'data'
  | 'push'
  | 'keys'
  | 'webhooks'
  | 'audit-log'
  | 'team';

type NavigationItem = {
  label: string;
  to: `/apps/$appId/${Page}`;
  icon: ComponentType<{ size?: number | string }>;
  /** Other words to find it by. */
  words?: string;
  /** What the page requires of a member; every role opens a page without it. */
  needs?: RoleNeeds;
};

type NavigationGroup = { group: string; items: readonly NavigationItem[] };

export const settingsNeeds: RoleNeeds = { scope: 'settings:manage' };

/** The pages that a role opens; none until the role is known. */
export function navigationFor(role: Role | undefined): readonly NavigationGroup[] {
  if (role === undefined) return [];
  const opens = ({ needs }: NavigationItem) => needs === undefined || roleMay(role, needs);
  return navigation
    .map(({ group, items }) => ({ group, items: items.filter(opens) }))
    .filter(({ items }) => items.length > 0);
}

const navigation: readonly NavigationGroup[] = [
  {
    group: 'App',
    items: [
      { label: 'Overview', to: '/apps/$appId/overview', icon: ChartLineIcon, words: 'statistics charts' },
      { label: 'Quick start', to: '/apps/$appId/quick-start', icon: RocketIcon },
    ],
  },
  {
    group: 'People',
    items: [
      { label: 'Users', to: '/apps/$appId/users', icon: UsersIcon, words: 'people accounts create user' },
    ],
  },
  {
    group: 'Content',
    items: [
      {
        label: 'Remote Config',
        to: '/apps/$appId/remote-config',
        icon: SlidersHorizontalIcon,
        words: 'flags parameters',
      },
      { label: 'Data', to: '/apps/$appId/data', icon: DatabaseIcon },
      { label: 'Files', to: '/apps/$appId/files', icon: FileIcon },
      { label: 'Push', to: '/apps/$appId/push', icon: BellIcon },
    ],
  },
  {
    group: 'Developers',
    items: [
      {
        label: 'Keys',
        to: '/apps/$appId/keys',
        icon: KeyRoundIcon,
        words: 'api secret app key',
        needs: { role: 'admin' },
      },
      {
        label: 'Webhooks',
        to: '/apps/$appId/webhooks',
        icon: WebhookIcon,
        needs: { scope: 'webhooks:manage' },
      },
    ],
  },
  {
    group: 'Administration',
    items: [
      { label: 'Settings', to: '/apps/$appId/settings', icon: SettingsIcon, needs: settingsNeeds },
      { label: 'Audit log', to: '/apps/$appId/audit-log', icon: HistoryIcon, words: 'history security' },
      { label: 'Team', to: '/apps/$appId/team', icon: UsersRoundIcon, words: 'invite member role' },
    ],
  },
];

const furtherPages = [
  { label: 'Compose message', to: '/apps/$appId/push/compose', words: 'send push notification' },
] as const;

/** Pages that the navigation reaches through another one, and that the role opens. */
export function furtherPagesFor(role: Role) {
  return roleMay(role, { scope: 'push:send' }) ? furtherPages : [];
}
