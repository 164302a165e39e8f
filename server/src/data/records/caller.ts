// The caller of a records endpoint, and the checks of the collection's access mode.
import { ApiError } from '../../lib/api-error.js';
import type { Call } from '../../model/call.js';
import type { SessionIds } from '../../model/session.js';
import type { Collection } from '../collections/collection.js';
import type { RecordRow } from '../query/record-row.js';
import { type Action, accessOf, hidesForeignRecords, type Who } from './access-rules.js';

export type DataCaller = Pick<Call, 'app' | 'actor'> & {
  who: Who;
  /** The signed-in user. */
  user: SessionIds | null;
};

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
