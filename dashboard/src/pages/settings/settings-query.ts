// The settings of an app in the cache.
import type { AppSettings } from '@foyer/contract';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../api.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';

export function settingsQuery({ app, api }: CurrentApp) {
  return queryOptions({
    queryKey: [app.id, 'settings'],
    queryFn: ({ signal }) => dataOf(api.apps.getSettings({ fetchOptions: { signal } })),
  });
}

export function migrationQuery({ app, api }: CurrentApp) {
  return queryOptions({
    queryKey: [app.id, 'migration'],
    queryFn: ({ signal }) => dataOf(api.migration.get({ fetchOptions: { signal } })),
  });
}

export function storeSettings(current: CurrentApp, settings: AppSettings): void {
  const { queryKey } = settingsQuery(current);
  // A read that began before the change would bring back the earlier settings.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, settings);
}
