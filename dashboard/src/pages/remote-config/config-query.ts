// The newest version of a remote config in the cache.
import type { RemoteConfig } from '@foyer/contract';
import { queryOptions } from '@tanstack/react-query';
import { answerOf, dataOf } from '../../api.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';
import type { Parameters } from './parameter.ts';

/** `etag` names this version in the change that replaces it. */
export type StoredConfig = { config: RemoteConfig; etag: string };

export function configQuery({ app, api }: CurrentApp) {
  return queryOptions({
    queryKey: [app.id, 'remote-config', 'current'],
    queryFn: ({ signal }) => storedConfig(api.configVersions.current({ fetchOptions: { signal } })),
  });
}

export function versionQuery({ app, api }: CurrentApp, version: number) {
  return queryOptions({
    queryKey: [app.id, 'remote-config', 'version', version],
    queryFn: ({ signal }) =>
      dataOf(api.configVersions.get({ params: { version: String(version) }, fetchOptions: { signal } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export async function publish(
  current: CurrentApp,
  parameters: Parameters,
  etag: string,
): Promise<StoredConfig> {
  const stored = await storedConfig(
    current.api.configVersions.replace({ headers: { 'if-match': etag }, query: {}, body: { parameters } }),
  );
  store(current, stored);
  return stored;
}

export async function rollBack(current: CurrentApp, version: number, etag: string): Promise<StoredConfig> {
  const stored = await storedConfig(
    current.api.configVersions.rollback({ headers: { 'if-match': etag }, body: { version } }),
  );
  store(current, stored);
  return stored;
}

export async function refreshConfig(current: CurrentApp): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: configQuery(current).queryKey });
}

async function storedConfig(call: Promise<{ status: number; body: unknown }>): Promise<StoredConfig> {
  const { data, headers } = await answerOf(call);
  return { config: data as RemoteConfig, etag: headers.get('ETag') ?? '' };
}

function store(current: CurrentApp, stored: StoredConfig) {
  const { queryKey } = configQuery(current);
  // A read that began before the change would bring back the earlier version.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, stored);
  void queryClient.invalidateQueries({ queryKey: [current.app.id, 'remote-config', 'versions'] });
}
