// The signed-in team member and the member's apps.
import { infiniteQueryOptions, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { consoleApi } from './api.ts';
import { problemOf } from './api-problem.ts';
import { earlyOr } from './early-reads.ts';
import { queryClient } from './query-client.ts';
import { rememberedApp } from './stored-session.ts';

// Routes wait for the member and the app, too: their calls go on when the last component that shows them has left.
export const meQuery = queryOptions({
  queryKey: ['console', 'me'],
  queryFn: () => earlyOr('me', () => consoleApi.console.me()),
  staleTime: 60_000,
});

/** Loaded before any page of a member is shown. */
export function useMe() {
  return useSuspenseQuery(meQuery).data;
}

export const appsQuery = infiniteQueryOptions({
  queryKey: ['console', 'apps'],
  queryFn: ({ pageParam, signal }) =>
    consoleApi.console.listApps({ limit: 100, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export const appQuery = (appId: string) =>
  queryOptions({
    queryKey: ['console', 'app', appId],
    queryFn: () => earlyOr(`app ${appId}`, () => consoleApi.console.getApp(appId)),
    staleTime: 30_000,
  });

/** The app that was opened last; null if it is unknown here, or if the member has lost access to it. */
export async function lastApp(): Promise<string | null> {
  const appId = rememberedApp()?.id;
  if (appId === undefined) return null;
  try {
    await queryClient.ensureQueryData(appQuery(appId));
  } catch (error) {
    if (problemOf(error).status === 404) return null;
  }
  return appId;
}

/** The only app of a member; null for an owner of the service, for whom the list is where apps are created. */
export async function onlyApp(): Promise<string | null> {
  const { owner } = await queryClient.ensureQueryData(meQuery);
  if (owner) return null;
  const { items } = await consoleApi.console.listApps({ limit: 2 });
  return items.length === 1 ? (items[0]?.id ?? null) : null;
}
