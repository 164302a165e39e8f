// Removes the bytes of all files of an app that is being deleted; the foreign key deletes their rows.
import type { Deps } from '../deps.js';
import { listFileIdsOfApp } from './store.js';

export async function removeFilesOfApp(
  deps: Pick<Deps, 'query' | 'fileStore'>,
  appId: string,
): Promise<void> {
  for (let after = ''; ; ) {
    const fileIds = await listFileIdsOfApp(deps.query, appId, after);
    for (const fileId of fileIds) await deps.fileStore.remove({ appId, fileId });
    const last = fileIds.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
