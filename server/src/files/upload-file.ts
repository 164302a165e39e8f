// POST /files: the bytes first, then the row, so that a row always has its bytes. Size, type and quota are checked as
// soon as they are known; the quota again under a lock, so that parallel uploads cannot exceed it together.
import { limits as apiLimits, errorMap, UploadForm } from '@foyer/contract';
import { queryIn } from '@foyer/prisma';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { FileKey } from '../lib/files/file-store.js';
import type { Actor } from '../model/actor.js';
import type { App } from '../model/app.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { displayName } from './name-rules.js';
import { formOverheadBytes, readForm } from './read-form.js';
import { type FileRow, findBytesOfUser, insertFile, type Visibility } from './store.js';
import { type ByteLimits, type StoredBytes, storeBytes } from './store-bytes.js';

const { fileOverheadBytes } = apiLimits;

/** A signed-in user, who will own the file, or the app's backend, whose files have no owner. */
export type Uploader = { uid: string; sessionId: string } | { actor: Actor };

export async function uploadFile(
  deps: Deps,
  { app, authorizeAgain }: { app: App; authorizeAgain(): Promise<void> },
  uploader: Uploader,
  request: Parameters<typeof readForm>[0],
): Promise<FileRow> {
  const limits = await limitsOf(deps, app, uploader);
  const key = { appId: app.id, fileId: deps.random.ulid(deps.clock.now()) };
  let name = '';
  let visibility: Visibility | undefined;
  try {
    const kept = await readForm(request, {
      maxBytes: limits.maxBytes + formOverheadBytes,
      onFile(file) {
        name = displayName(file.name);
        return storeBytes(deps, key, file, limits);
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
    await authorizeAgain();
    return await enter(deps, app, uploader, { key, name, visibility: visibility ?? 'private', kept });
  } catch (error) {
    // The cleanup job queued before would remove them later. There may be no bytes yet. After an error of the database the row
    // may exist, if only the confirmation of the commit was lost: the job checks that.
    if (name !== '' && error instanceof ApiError) await deps.fileStore.remove(key).catch(() => {});
    throw error;
  }
}

async function limitsOf(deps: Deps, app: App, uploader: Uploader): Promise<ByteLimits> {
  const { max_bytes, user_quota_bytes, allowed_types } = app.settings.files;
  const limits = { maxBytes: max_bytes, allowedTypes: allowed_types };
  if ('actor' in uploader) return { ...limits, leftBytes: null };
  const used = await findBytesOfUser(deps.query, { appId: app.id, uid: uploader.uid });
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
  app: App,
  uploader: Uploader,
  { key, name, visibility, kept }: { key: FileKey; name: string; visibility: Visibility; kept: StoredBytes },
): Promise<FileRow> {
  const ownerId = 'uid' in uploader ? uploader.uid : null;
  const row: FileRow = {
    appId: app.id,
    id: key.fileId,
    ownerId,
    name,
    ...kept,
    visibility,
    createdAt: deps.clock.now(),
  };
  await deps.prisma.$transaction(async (tx) => {
    if ('uid' in uploader) {
      const ids = { appId: app.id, ...uploader };
      // Until the transaction ends, no other upload of the user is counted.
      await lockUserOfCall(tx, ids);
      const used = await findBytesOfUser(queryIn(tx), ids);
      const total = used + kept.size + fileOverheadBytes;
      if (total > app.settings.files.user_quota_bytes) throw new ApiError('files/quota-exceeded');
    } else {
      const entry = { appId: app.id, actor: uploader.actor, action: 'file.uploaded' } as const;
      await writeAuditEntry(tx, deps, { ...entry, target: `file:${key.fileId}` });
    }
    await insertFile(tx, row);
  });
  return row;
}
