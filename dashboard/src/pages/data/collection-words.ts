// The words for collections, and where they are in the cache.
import { type Collection, limits } from '@foyer/contract';
import { queryOptions } from '@tanstack/react-query';
import type { JsonRules } from '../../components/json-fault.ts';
import { recordNumberFault } from '../../components/number-faults.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';

export const accessModeTexts: Record<Collection['access_mode'], { label: string; description: string }> = {
  admin: { label: 'Server only', description: 'Only your server and the team read and write.' },
  public_read: { label: 'Anyone reads', description: 'Any client reads; your server writes.' },
  signed_in_read: { label: 'Signed-in users read', description: 'Signed-in users read; your server writes.' },
  owner: { label: 'Own records', description: 'Users read and write their own records only.' },
  owner_public_read: {
    label: 'Own records, anyone reads',
    description: 'Users write their own records; any client reads all.',
  },
  owner_signed_in_read: {
    label: 'Own records, signed-in users read',
    description: 'Users write their own records; signed-in users read all.',
  },
  shared: { label: 'Shared', description: 'Signed-in users read and write all records.' },
};

/** The rules by which the service stores records: a number that would be rounded is refused. */
export const recordRules: JsonRules = { maxLevels: limits.recordDepth, numberFault: recordNumberFault };

export const collectionsKey = ({ app }: CurrentApp) => [app.id, 'collections'];

export function collectionQuery(current: CurrentApp, name: string) {
  return queryOptions({
    queryKey: [...collectionsKey(current), name],
    queryFn: ({ signal }) => current.api.collections.get(name, { signal }),
    // An index is built in the background.
    refetchInterval: ({ state }) => (state.data?.building_fields.length ? 2_000 : false),
  });
}

export async function refreshCollections(current: CurrentApp): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: collectionsKey(current) });
}

export const recordsKey = ({ app }: CurrentApp, collection: string) => [app.id, 'records', collection];

export async function refreshRecords(current: CurrentApp, collection: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: recordsKey(current, collection) });
}
