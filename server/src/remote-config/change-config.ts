// PUT /admin/config and the rollback: each writes the next version under a lock; of two concurrent edits of one version
// the second is refused.
import type { Db } from '@foyer/prisma';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps, VersionTag } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { ApiError } from '../lib/api-error.js';
import { matchesIfMatch } from '../lib/http/etag.js';
import type { Actor } from '../model/actor.js';
import { faultsOf, type Parameters } from './config-rules.js';
import { rememberNewestTag } from './current-config.js';
import { etagOf } from './read-config.js';
import { findNewestVersion, findVersion, lockConfig, type VersionRow, writeVersion } from './store.js';
import { versionRow } from './version-row.js';

type ChangeDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'configTags'>;

/** `etag` is the one that the next change must name: that of the current version if nothing is written. */
export async function replaceConfig(
  deps: ChangeDeps,
  appId: string,
  change: { parameters: Parameters; ifMatch: string | undefined; validateOnly: boolean },
  actor: Actor,
): Promise<{ row: VersionRow; etag: string }> {
  const { parameters, ifMatch, validateOnly } = change;
  if (ifMatch === undefined) throw new ApiError('request/precondition-required');
  const fields = faultsOf(parameters);
  if (Object.keys(fields).length > 0) throw new ApiError('config/invalid-parameter', { fields });
  const following = async (db: Db) => {
    const newest = await newestFor(db, appId, ifMatch);
    const next = { version: newest.version + 1, parameters: JSON.stringify(parameters), rolledBackTo: null };
    return { newest, row: rowOf(deps, actor, next) };
  };
  if (validateOnly) {
    const { newest, row } = await following(deps.prisma);
    return { row, etag: etagOf(newest) };
  }
  const row = await deps.prisma.$transaction(async (tx) => {
    await lockConfig(tx, appId);
    const { row } = await following(tx);
    await writeVersion(tx, appId, row);
    const details = { version: row.version };
    await writeAuditEntry(tx, deps, { appId, actor, action: 'config.updated', target, details });
    return row;
  });
  rememberNewestTag(deps.configTags, appId, tagOf(row));
  return { row, etag: etagOf(row) };
}

/** Restores the parameters of an earlier version as the next version. */
export async function rollBackConfig(
  deps: ChangeDeps,
  appId: string,
  to: { version: number; ifMatch: string | undefined },
  actor: Actor,
  store: StoreResponse<VersionRow>,
): Promise<VersionRow> {
  const row = await deps.prisma.$transaction(async (tx) => {
    await lockConfig(tx, appId);
    const version = (await newestFor(tx, appId, to.ifMatch ?? '*')).version + 1;
    const earlier = await findVersion(tx, appId, to.version);
    const next = { version, parameters: earlier.parameters, rolledBackTo: to.version };
    const row = rowOf(deps, actor, next);
    await writeVersion(tx, appId, row);
    const details = { version, rolled_back_to: to.version };
    await writeAuditEntry(tx, deps, { appId, actor, action: 'config.rolled_back', target, details });
    await store(tx, row);
    return row;
  });
  rememberNewestTag(deps.configTags, appId, tagOf(row));
  return row;
}

const target = 'config';

/** The newest version, if it is the one that the caller has seen. */
async function newestFor(db: Db, appId: string, ifMatch: string): Promise<VersionRow> {
  const newest = await findNewestVersion(db, appId);
  if (!matchesIfMatch(ifMatch, etagOf(newest))) throw new ApiError('config/version-conflict');
  return newest;
}

function tagOf({ version, contentHash }: VersionRow): VersionTag {
  return { version, contentHash };
}

function rowOf(
  deps: ChangeDeps,
  actor: Actor,
  version: Pick<VersionRow, 'version' | 'parameters' | 'rolledBackTo'>,
): VersionRow {
  return versionRow({ ...version, updatedBy: actor.name, createdAt: deps.clock.now() });
}
