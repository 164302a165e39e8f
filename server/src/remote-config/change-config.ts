// PUT /admin/config and the rollback: each writes the next version under a lock; of two concurrent edits of one version
// the second is refused.
import { limits } from '@foyer/contract';
import type { Db } from '@foyer/prisma';
import { changesBetween } from '../audit/changes-rules.js';
import { change } from '../change.js';
import type { Deps, VersionTag } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { ApiError } from '../lib/api-error.js';
import { matchesIfMatch } from '../lib/etag.js';
import type { Call } from '../model/call.js';
import { changedNames, faultsOf, type Parameters } from './config-rules.js';
import { rememberNewestTag } from './current-config.js';
import { etagOf } from './read-config.js';
import { findNewestVersion, findVersion, lockConfig, type VersionRow, writeVersion } from './store.js';
import { versionRow } from './version-row.js';

/** `etag` is the one that the next change must name: that of the current version if nothing is written. */
export async function replaceConfig(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'configTags'>,
  call: Pick<Call, 'app' | 'actor'>,
  next: { parameters: Parameters; note: string | null; ifMatch: string | undefined; validateOnly: boolean },
): Promise<{ row: VersionRow; etag: string }> {
  const { id: appId } = call.app;
  const { parameters, note, ifMatch, validateOnly } = next;
  if (ifMatch === undefined) throw new ApiError('request/precondition-required');
  const fields = faultsOf(parameters);
  if (Object.keys(fields).length > 0) throw new ApiError('config/invalid-parameter', { fields });
  const following = async (db: Db) => {
    const newest = await newestFor(db, appId, ifMatch);
    const version = {
      version: newest.version + 1,
      parameters: JSON.stringify(parameters),
      rolledBackTo: null,
      note,
    };
    return { newest, row: rowOf(deps, call, version, newest) };
  };
  if (validateOnly) {
    const { newest, row } = await following(deps.prisma);
    return { row, etag: etagOf(newest) };
  }
  const row = await change(deps, call, async (tx, record) => {
    await lockConfig(tx, appId);
    const { newest, row } = await following(tx);
    await writeVersion(tx, appId, row);
    const details = { version: row.version, changes: parameterChanges(newest, row) };
    await record.audit({ action: 'config.updated', target, details });
    return row;
  });
  rememberNewestTag(deps.configTags, appId, tagOf(row));
  return { row, etag: etagOf(row) };
}

/** Restores the parameters of an earlier version as the next version. */
export async function rollBackConfig(
  deps: Deps,
  call: Call,
  to: { version: number; ifMatch: string | undefined },
  store: StoreResponse<VersionRow>,
): Promise<VersionRow> {
  const { id: appId } = call.app;
  const row = await change(deps, call, async (tx, record) => {
    await lockConfig(tx, appId);
    const newest = await newestFor(tx, appId, to.ifMatch ?? '*');
    const version = newest.version + 1;
    const earlier = await findVersion(tx, appId, to.version);
    const next = { version, parameters: earlier.parameters, rolledBackTo: to.version, note: null };
    const row = rowOf(deps, call, next, newest);
    await writeVersion(tx, appId, row);
    const details = { version, rolled_back_to: to.version, changes: parameterChanges(newest, row) };
    await record.audit({ action: 'config.rolled_back', target, details });
    await store(tx, row);
    return row;
  });
  rememberNewestTag(deps.configTags, appId, tagOf(row));
  return row;
}

const target = 'config';

/** By the name of the parameter and its field, such as `cards.value`. */
function parameterChanges(before: VersionRow, after: VersionRow) {
  const [from, to] = [before, after].map(({ parameters }) => JSON.parse(parameters) as Parameters);
  return changesBetween(from as Parameters, to as Parameters, 2);
}

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
  deps: Pick<Deps, 'clock'>,
  { actor }: Pick<Call, 'actor'>,
  version: Pick<VersionRow, 'version' | 'parameters' | 'rolledBackTo' | 'note'>,
  before: VersionRow,
): VersionRow {
  const changed = changedNames(JSON.parse(before.parameters), JSON.parse(version.parameters));
  return versionRow({
    ...version,
    changedNames: changed.slice(0, limits.changedConfigNames),
    changedCount: changed.length,
    updatedBy: actor.name,
    createdAt: deps.clock.now(),
  });
}
