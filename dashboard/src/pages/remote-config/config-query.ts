// The newest version of a remote config in the cache.
import type { RemoteConfig } from '@foyer/contract';
import { queryOptions } from '@tanstack/react-query';
import type { CurrentApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';
import type { Parameters } from './parameter.ts';

/** `etag` names this version in the change that replaces it. */
export type StoredConfig = { config: RemoteConfig; etag: string };

export function configQuery({ app, api }: CurrentApp) {
  return queryOptions({
    queryKey: [app.id, 'remote-config', 'current'],
    queryFn: ({ signal }) => storedConfig(api.config.get({ signal })),
  });
}

export function versionQuery({ app, api }: CurrentApp, version: number) {
  return queryOptions({
    queryKey: [app.id, 'remote-config', 'version', version],
    queryFn: ({ signal }) => api.config.version(version, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export async function publish(
  current: CurrentApp,
  parameters: Parameters,
  { etag, note }: { etag: string; note: string },
): Promise<StoredConfig> {
  const stored = await storedConfig(current.api.config.replace(parameters, { ifMatch: etag, note }));
  store(current, stored);
  return stored;
}

export async function rollBack(current: CurrentApp, version: number, etag: string): Promise<StoredConfig> {
  const stored = await storedConfig(current.api.config.rollback(version, { ifMatch: etag }));
  store(current, stored);
  return stored;
}

export async function refreshConfig(current: CurrentApp): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: configQuery(current).queryKey });
}

async function storedConfig(call: Promise<RemoteConfig & { etag: string }>): Promise<StoredConfig> {
  const { etag, ...config } = await call;
  return { config, etag };
}

function store(current: CurrentApp, stored: StoredConfig) {
  const { queryKey } = configQuery(current);
  // A read that began before the change would bring back the earlier version.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, stored);
  void queryClient.invalidateQueries({ queryKey: [current.app.id, 'remote-config', 'versions'] });
}
