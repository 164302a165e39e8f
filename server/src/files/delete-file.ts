// Deletes a file: the row first, which ends every URL, then the bytes through the queue.
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { actsForApp, type Call, sessionIdsOf } from '../model/call.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { queueRemoval } from './remove-bytes.js';
import { deleteFileRow } from './store.js';

/** A user deletes only their own; the backend and members delete every file. */
export async function deleteFile(deps: Deps, call: Call, fileId: string): Promise<void> {
  const { app, session } = call;
  await change(deps, call, async (tx, record) => {
    if (session) await lockUserOfCall(tx, sessionIdsOf({ app, session }));
    const ids = { appId: app.id, fileId, ownerId: call.uid };
    if (!(await deleteFileRow(tx, ids))) throw new ApiError('files/not-found');
    await queueRemoval(tx, deps, app.id, [fileId]);
    if (actsForApp(call)) await record.audit({ action: 'file.deleted', target: `file:${fileId}` });
  });
}
