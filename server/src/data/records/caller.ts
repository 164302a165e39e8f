// Who calls, as the access modes tell callers apart, and what the mode of a collection lets them do.

import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import type { Collection } from '../collections/collection.js';
import { type Action, accessOf, hidesOthers, type Who } from './access-rules.js';
import type { RecordRow } from './record.js';

export type DataCaller = {
  appId: string;
  who: Who;
  /** The signed-in user. */
  user: { appId: string; uid: string; sessionId: string } | null;
  /** The backend, whose writes are in the audit log. */
  actor?: Actor | undefined;
};

/** The user whose records alone the call may touch; null where it may touch all. */
export function requireAccess(collection: Collection, action: Action, caller: DataCaller): string | null {
  const access = accessOf(collection.accessMode, action, caller.who);
  if (access === 'denied') throw new ApiError('data/permission-denied');
  // A token would help, so what is missing is named as one.
  if (access === 'sign-in') throw new ApiError('auth/invalid-token');
  return access === 'own' ? (caller.user?.uid ?? '') : null;
}

/** Refuses the record of another where the call may touch the own ones alone. */
export function requireOwn(collection: Collection, record: RecordRow, onlyOf: string | null): void {
  if (onlyOf === null || record.ownerUid === onlyOf) return;
  throw new ApiError(hidesOthers(collection.accessMode) ? 'data/not-found' : 'data/permission-denied');
}
