// The addresses of the dashboard. Every page is loaded when it is first opened.
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { appRoutes } from './app-routes.tsx';
import { client } from './client.ts';
import { auditSearch } from './components/audit-search.ts';
import { focusNextTitle } from './components/title-focus.ts';
import { lazyPage } from './lazy-page.ts';
import { lastApp, onlyApp } from './member.ts';
import { member, root } from './member-route.tsx';
import { SignInRoute } from './pages/sign-in/sign-in-route.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageError } from './shell/page-error.tsx';
import { PageLoading } from './shell/page-loading.tsx';

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>) => (typeof next === 'string' ? { next } : {}),
  beforeLoad: async () => {
    if ((await client.auth.ready()).status === 'signedIn') throw redirect({ to: '/' });
  },
  component: SignInRoute,
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./pages/invitation.tsx'), 'InvitationPage'),
});

const home = createRoute({
  getParentRoute: () => member,
  path: '/',
  beforeLoad: async () => {
    const appId = (await lastApp()) ?? (await onlyApp());
    throw appId ? redirect({ to: '/apps/$appId', params: { appId } }) : redirect({ to: '/apps' });
  },
});

const apps = createRoute({
  getParentRoute: () => member,
  path: '/apps',
  component: lazyPage(() => import('./pages/apps/apps.tsx'), 'AppsPage'),
});

const account = createRoute({
  getParentRoute: () => member,
  path: '/account',
  component: lazyPage(() => import('./pages/account/account.tsx'), 'AccountPage'),
});

const owners = createRoute({
  getParentRoute: () => member,
  path: '/owners',
  component: lazyPage(() => import('./pages/team/owners.tsx'), 'OwnersPage'),
});

const teamAuditLog = createRoute({
  getParentRoute: () => member,
  path: '/owners/audit-log',
  validateSearch: auditSearch,
  component: lazyPage(() => import('./pages/audit-log/audit-log.tsx'), 'TeamAuditLogPage'),
});

/** In the frame, from which members go on. */
const noPage = createRoute({ getParentRoute: () => member, path: '$', component: NotFound });

const routeTree = root.addChildren([
  signIn,
  invitation,
  member.addChildren([home, apps, owners, teamAuditLog, account, appRoutes, noPage]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  // Plain query strings: by default the router reads `q=123` as a number.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text && `?${text}`;
  },
});

router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
  // The first page of a tab begins at its top, and a filter or a tab of a page keeps the focus.
  if (fromLocation && pathChanged) focusNextTitle();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
