// The pages of an app. Every page is loaded when it is first opened; filters are in the query string.
import { createRoute, redirect } from '@tanstack/react-router';
import { auditSearch } from './components/audit-search.ts';
import { lazyPage } from './lazy-page.ts';
import { appQuery } from './member.ts';
import { member } from './member-route.tsx';
import { fileSearch } from './pages/files/file-search.ts';
import { userSearch } from './pages/users/search.ts';
import { deliverySearch, webhooksSearch } from './pages/webhooks/webhook-search.ts';
import { queryClient } from './query-client.ts';
import { otherDays, shownDays } from './read-stats.ts';
import { oneOf } from './search-params.ts';
import { AppLayout } from './shell/app-layout.tsx';
import { NotFound } from './shell/not-found.tsx';
import { statsQuery } from './stats-query.ts';

/** Every page below it is about one app. */
const app = createRoute({
  getParentRoute: () => member,
  path: '/apps/$appId',
  loader: ({ params }) => queryClient.ensureQueryData(appQuery(params.appId)),
  component: AppLayout,
});

const appHome = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/apps/$appId/overview', params });
  },
});

const users = createRoute({
  getParentRoute: () => app,
  path: 'users',
  validateSearch: userSearch,
  component: lazyPage(() => import('./pages/users/users.tsx'), 'UsersPage'),
});

const user = createRoute({
  getParentRoute: () => app,
  path: 'users/$uid',
  validateSearch: ({ tab }: Record<string, unknown>) => (typeof tab === 'string' ? { tab } : {}),
  component: lazyPage(() => import('./pages/users/user.tsx'), 'UserPage'),
});

const team = createRoute({
  getParentRoute: () => app,
  path: 'team',
  component: lazyPage(() => import('./pages/team/team.tsx'), 'TeamPage'),
});

const keys = createRoute({
  getParentRoute: () => app,
  path: 'keys',
  component: lazyPage(() => import('./pages/keys/keys.tsx'), 'KeysPage'),
});

const webhooks = createRoute({
  getParentRoute: () => app,
  path: 'webhooks',
  validateSearch: webhooksSearch,
  component: lazyPage(() => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => app,
  path: 'webhooks/$webhookId',
  validateSearch: deliverySearch,
  component: lazyPage(() => import('./pages/webhooks/webhook.tsx'), 'WebhookPage'),
});

const overview = createRoute({
  getParentRoute: () => app,
  path: 'overview',
  validateSearch: ({ days }: Record<string, unknown>) =>
    oneOf(otherDays, days) ? { days: String(days) } : {},
  loaderDeps: ({ search: { days } }) => ({ days: shownDays(days) }),
  // Not awaited: the page shows that it waits, and a failure.
  loader: ({ params, deps }) => void queryClient.prefetchQuery(statsQuery(params.appId, deps.days)),
  component: lazyPage(() => import('./pages/overview/overview.tsx'), 'OverviewPage'),
});

const quickStart = createRoute({
  getParentRoute: () => app,
  path: 'quick-start',
  validateSearch: (search: Record<string, unknown>) =>
    search.with === 'sdk' ? { with: 'sdk' as const } : {},
  component: lazyPage(() => import('./pages/quick-start/quick-start.tsx'), 'QuickStartPage'),
});

const auditLog = createRoute({
  getParentRoute: () => app,
  path: 'audit-log',
  validateSearch: auditSearch,
  component: lazyPage(() => import('./pages/audit-log/audit-log.tsx'), 'AuditLogPage'),
});

const files = createRoute({
  getParentRoute: () => app,
  path: 'files',
  validateSearch: fileSearch,
  component: lazyPage(() => import('./pages/files/files.tsx'), 'FilesPage'),
});

const push = createRoute({
  getParentRoute: () => app,
  path: 'push',
  component: lazyPage(() => import('./pages/push/push.tsx'), 'PushPage'),
});

const pushCompose = createRoute({
  getParentRoute: () => app,
  path: 'push/compose',
  component: lazyPage(() => import('./pages/push/compose.tsx'), 'ComposePage'),
});

const pushMessage = createRoute({
  getParentRoute: () => app,
  path: 'push/$messageId',
  component: lazyPage(() => import('./pages/push/message.tsx'), 'MessagePage'),
});

const collections = createRoute({
  getParentRoute: () => app,
  path: 'data',
  component: lazyPage(() => import('./pages/data/collections.tsx'), 'CollectionsPage'),
});

const collection = createRoute({
  getParentRoute: () => app,
  path: 'data/$collection',
  validateSearch: ({ query }: Record<string, unknown>): { query?: string | undefined } =>
    typeof query === 'string' ? { query } : {},
  component: lazyPage(() => import('./pages/data/collection.tsx'), 'CollectionPage'),
});

const record = createRoute({
  getParentRoute: () => app,
  path: 'data/$collection/$recordId',
  component: lazyPage(() => import('./pages/data/record.tsx'), 'RecordPage'),
});

const remoteConfig = createRoute({
  getParentRoute: () => app,
  path: 'remote-config',
  component: lazyPage(() => import('./pages/remote-config/remote-config.tsx'), 'RemoteConfigPage'),
});

const remoteConfigHistory = createRoute({
  getParentRoute: () => app,
  path: 'remote-config/history',
  validateSearch: ({ version }: Record<string, unknown>) =>
    typeof version === 'string' && /^[1-9]\d{0,9}$/.test(version) ? { version } : {},
  component: lazyPage(() => import('./pages/remote-config/history.tsx'), 'ConfigHistoryPage'),
});

const settings = createRoute({
  getParentRoute: () => app,
  path: 'settings',
  validateSearch: ({ section }: Record<string, unknown>) => (typeof section === 'string' ? { section } : {}),
  component: lazyPage(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
});

const noPage = createRoute({ getParentRoute: () => app, path: '$', component: NotFound });

export const appRoutes = app.addChildren([
  appHome,
  users,
  user,
  remoteConfig,
  remoteConfigHistory,
  settings,
  team,
  keys,
  webhooks,
  webhook,
  overview,
  quickStart,
  auditLog,
  files,
  push,
  pushCompose,
  pushMessage,
  collections,
  collection,
  record,
  noPage,
]);
