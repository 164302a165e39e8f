// Creates, replaces, merges and deletes a record, each in one transaction that locks, in this order, the caller's account,
// the declaration of the collection, the record, and the totals of the users whom it counts for.
import type { AuditAction } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { lockUserOfCall } from '../../sessions/find-session.js';
import type { Collection, FieldIndex } from '../collections/collection.js';
import { requireCollectionForWrite } from '../collections/find-collection.js';
import { indexKeyOf } from '../query/sort-key.js';
import type { Action } from './access-rules.js';
import { type DataWriter, requireAccess, requireOwner } from './caller.js';
import { mergeFields } from './merge-rules.js';
import { type Preconditions, preconditionsHold } from './preconditions.js';
import { parsed, type RecordRow, valueAt } from './record.js';
import {
  type CollectionScope,
  deleteRecordRow,
  type IndexEntry,
  insertEntries,
  insertRecord,
  type LockedRecord,
  lockRecord,
  type NewContent,
  replaceEntries,
  scopeOf,
  updateRecordRow,
  type WrittenRecord,
} from './store.js';
import { type CountedRecord, usageOfWrite } from './usage-rules.js';
import { type SentFields, validateFields, validateSentFields } from './validate-fields.js';

/** A ULID. */
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

type WriteDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;
type Target = { collection: string; id: string };

type Write = {
  tx: Tx;
  collection: Collection;
  where: CollectionScope;
  caller: DataWriter;
};

export function createRecord(
  deps: WriteDeps,
  caller: DataWriter,
  collection: string,
  sent: SentFields,
): Promise<RecordRow> {
  return inTransaction(deps, caller, collection, 'create', async (write) => {
    const now = deps.clock.now();
    const row = await insert(write, deps.random.ulid(now), { ...validateSentFields(sent), now });
    if (!row) throw new Error('a generated record id is already taken');
    await audit(deps, write, 'record.created', row.id);
    return row;
  });
}

export function replaceRecord(
  deps: WriteDeps,
  caller: DataWriter,
  target: Target,
  sent: SentFields,
  preconditions: Preconditions,
): Promise<{ row: RecordRow; created: boolean }> {
  return inTransaction(deps, caller, target.collection, 'create', async (write) => {
    const content = { ...validateSentFields(sent), now: deps.clock.now() };
    // A concurrent call may create the record between the lookup and the insert, and delete it before the next lookup.
    for (;;) {
      const existing = await lockForChange(write, target.id);
      if (!preconditionsHold(existing?.version ?? null, preconditions)) {
        throw new ApiError('data/precondition-failed');
      }
      const row = existing ? await update(write, existing, content) : await insert(write, target.id, content);
      if (!row) continue;
      await audit(deps, write, existing ? 'record.replaced' : 'record.created', row.id);
      return { row, created: !existing };
    }
  });
}

/** Merges into the record as read under its lock, so that no concurrent merge is lost. */
export function mergeRecord(
  deps: WriteDeps,
  caller: DataWriter,
  target: Target,
  sent: SentFields,
  preconditions: Preconditions,
): Promise<RecordRow> {
  return inTransaction(deps, caller, target.collection, 'change', async (write) => {
    validateSentFields(sent);
    const existing = await requireExisting(write, target.id, preconditions);
    const content = validateFields(mergeFields(parsed(existing).fields, sent.fields));
    const row = await update(write, existing, { ...content, now: deps.clock.now() });
    await audit(deps, write, 'record.updated', row.id);
    return row;
  });
}

export function deleteRecord(
  deps: WriteDeps,
  caller: DataWriter,
  target: Target,
  preconditions: Preconditions,
): Promise<void> {
  return inTransaction(deps, caller, target.collection, 'change', async (write) => {
    const existing = await requireExisting(write, target.id, preconditions);
    const usage = usageOfWrite(existing, null, caller.user?.uid ?? null);
    await deleteRecordRow(write.tx, write.where, target.id, usage);
    await audit(deps, write, 'record.deleted', target.id);
  });
}

function inTransaction<T>(
  deps: WriteDeps,
  caller: DataWriter,
  name: string,
  action: Action,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  const { appId, user } = caller;
  return deps.prisma.$transaction(async (tx) => {
    if (user) await lockUserOfCall(tx, user);
    const collection = await requireCollectionForWrite(tx, appId, name);
    requireAccess(collection, action, caller);
    return work({ tx, collection, where: scopeOf(appId, collection), caller });
  });
}

/** Writes of the app's backend are audited, in the same transaction; writes of users are not. */
async function audit(
  deps: WriteDeps,
  { tx, caller, collection }: Write,
  action: AuditAction,
  id: string,
): Promise<void> {
  const { appId, actor } = caller;
  if (!actor) return;
  // An id that the backend chose may be an email address, which must not enter the audit log.
  const details = ulid.test(id) ? { record: id } : {};
  await writeAuditEntry(tx, deps, { appId, actor, action, target: `collection:${collection.name}`, details });
}

/**
 * Locks and returns the record, or null; refuses the record of another user. That of a deleted account is deleted before its
 * purge does it, which would delete a new one with this id too.
 */
async function lockForChange(write: Write, id: string): Promise<LockedRecord | null> {
  const { tx, where, collection, caller } = write;
  const ownerUid = requireAccess(collection, 'change', caller);
  const existing = await lockRecord(tx, where, id);
  if (existing?.isHidden) {
    await deleteHidden(write, existing);
    return null;
  }
  if (existing) requireOwner(collection, existing, ownerUid);
  return existing;
}

/** Locks the total of the caller too, to which a new record is added: those of a transaction are locked together, in order. */
async function deleteHidden({ tx, where, caller }: Write, record: LockedRecord): Promise<void> {
  const usage = usageOfWrite(record, null, null);
  const uid = caller.user?.uid;
  if (uid !== undefined && usage.deltas.every((delta) => delta.uid !== uid))
    usage.deltas.push({ uid, bytes: 0 });
  await deleteRecordRow(tx, where, record.id, usage);
}

async function requireExisting(
  write: Write,
  id: string,
  preconditions: Preconditions,
): Promise<LockedRecord> {
  const existing = await lockForChange(write, id);
  if (!existing) throw new ApiError('data/not-found');
  if (!preconditionsHold(existing.version, preconditions)) throw new ApiError('data/precondition-failed');
  return existing;
}

async function insert({ tx, where, collection, caller }: Write, id: string, content: NewContent) {
  const ownerUid = caller.user?.uid ?? null;
  const usage = usageOfWrite(null, { ...content, ownerUid }, ownerUid);
  const row = await insertRecord(tx, where, { ...content, id, ownerUid }, usage);
  if (!row) return null;
  requireQuota(caller, row);
  await insertEntries(tx, where, id, entriesOf(collection.indexes, row));
  return row;
}

/** After the write, whose total includes that of every parallel write; the transaction is rolled back. */
function requireQuota({ userQuotaBytes }: DataWriter, { usedBytes }: WrittenRecord): void {
  if (usedBytes !== null && usedBytes > userQuotaBytes) throw new ApiError('data/quota-exceeded');
}

function entriesOf(indexes: FieldIndex[], row: RecordRow): IndexEntry[] {
  if (indexes.length === 0) return [];
  const record = parsed(row);
  return indexes.flatMap(({ number, field }) => {
    const value = valueAt(record, field);
    return value === undefined ? [] : { number, key: indexKeyOf(value) };
  });
}

async function update(
  { tx, where, collection, caller }: Write,
  existing: RecordRow & CountedRecord,
  content: NewContent,
) {
  const after = { ...content, ownerUid: existing.ownerUid };
  const usage = usageOfWrite(existing, after, caller.user?.uid ?? null);
  const row = await updateRecordRow(tx, where, existing.id, content, usage);
  if (!row) throw new Error('a locked record is gone');
  requireQuota(caller, row);
  if (collection.indexes.length > 0) {
    await replaceEntries(tx, where, row.id, entriesOf(collection.indexes, row));
  }
  return row;
}
