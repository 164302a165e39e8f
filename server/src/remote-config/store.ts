// Queries on the versions of the remote config, each scoped to an app. Versions are added and deleted, never changed.
import { limits } from '@foyer/contract';
import { type Db, numbered, Prisma, type PrismaClient, type Query, type Tx } from '@foyer/prisma';
import type { VersionTag } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { lockAppOf } from '../model/app.js';

const newestTag = numbered<{ appId: string }>(
  { appId: 'text' },
  ({ appId }) => Prisma.sql`SELECT version, content_hash AS "contentHash" FROM config_versions
    WHERE app_id = ${appId} ORDER BY version DESC LIMIT 1`,
);

/** The newest version without its parameters: one lookup in the primary key index. */
export async function findNewestTag(query: Query, appId: string): Promise<VersionTag> {
  const [row] = await query<VersionTag>(newestTag({ appId }));
  return row ?? withoutConfig(appId);
}

export type VersionRow = VersionTag & {
  /** The parameters as JSON. */
  parameters: string;
  updatedBy: string;
  rolledBackTo: number | null;
  note: string | null;
  changedNames: string[];
  changedCount: number | null;
  createdAt: Date;
};

export async function findNewestVersion(db: Db, appId: string): Promise<VersionRow> {
  const row = await db.configVersion.findFirst({ where: { appId }, orderBy: { version: 'desc' } });
  return row ?? withoutConfig(appId);
}

/** Every app has a config from its creation on. */
function withoutConfig(appId: string): never {
  throw new Error(`the app ${appId} has no remote config`);
}

/** `config/version-not-found` for one that never was, or is too old. */
export async function findVersion(db: Db, appId: string, version: number): Promise<VersionRow> {
  const row = await db.configVersion.findUnique({ where: { appId_version: { appId, version } } });
  if (!row) throw new ApiError('config/version-not-found');
  return row;
}

/** Serializes writers of versions until the transaction ends; does not block the insertion of users. */
export async function lockConfig(tx: Tx, appId: string): Promise<void> {
  await tx.$executeRaw(lockAppOf(appId));
}

/** Adds a version, and deletes those beyond the last 300. The caller holds the lock, or has just created the app. */
export async function writeVersion(tx: Tx, appId: string, row: VersionRow): Promise<void> {
  await tx.configVersion.create({ data: { appId, ...row } });
  const version = { lte: row.version - limits.configVersionsKept };
  if (version.lte > 0) await tx.configVersion.deleteMany({ where: { appId, version } });
}

export type ListedVersion = Omit<VersionRow, 'parameters' | 'contentHash'>;

/** At most `limit` versions below one, the newest first. */
export function listVersionRows(
  prisma: PrismaClient,
  appId: string,
  below: number,
  limit: number,
): Promise<ListedVersion[]> {
  return prisma.configVersion.findMany({
    where: { appId, version: { lt: below } },
    omit: { appId: true, parameters: true, contentHash: true },
    orderBy: { version: 'desc' },
    take: limit,
  });
}
