// Creates, replaces, merges and deletes a record, each in one transaction that locks, in this order, the caller's account,
// the declaration of the collection, the record, and the totals of the users whom it counts for.
import type { AuditAction } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { type FieldIndex, indexKeyOf } from '../../../engines/document-query/index.js';
import { type ChangeRecord, change } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { lockUserOfCall } from '../../sessions/find-session.js';
import type { Collection } from '../collections/collection.js';
import { requireCollectionForWrite } from '../collections/find-collection.js';
import { parsed, type RecordRow, valueAt } from '../query/record-row.js';
import type { CollectionScope } from '../query/store.js';
import type { Action } from './access-rules.js';
import { type DataCaller, requireAccess, requireOwner } from './caller.js';
import { mergeFields } from './merge-rules.js';
import { type Preconditions, preconditionsHold } from './preconditions.js';
import {
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
import { firstVersion } from './version-rules.js';

/** A ULID. */
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

type Target = { collection: string; id: string; preconditions: Preconditions };

type Write = {
  tx: Tx;
  collection: Collection;
  where: CollectionScope;
  caller: DataCaller;
  record: ChangeRecord;
};

export function createRecord(
  deps: Deps,
  caller: DataCaller,
  collection: string,
  sent: SentFields,
): Promise<RecordRow> {
  return inTransaction(deps, caller, { name: collection, action: 'create' }, async (write) => {
    const now = deps.clock.now();
    const row = await insert(
      write,
      { id: deps.random.ulid(now), version: 1 },
      { ...validateSentFields(sent), now },
    );
    if (!row) throw new Error('a generated record id is already taken');
    await audit(write, 'record.created', row.id);
    return row;
  });
}

export function replaceRecord(
  deps: Deps,
  caller: DataCaller,
  target: Target,
  sent: SentFields,
): Promise<{ row: RecordRow; created: boolean }> {
  return inTransaction(deps, caller, { name: target.collection, action: 'create' }, async (write) => {
    const content = { ...validateSentFields(sent), now: deps.clock.now() };
    // A concurrent call may create the record between the lookup and the insert, and delete it before the next lookup.
    for (;;) {
      const existing = await lockForChange(write, target.id);
      if (!preconditionsHold(existing?.version ?? null, target.preconditions)) {
        throw new ApiError('data/precondition-failed');
      }
      const created = { id: target.id, version: firstVersion(deps.random) };
      const row = existing ? await update(write, existing, content) : await insert(write, created, content);
      if (!row) continue;
      await audit(write, existing ? 'record.replaced' : 'record.created', row.id);
      return { row, created: !existing };
    }
  });
}

/**
 * Merges into the record as read under its lock, so that no concurrent merge is lost. `onWrite` is told the size of what is
 * written, also where the quota then refuses it.
 */
export function mergeRecord(
  deps: Deps,
  caller: DataCaller,
  { onWrite, ...target }: Target & { onWrite(bytes: number): void },
  sent: SentFields,
): Promise<RecordRow> {
  return inTransaction(deps, caller, { name: target.collection, action: 'change' }, async (write) => {
    validateSentFields(sent);
    const existing = await requireExisting(write, target);
    const content = validateFields(mergeFields(parsed(existing).fields, sent.fields));
    onWrite(content.bytes);
    const row = await update(write, existing, { ...content, now: deps.clock.now() });
    await audit(write, 'record.updated', row.id);
    return row;
  });
}

export function deleteRecord(deps: Deps, caller: DataCaller, target: Target): Promise<void> {
  return inTransaction(deps, caller, { name: target.collection, action: 'change' }, async (write) => {
    const existing = await requireExisting(write, target);
    const usage = usageOfWrite(existing, null, caller.user?.uid ?? null);
    await deleteRecordRow(write.tx, write.where, target.id, usage);
    await audit(write, 'record.deleted', target.id);
  });
}

function inTransaction<T>(
  deps: Deps,
  caller: DataCaller,
  { name, action }: { name: string; action: Action },
  work: (write: Write) => Promise<T>,
): Promise<T> {
  const { app, user } = caller;
  return change(deps, caller, async (tx, record) => {
    if (user) await lockUserOfCall(tx, user);
    const collection = await requireCollectionForWrite(tx, app.id, name);
    requireAccess(collection, action, caller);
    return work({ tx, collection, where: scopeOf(app.id, collection), caller, record });
  });
}

/** Writes of the app's backend are audited, in the same transaction; writes of users are not. */
async function audit({ record, caller, collection }: Write, action: AuditAction, id: string): Promise<void> {
  if (caller.who !== 'backend') return;
  // An id that the backend chose may be an email address, which must not enter the audit log.
  const details = ulid.test(id) ? { record: id } : {};
  await record.audit({ action, target: `collection:${collection.name}`, details });
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

async function requireExisting(write: Write, { id, preconditions }: Target): Promise<LockedRecord> {
  const existing = await lockForChange(write, id);
  if (!existing) throw new ApiError('data/not-found');
  if (!preconditionsHold(existing.version, preconditions)) throw new ApiError('data/precondition-failed');
  return existing;
}

async function insert(
  { tx, where, collection, caller }: Write,
  record: { id: string; version: number },
  content: NewContent,
) {
  const ownerUid = caller.user?.uid ?? null;
  const usage = usageOfWrite(null, { ...content, ownerUid }, ownerUid);
  const row = await insertRecord(tx, where, { ...content, ...record, ownerUid }, usage);
  if (!row) return null;
  requireQuota(caller, row);
  await insertEntries(tx, where, record.id, entriesOf(collection.indexes, row));
  return row;
}

/** Checks after the write, whose total includes that of every parallel write; the transaction is rolled back. */
function requireQuota({ app }: DataCaller, { usedBytes }: WrittenRecord): void {
  if (usedBytes !== null && usedBytes > app.settings.data.user_quota_bytes)
    throw new ApiError('data/quota-exceeded');
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
  const row = await updateRecordRow(tx, where, { ...content, id: existing.id }, usage);
  if (!row) throw new Error('a locked record is gone');
  requireQuota(caller, row);
  if (collection.indexes.length > 0) {
    await replaceEntries(tx, where, row.id, entriesOf(collection.indexes, row));
  }
  return row;
}
