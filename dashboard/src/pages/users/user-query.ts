// One user in the cache: how it is read, and how changes reach the pages that show it.
import type { AdminUser } from '@foyer/contract';
import { queryOptions } from '@tanstack/react-query';
import type { CurrentApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';

export function userQuery({ app, api }: CurrentApp, uid: string) {
  return queryOptions({
    queryKey: [app.id, 'user', uid],
    queryFn: ({ signal }) => api.users.get(uid, { signal }),
  });
}

export const signInStateKey = ({ app }: CurrentApp, uid: string) => [app.id, 'user', uid, 'sign-in-state'];

/** Updates the cache after a change that returned the user. */
export function storeUser(current: CurrentApp, user: AdminUser): void {
  const { queryKey } = userQuery(current, user.uid);
  // A read that began before the change would bring back the earlier user.
  void queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, user);
  refreshUsers(current);
}

/** Reads again after a change of sessions, points or other things that belong to the user. */
export async function refreshUser(current: CurrentApp, uid: string): Promise<void> {
  refreshUsers(current);
  await queryClient.invalidateQueries({ queryKey: userQuery(current, uid).queryKey });
}

export function refreshUsers({ app }: CurrentApp): void {
  void queryClient.invalidateQueries({ queryKey: [app.id, 'users'] });
}

/** Reads again after a change of several users. */
export function refreshChangedUsers(current: CurrentApp): void {
  refreshUsers(current);
  void queryClient.invalidateQueries({ queryKey: [current.app.id, 'user'] });
}
