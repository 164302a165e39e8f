// POST /files: the bytes first, then the row, so that a row always has its bytes. Size, type and quota are checked as
// soon as they are known; the quota again under a lock, so that parallel uploads cannot exceed it together.
import { limits as apiLimits, errorMap, UploadForm } from '@foyer/contract';
import { queryIn } from '@foyer/prisma';
import type { FileKey } from '../../engines/file-store/index.js';
import { bounds, type CountedRequest, readForm } from '../../engines/http-guard/index.js';
import { consumeBytes, countWrites } from '../../engines/limiter/index.js';
import { changeInTurn } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type Call, sessionIdsOf } from '../model/call.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import type { FileRow, Visibility } from './columns.js';
import { displayName } from './name-rules.js';
import { findBytesOfUser, insertFile } from './store.js';
import { type ByteLimits, type StoredBytes, storeBytes } from './store-bytes.js';

const { fileOverheadBytes } = apiLimits;

/** A signed-in user will own the file; the files of the app's backend have no owner. */
export async function uploadFile(
  deps: Deps,
  call: Call,
  request: Parameters<typeof readForm>[0] & CountedRequest,
): Promise<FileRow> {
  const { app, uid } = call;
  const limits = await limitsOf(deps, call);
  const known = Number(request.headers['content-length'] ?? 0);
  const maxFormBytes = limits.maxBytes + bounds.form.overheadBytes;
  // Before it is counted: nothing of it is written.
  if (known > maxFormBytes) throw new ApiError('files/too-large');
  // Until the response ends.
  const { heldBytes } = deps.fileStore;
  deps.uploadBudget.reserve(request, Math.min(heldBytes, known || heldBytes));
  if (uid !== null) await consumeBytes(deps.limiter, 'file-megabytes', { app, uid }, known);
  const key = { appId: app.id, fileId: deps.random.ulid(deps.clock.now()) };
  let name = '';
  let visibility: Visibility | undefined;
  const countWritten =
    uid === null ? () => {} : countWrites(deps.limiter, 'file-megabytes', { app, uid }, known);
  try {
    const kept = await readForm(request, {
      maxBytes: maxFormBytes,
      onFile(file) {
        name = displayName(file.name);
        return storeBytes(deps, key, file, { ...limits, countWritten });
      },
      onField(field, value) {
        if (field !== 'visibility') return;
        // The last of two would count, and the file might become public unnoticed.
        if (visibility !== undefined) throw wrongVisibility(['must be given once']);
        visibility = visibilityOf(value);
      },
    });
    if (kept === null) throw new ApiError('files/missing-file');
    // Minutes may have passed.
    await call.authorizeAgain();
    return await enter(deps, call, { key, name, visibility: visibility ?? 'private', kept });
  } catch (error) {
    // The cleanup job queued before would remove them later. There may be no bytes yet. After an error of the database the row
    // may exist, if only the confirmation of the commit was lost: the job checks that.
    if (name !== '' && error instanceof ApiError) await deps.fileStore.remove(key).catch(() => {});
    throw error;
  }
}

async function limitsOf(deps: Deps, { app, uid }: Call): Promise<ByteLimits> {
  const { max_bytes, user_quota_bytes, allowed_types } = app.settings.files;
  const limits = { maxBytes: max_bytes, allowedTypes: allowed_types };
  if (uid === null) return { ...limits, leftBytes: null };
  const used = await findBytesOfUser(deps.query, { appId: app.id, uid });
  const leftBytes = user_quota_bytes - used - fileOverheadBytes;
  if (leftBytes < 0) throw new ApiError('files/quota-exceeded');
  return { ...limits, leftBytes };
}

function visibilityOf(value: string): Visibility {
  const visibility = UploadForm.shape.visibility.safeParse(value, { error: errorMap });
  if (visibility.success) return visibility.data;
  throw wrongVisibility(visibility.error.issues.map(({ message }) => message));
}

function wrongVisibility(sentences: string[]): ApiError {
  return new ApiError('request/validation-failed', { fields: { visibility: sentences } });
}

async function enter(
  deps: Deps,
  call: Call,
  { key, name, visibility, kept }: { key: FileKey; name: string; visibility: Visibility; kept: StoredBytes },
): Promise<FileRow> {
  const { app, uid: ownerId, session } = call;
  const createdAt = deps.clock.now();
  const row: FileRow = { appId: app.id, id: key.fileId, ownerId, name, ...kept, visibility, createdAt };
  // The turn is taken after the bytes have arrived.
  await changeInTurn(deps, call, async (tx, record) => {
    if (session) {
      const ids = sessionIdsOf({ app, session });
      // Until the transaction ends, no other upload of the user is counted.
      await lockUserOfCall(tx, ids);
      const used = await findBytesOfUser(queryIn(tx), ids);
      const total = used + kept.size + fileOverheadBytes;
      if (total > app.settings.files.user_quota_bytes) throw new ApiError('files/quota-exceeded');
    } else {
      await record.audit({ action: 'file.uploaded', target: `file:${key.fileId}` });
    }
    await insertFile(tx, row);
  });
  return row;
}
