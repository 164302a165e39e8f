// Jobs that write the export of a user as a private file, and delete it when it expires. The bytes come first, under an id of their
// own in each attempt, and the row of the file last: a crash leaves bytes that the cleanup of uploads removes.
import { createHash } from 'node:crypto';
import { limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { lockUser } from '../accounts/account.js';
import { change, transaction } from '../change.js';
import type { Deps } from '../deps.js';
import { queueRemoval, queueUploadCleanup } from '../files/remove-bytes.js';
import { deleteFileRow, insertFile } from '../files/store.js';
import { dayMilliseconds } from '../lib/timestamp.js';
import { theService } from '../model/actor.js';
import type { App } from '../model/app.js';
import { exportPieces } from './export-pieces.js';
import { completeExport, deleteExport, type ExportKey, findExport } from './store.js';

const exportJobs = 'user_export';
const expiryJobs = 'user_export_expiry';

type ExpiryJob = ExportKey & { fileId: string };

/** About a day: the database or the file store may be away for a night. Few at a time, since each reads many rows. */
const retries = { concurrency: 2, retryLimit: 12, retryDelaySeconds: 10, expireSeconds: 900 };

type Written = { fileId: string; size: number; sha256: Buffer };

/** In the transaction of the request. */
export async function queueExport(tx: Tx, deps: Pick<Deps, 'queue'>, job: ExportKey): Promise<void> {
  await deps.queue.send(tx, exportJobs, job);
}

export function writeExports(deps: Deps): void {
  deps.queue.handle<ExportKey>(
    exportJobs,
    {
      run: (job) => writeExport(deps, job),
      // The user can request another one at once.
      failed: (job) => deleteExport(deps.prisma, job),
    },
    retries,
  );
  deps.queue.handle<ExpiryJob>(expiryJobs, (job) => expire(deps, job), retries);
}

/** Does nothing for an account that was deleted, and for a request that was replaced or completed. */
async function writeExport(deps: Deps, job: ExportKey): Promise<void> {
  const app = await deps.apps.byId(job.appId);
  const row = await findExport(deps.prisma, job);
  if (!app || row?.id !== job.id || row.fileId !== null) return;
  const now = deps.clock.now();
  const file = await writeBytes(deps, app, job, now);
  if (!(await complete(deps, app, job, { ...file, now }))) {
    await deps.fileStore.remove({ appId: app.id, fileId: file.fileId });
  }
}

async function writeBytes(deps: Deps, app: App, { appId, uid }: ExportKey, now: Date): Promise<Written> {
  const key = { appId, fileId: deps.random.ulid(now) };
  await queueUploadCleanup(deps, key);
  const hash = createHash('sha256');
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const text of exportPieces(deps, app, uid, now)) {
      const piece = Buffer.from(text);
      size += piece.length;
      if (size > limits.fileBytes.max) throw new Error('the data of a user is larger than a file may be');
      hash.update(piece);
      yield piece;
    }
  }
  await deps.fileStore.write(key, measured());
  return { fileId: key.fileId, size, sha256: hash.digest() };
}

async function complete(
  deps: Deps,
  app: App,
  job: ExportKey,
  { now, ...file }: Written & { now: Date },
): Promise<boolean> {
  const { uid } = job;
  const expiresAt = new Date(now.getTime() + limits.userExportDays * dayMilliseconds);
  return change(deps, { app, actor: theService }, async (tx, record) => {
    const account = await lockUser(tx, job);
    const { fileId, size, sha256 } = file;
    if (!account || !(await completeExport(tx, job, { fileId, size, expiresAt }))) return false;
    await insertFile(tx, {
      ...{ appId: app.id, id: fileId, ownerId: uid, size, sha256 },
      name: `export-${now.toISOString().slice(0, 10)}.json`,
      contentType: 'application/json',
      visibility: 'private',
      createdAt: now,
    });
    const expiry: ExpiryJob = { ...job, fileId };
    const startAfterSeconds = (limits.userExportDays * dayMilliseconds) / 1_000;
    await deps.queue.send(tx, expiryJobs, expiry, { startAfterSeconds });
    // A disabled user could not sign in to download it.
    if (!account.disabled) await record.mail(app, { kind: 'export_ready', to: account.email });
    return true;
  });
}

/** An export that was replaced has no file any more. */
async function expire(deps: Deps, { appId, uid, id, fileId }: ExpiryJob): Promise<void> {
  await transaction(deps, async (tx) => {
    await deleteExport(tx, { appId, uid, id });
    if (!(await deleteFileRow(tx, { appId, fileId, ownerId: uid }))) return;
    await queueRemoval(tx, deps, appId, [fileId]);
  });
}
