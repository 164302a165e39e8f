// The caller of a records endpoint, and the checks of the collection's access mode.
import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import type { Collection } from '../collections/collection.js';
import { type Action, accessOf, hidesForeignRecords, type Who } from './access-rules.js';
import type { RecordRow } from './record.js';

export type DataCaller = {
  appId: string;
  who: Who;
  /** The signed-in user. */
  user: { appId: string; uid: string; sessionId: string } | null;
  /** Set for the backend, whose writes are audited. */
  actor?: Actor | undefined;
};

/** `userQuotaBytes`: the maximum total size of the records that count for the user. */
export type DataWriter = DataCaller & { userQuotaBytes: number };

/** The uid whose records the call is restricted to; null for all records. */
export function requireAccess(
  collection: Collection,
  action: Action,
  caller: Pick<DataCaller, 'who' | 'user'>,
): string | null {
  const access = accessOf(collection.accessMode, action, caller.who);
  if (access === 'denied') throw new ApiError('data/permission-denied');
  // An access token might be allowed, so the error says that it is missing.
  if (access === 'sign-in') throw new ApiError('auth/invalid-token');
  return access === 'own' ? (caller.user?.uid ?? '') : null;
}

/** Refuses the record of another user where the call is restricted to `ownerUid`. */
export function requireOwner(collection: Collection, record: RecordRow, ownerUid: string | null): void {
  if (ownerUid === null || record.ownerUid === ownerUid) return;
  throw new ApiError(
    hidesForeignRecords(collection.accessMode) ? 'data/not-found' : 'data/permission-denied',
  );
}
