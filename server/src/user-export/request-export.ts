// POST and GET /me/export and /admin/users/{uid}/export: the request of an export, and its state.
import { limits, type UserExport } from '@foyer/contract';
import { lockUser, type UserIds } from '../accounts/account.js';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import { queueRemoval } from '../files/remove-bytes.js';
import { deleteFileRow } from '../files/store.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { ApiError } from '../lib/api-error.js';
import { hourMilliseconds, timestamp } from '../lib/timestamp.js';
import { type Call, sessionIdsOf } from '../model/call.js';
import { requireLiveSession } from '../sessions/find-session.js';
import { type ExportRow, findExport, findRequestTime, insertExport } from './store.js';
import { queueExport } from './write-export.js';

const pauseMilliseconds = limits.userExportPauseHours * hourMilliseconds;

/**
 * A repeated request returns the export that is being written, so that a lost answer costs nothing. A user waits a day between
 * two exports, whoever requested the first; the backend and members do not.
 */
export async function requestExport(
  deps: Deps,
  call: Call,
  uid: string,
  keep?: StoreResponse<UserExport>,
): Promise<UserExport> {
  const { app, session } = call;
  const ids = { appId: app.id, uid };
  return change(deps, call, async (tx, record) => {
    if (!(await lockUser(tx, ids)))
      throw new ApiError(session ? 'auth/invalid-token' : 'auth/user-not-found');
    if (session) await requireLiveSession(tx, sessionIdsOf({ app, session }));
    const now = deps.clock.now();
    const found = await findExport(tx, ids);
    if (session && found?.fileId !== null) await requirePause(await findRequestTime(tx, ids), now);
    let row = found;
    const isNew = row === null || row.fileId !== null;
    if (row === null || row.fileId !== null) {
      if (row?.fileId && (await deleteFileRow(tx, { ...ids, fileId: row.fileId, ownerId: uid }))) {
        await queueRemoval(tx, deps, app.id, [row.fileId]);
      }
      const id = deps.random.ulid(now);
      await insertExport(tx, { ...ids, id }, now);
      await queueExport(tx, deps, { ...ids, id });
      row = { id, requestedAt: now, fileId: null, size: null, expiresAt: null };
    }
    // A user who repeats the request could fill the audit log while the file is being written.
    if (isNew || !session) await record.audit({ action: 'user.export_requested', uid });
    const answer = serializeExport(row);
    await keep?.(tx, answer);
    return answer;
  });
}

export async function readExport(deps: Pick<Deps, 'prisma'>, ids: UserIds): Promise<UserExport> {
  return serializeExport(await findExport(deps.prisma, ids));
}

/** A request from after `now` was made before the clock stepped back, and counts as one of now. */
function requirePause(requestedAt: Date | null, now: Date): void {
  if (!requestedAt) return;
  const passed = Math.max(0, now.getTime() - requestedAt.getTime());
  if (passed >= pauseMilliseconds) return;
  throw new ApiError('request/rate-limited', { retryAfterSeconds: (pauseMilliseconds - passed) / 1_000 });
}

function serializeExport(row: ExportRow | null): UserExport {
  return {
    status: row === null ? 'none' : row.fileId === null ? 'pending' : 'ready',
    requested_at: row && timestamp(row.requestedAt),
    file_id: row?.fileId ?? null,
    size: row?.size ?? null,
    expires_at: row?.expiresAt ? timestamp(row.expiresAt) : null,
  };
}
