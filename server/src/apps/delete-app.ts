// foyer apps delete: removes a disabled app with all of its rows, in short statements. An interrupted deletion continues
// when it is run again.
import { type Changer, change } from '../change.js';
import type { Deps } from '../deps.js';
import { deletedAppKeyPrefix, isBeingDeleted } from '../model/app.js';
import { appTables, deleteAppRow, deleteRowsOfApp, lockApp, updateAppRow } from './store.js';

type DeleteDeps = Pick<Deps, 'prisma' | 'query' | 'clock' | 'random'> & {
  /** Deletes the stored files of the app before their rows. */
  removeFiles: (appId: string) => Promise<void>;
};

/** Returns the number of deleted rows. */
export async function deleteApp(deps: DeleteDeps, call: Changer): Promise<number> {
  const { id: appId } = call.app;
  await markDeleted(deps, call);
  await deps.removeFiles(appId);
  const rows = await deleteRows(deps, appId);
  await deleteAppRow(deps.prisma, appId);
  // An instance that has cached the app accepts its clients for a few seconds after it was disabled. Without the app it cannot
  // create accounts or sessions any more.
  return rows + (await deleteRows(deps, appId));
}

async function deleteRows({ query }: Pick<Deps, 'query'>, appId: string): Promise<number> {
  let rows = 0;
  for (const table of appTables) {
    for (;;) {
      const removed = await deleteRowsOfApp(query, table, appId);
      if (removed === 0) break;
      rows += removed;
    }
  }
  return rows;
}

/**
 * Invalidates all keys of the app and prevents it from being enabled again, even if the deletion is interrupted.
 */
async function markDeleted(deps: DeleteDeps, call: Changer): Promise<void> {
  const { id: appId } = call.app;
  const now = deps.clock.now();
  await change(deps, call, async (tx, record) => {
    const app = await lockApp(tx, appId);
    if (app.enabled)
      throw new Error('the app is enabled; disable it first, so that nobody loses data by surprise');
    if (isBeingDeleted(app)) return;
    await updateAppRow(tx, appId, { appKey: `${deletedAppKeyPrefix}${appId}`, updatedAt: now });
    await record.audit({ action: 'app.deleted', target: `app:${appId}` });
  });
}
