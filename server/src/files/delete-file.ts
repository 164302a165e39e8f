// Deletes a file: the row first, which ends every URL, then the bytes through the queue.
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Actor } from '../model/actor.js';
import type { App } from '../model/app.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { queueRemoval } from './remove-bytes.js';
import { deleteFileRow } from './store.js';

export async function deleteFile(
  deps: Deps,
  app: App,
  by: { uid: string; sessionId: string } | { actor: Actor },
  fileId: string,
): Promise<void> {
  const ids = { appId: app.id, fileId };
  await deps.prisma.$transaction(async (tx) => {
    if ('uid' in by) await lockUserOfCall(tx, { appId: app.id, ...by });
    const ownerId = 'uid' in by ? by.uid : null;
    if (!(await deleteFileRow(tx, { ...ids, ownerId }))) throw new ApiError('files/not-found');
    await queueRemoval(tx, deps, app.id, [fileId]);
    if ('actor' in by) {
      const entry = { appId: app.id, actor: by.actor, action: 'file.deleted' } as const;
      await writeAuditEntry(tx, deps, { ...entry, target: `file:${fileId}` });
    }
  });
  deps.queue.wake();
}
