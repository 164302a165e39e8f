// The app that a page is about: its API, and what the member's role in it allows. The service enforces the role; pages
// only explain it.
import {
  type ConsoleApp,
  leastRoles,
  type Role,
  roleHasScope,
  roleIncludes,
  roles,
  type SecretKeyScope,
} from '@foyer/contract';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Api, apiOf } from './api.ts';

export type CurrentApp = {
  app: ConsoleApp;
  api: Api;
  /** True if the member's role includes the scope. */
  can: (scope: SecretKeyScope) => boolean;
  /** True if the member has this role or one above it. */
  is: (role: Role) => boolean;
};

/** What something requires of a member. */
export type RoleNeeds = { scope: SecretKeyScope } | { role: Role };

export function roleMay(role: Role, needs: RoleNeeds): boolean {
  return 'scope' in needs ? roleHasScope(role, needs.scope) : roleIncludes(role, needs.role);
}

const AppContext = createContext<CurrentApp | null>(null);

export function AppProvider({ app, children }: { app: ConsoleApp; children: ReactNode }) {
  const value = useMemo<CurrentApp>(
    () => ({
      app,
      api: apiOf(app.app_key),
      can: (scope) => roleMay(app.role, { scope }),
      is: (role) => roleIncludes(app.role, role),
    }),
    [app],
  );
  return <AppContext value={value}>{children}</AppContext>;
}

export function useApp(): CurrentApp {
  const value = useContext(AppContext);
  if (!value) throw new Error('This page belongs to an app, but its route is not below one.');
  return value;
}

/** Null outside the pages of an app. */
export function useAppIfAny(): CurrentApp | null {
  return useContext(AppContext);
}

/** The roles that may do something, without those that only may do more. */
export function neededRoles(needs: RoleNeeds): string {
  return leastRoles(roles.filter((role) => roleMay(role, needs))).join(' or ');
}
