// The settings of an app in the cache.
import type { AppSettings } from '@foyer/contract';
import { queryOptions } from '@tanstack/react-query';
import type { CurrentApp } from './current-app.tsx';
import { queryClient } from './query-client.ts';

/** Also for an app other than the one whose pages are open. */
export function settingsQuery({ app, api }: Pick<CurrentApp, 'app' | 'api'>) {
  return queryOptions({
    queryKey: [app.id, 'settings'],
    queryFn: ({ signal }) => api.settings.get({ signal }),
  });
}

export function migrationQuery({ app, api }: CurrentApp) {
  return queryOptions({
    queryKey: [app.id, 'migration'],
    queryFn: ({ signal }) => api.migration.get({ signal }),
  });
}

export function storeSettings(current: CurrentApp, settings: AppSettings): void {
  const { queryKey } = settingsQuery(current);
  // A read that began before the change would bring back the earlier settings.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, settings);
}
