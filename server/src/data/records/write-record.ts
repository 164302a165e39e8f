// Creating, replacing, merging and deleting a record: each in one transaction that locks, in this order, the account of
// the call, the declaration of the collection, and the record.
import type { AuditAction } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { lockAccountOfCall } from '../../users/lock-account.js';
import type { Collection } from '../collections/collection.js';
import { collectionForWrite } from '../collections/find-collection.js';
import { acceptFields, acceptSent, type SentFields } from './accept-fields.js';
import type { Action } from './access-rules.js';
import { type DataCaller, requireAccess, requireOwn } from './caller.js';
import { entriesOf } from './index-entries.js';
import { merged } from './merge-rules.js';
import { type Preconditions, preconditionsHold } from './preconditions.js';
import { parsed, type RecordRow } from './record.js';
import {
  deleteRecordRow,
  type InCollection,
  insertEntries,
  insertRecord,
  lockRecord,
  type NewContent,
  replaceEntries,
  updateRecordRow,
} from './store.js';

/** A ULID. */
const madeHere = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

type WriteDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;
type Target = { collection: string; id: string };

type Writing = {
  tx: Prisma.TransactionClient;
  collection: Collection;
  where: InCollection;
  onlyOf: string | null;
  caller: DataCaller;
};

export function createRecord(
  deps: WriteDeps,
  caller: DataCaller,
  collection: string,
  sent: SentFields,
): Promise<RecordRow> {
  return writing(deps, caller, collection, 'create', async (write) => {
    const now = deps.clock.now();
    const row = await insert(write, deps.random.ulid(now), { ...acceptSent(sent), now });
    if (!row) throw new Error('an id that was just made is taken');
    await tell(deps, write, 'record.created', row.id);
    return row;
  });
}

/** `created`: there was no record with this id. */
export function replaceRecord(
  deps: WriteDeps,
  caller: DataCaller,
  target: Target,
  sent: SentFields,
  preconditions: Preconditions,
): Promise<{ row: RecordRow; created: boolean }> {
  return writing(deps, caller, target.collection, 'create', async (write) => {
    const content = { ...acceptSent(sent), now: deps.clock.now() };
    // Another may create the record between the look and the insertion, and delete it before the next look.
    for (;;) {
      const present = await lockForChange(write, target.id);
      if (!preconditionsHold(present?.version ?? null, preconditions)) {
        throw new ApiError('data/precondition-failed');
      }
      const row = present ? await update(write, present, content) : await insert(write, target.id, content);
      if (!row) continue;
      await tell(deps, write, present ? 'record.replaced' : 'record.created', row.id);
      return { row, created: !present };
    }
  });
}

/** What is merged is the record as it is under the lock, so that merges at the same time all land. */
export function mergeRecord(
  deps: WriteDeps,
  caller: DataCaller,
  target: Target,
  sent: SentFields,
  preconditions: Preconditions,
): Promise<RecordRow> {
  return writing(deps, caller, target.collection, 'change', async (write) => {
    acceptSent(sent);
    const present = await requirePresent(write, target.id, preconditions);
    const content = acceptFields(merged(parsed(present).fields, sent.fields));
    const row = await update(write, present, { ...content, now: deps.clock.now() });
    await tell(deps, write, 'record.updated', row.id);
    return row;
  });
}

export function deleteRecord(
  deps: WriteDeps,
  caller: DataCaller,
  target: Target,
  preconditions: Preconditions,
): Promise<void> {
  return writing(deps, caller, target.collection, 'change', async (write) => {
    await requirePresent(write, target.id, preconditions);
    await deleteRecordRow(write.tx, write.where, target.id);
    await tell(deps, write, 'record.deleted', target.id);
  });
}

function writing<T>(
  deps: WriteDeps,
  caller: DataCaller,
  name: string,
  action: Action,
  work: (write: Writing) => Promise<T>,
): Promise<T> {
  const { appId, user } = caller;
  return deps.prisma.$transaction(async (tx) => {
    if (user && !(await lockAccountOfCall(tx, user))) throw new ApiError('auth/invalid-token');
    const collection = await collectionForWrite(tx, appId, name);
    const onlyOf = requireAccess(collection, action, caller);
    return work({ tx, collection, where: { appId, collectionId: collection.id }, onlyOf, caller });
  });
}

/** What the app's backend writes is told, in the same transaction; what users write to their records is not. */
async function tell(
  deps: WriteDeps,
  { tx, caller, collection }: Writing,
  action: AuditAction,
  id: string,
): Promise<void> {
  const { appId, actor } = caller;
  if (!actor) return;
  // An id that the backend chose may be an email, which the audit log never holds.
  const details = madeHere.test(id) ? { record: id } : {};
  await writeAuditEntry(tx, deps, { appId, actor, action, target: `collection:${collection.name}`, details });
}

/** The record, locked, if there is one; `data/not-found` and `data/permission-denied` for another's. */
async function lockForChange({ tx, where, collection, caller }: Writing, id: string) {
  const onlyOf = requireAccess(collection, 'change', caller);
  const present = await lockRecord(tx, where, id);
  if (present) requireOwn(collection, present, onlyOf);
  return present;
}

async function requirePresent(write: Writing, id: string, preconditions: Preconditions): Promise<RecordRow> {
  const present = await lockForChange(write, id);
  if (!present) throw new ApiError('data/not-found');
  if (!preconditionsHold(present.version, preconditions)) throw new ApiError('data/precondition-failed');
  return present;
}

async function insert({ tx, where, collection, caller }: Writing, id: string, content: NewContent) {
  const row = await insertRecord(tx, where, { ...content, id, ownerUid: caller.user?.uid ?? null });
  if (row && collection.indexes.length > 0) {
    await insertEntries(tx, where, id, entriesOf(collection.indexes, parsed(row)));
  }
  return row;
}

async function update({ tx, where, collection }: Writing, present: RecordRow, content: NewContent) {
  const row = await updateRecordRow(tx, where, present.id, content);
  if (collection.indexes.length > 0) {
    await replaceEntries(tx, where, row.id, entriesOf(collection.indexes, parsed(row)));
  }
  return row;
}
