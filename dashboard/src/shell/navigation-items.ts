// The pages of an app, in the groups of the navigation.
import {
  IconAdjustments,
  IconBell,
  IconChartLine,
  IconDatabase,
  IconFile,
  IconHistory,
  IconKey,
  IconRocket,
  IconSettings,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

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

export type NavigationItem = {
  label: string;
  to: `/apps/$appId/${Page}`;
  icon: ComponentType<{ size?: number | string }>;
};

export const navigation: readonly { group: string; items: readonly NavigationItem[] }[] = [
  {
    group: 'App',
    items: [
      { label: 'Overview', to: '/apps/$appId/overview', icon: IconChartLine },
      { label: 'Quick start', to: '/apps/$appId/quick-start', icon: IconRocket },
    ],
  },
  { group: 'People', items: [{ label: 'Users', to: '/apps/$appId/users', icon: IconUsers }] },
  {
    group: 'Content',
    items: [
      { label: 'Remote Config', to: '/apps/$appId/remote-config', icon: IconAdjustments },
      { label: 'Data', to: '/apps/$appId/data', icon: IconDatabase },
      { label: 'Files', to: '/apps/$appId/files', icon: IconFile },
      { label: 'Push', to: '/apps/$appId/push', icon: IconBell },
    ],
  },
  {
    group: 'Developers',
    items: [
      { label: 'Keys', to: '/apps/$appId/keys', icon: IconKey },
      { label: 'Webhooks', to: '/apps/$appId/webhooks', icon: IconWebhook },
    ],
  },
  {
    group: 'Administration',
    items: [
      { label: 'Settings', to: '/apps/$appId/settings', icon: IconSettings },
      { label: 'Audit log', to: '/apps/$appId/audit-log', icon: IconHistory },
      { label: 'Team', to: '/apps/$appId/team', icon: IconUsersGroup },
    ],
  },
];
