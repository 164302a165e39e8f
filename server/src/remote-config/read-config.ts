// Reads and serializes the versions of the remote config.
import type { ConfigVersion, RemoteConfig } from '@foyer/contract';
import * as z from 'zod';
import type { Deps, VersionTag } from '../deps.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import { type ListedVersion, listVersionRows, type VersionRow } from './store.js';

/** Version and content hash: after a database restore a number may be reused with other content. */
export function etagOf({ version, contentHash }: VersionTag): string {
  return `"${version}-${contentHash}"`;
}

export function serializeConfig(row: VersionRow): RemoteConfig {
  return {
    version: row.version,
    parameters: JSON.parse(row.parameters),
    updated_at: timestamp(row.createdAt),
    updated_by: row.updatedBy,
    note: row.note,
  };
}

const VersionKey = z.string().regex(/^[1-9][0-9]{0,9}$/);
const aboveAll = 2 ** 31 - 1;

export async function listVersions(
  deps: Pick<Deps, 'prisma'>,
  appId: string,
  page: PageInput,
): Promise<Page<ConfigVersion>> {
  const [from] = page.cursor === undefined ? [] : decodeCursor(page.cursor, VersionKey);
  const below = Math.min(from === undefined ? aboveAll : Number(from), aboveAll);
  const rows = await listVersionRows(deps.prisma, appId, below, page.limit + 1);
  return pageOf(rows, page.limit, ({ version }) => [String(version)], present);
}

function present({
  version,
  createdAt,
  updatedBy,
  note,
  rolledBackTo,
  ...changed
}: ListedVersion): ConfigVersion {
  return {
    version,
    updated_at: timestamp(createdAt),
    updated_by: updatedBy,
    note,
    changed_names: changed.changedNames,
    changed_count: changed.changedCount,
    rolled_back_to: rolledBackTo,
  };
}
