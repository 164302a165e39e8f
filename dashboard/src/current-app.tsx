// The app that a page is about: its API, and what the member's role in it allows. The service enforces the role; pages
// only explain it.
import { type ConsoleApp, type Role, roleIncludes, type SecretKeyScope } from '@foyer/contract';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Api, apiOf } from './api.ts';
import { roleMay } from './role-needs.ts';

export type CurrentApp = {
  app: ConsoleApp;
  api: Api;
  /** True if the member's role includes the scope. */
  can: (scope: SecretKeyScope) => boolean;
  /** True if the member has this role or one above it. */
  is: (role: Role) => boolean;
};

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
