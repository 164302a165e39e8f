// `admin.users`: the users of the app.

import type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
import type {
  AdminUser,
  ImportReport,
  ImportUser,
  NewUser,
  UserPatch,
  UserQuery,
} from '../generated/admin-models.js';
import type { Identity, PageQuery, PushDevice, SessionInfo } from '../generated/models.js';
import { type AdminCall, listPages, type OnceOptions } from './call.js';

export interface AdminUsers {
  /**
   * Lists the users, at constant cost per page. Concurrent changes cause no duplicates or gaps.
   *
   * @example
   * for await (const user of admin.users.list({ q: 'ada', disabled: false })) console.log(user.email);
   */
  list(query?: UserQuery, options?: RepeatableCallOptions): PageList<AdminUser>;
  /** Creates a user, even when sign-up is disabled. */
  create(user: NewUser, options?: OnceOptions): Promise<AdminUser>;
  /** Creates up to 1,000 users; each failure is reported individually. Passwords cannot be imported. */
  import(users: readonly ImportUser[], options?: OnceOptions): Promise<ImportReport>;
  /** Rejects with `auth/user-not-found` when the user does not exist. */
  get(uid: string, options?: RepeatableCallOptions): Promise<AdminUser>;
  /** Changes the given fields; `null` clears one. A new password, or `disabled: true`, ends every session. Not retried. */
  update(uid: string, patch: UserPatch, options?: CallOptions): Promise<AdminUser>;
  /** Deletes the user as `me.delete` does. The email is available again at once. */
  delete(uid: string, options?: RepeatableCallOptions): Promise<void>;
  /** Replaces all custom claims; `{}` clears them. Included in access tokens from the next refresh or sign-in. */
  setClaims(
    uid: string,
    claims: Record<string, unknown>,
    options?: RepeatableCallOptions,
  ): Promise<AdminUser>;
  /** Revokes every session of the user, including v1 tokens, at once. */
  revokeSessions(uid: string, options?: OnceOptions): Promise<void>;
  /** The user's sessions, most recently used first; `current` is always false. */
  sessions(uid: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<SessionInfo>;
  /** Revokes one session at once. */
  endSession(uid: string, id: string, options?: RepeatableCallOptions): Promise<void>;
  /** The user's linked provider accounts. */
  identities(uid: string, options?: RepeatableCallOptions): PageList<Identity>;
  /** The user's push devices, newest first. */
  devices(uid: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<PushDevice>;
}

/** @internal */
export function createAdminUsers(call: AdminCall): AdminUsers {
  const one = (uid: string) => ({ params: { uid } });
  return {
    list: (query, options) => listPages<AdminUser>(call, 'GET /admin/users', { query }, options),
    create: (user, options) => call<AdminUser>('POST /admin/users', { body: user }, options),
    import: (users, options) => call<ImportReport>('POST /admin/users/import', { body: { users } }, options),
    get: (uid, options) => call<AdminUser>('GET /admin/users/:uid', one(uid), options),
    update: (uid, patch, options) =>
      call<AdminUser>('PATCH /admin/users/:uid', { ...one(uid), body: patch }, options),
    delete: (uid, options) => call<void>('DELETE /admin/users/:uid', one(uid), options),
    setClaims: (uid, claims, options) =>
      call<AdminUser>('PUT /admin/users/:uid/claims', { ...one(uid), body: { claims } }, options),
    revokeSessions: (uid, options) => call<void>('POST /admin/users/:uid/revoke-sessions', one(uid), options),
    sessions: (uid, query, options) =>
      listPages<SessionInfo>(call, 'GET /admin/users/:uid/sessions', { ...one(uid), query }, options),
    endSession: (uid, id, options) =>
      call<void>('DELETE /admin/users/:uid/sessions/:id', { params: { uid, id } }, options),
    identities: (uid, options) =>
      listPages<Identity>(call, 'GET /admin/users/:uid/identities', one(uid), options),
    devices: (uid, query, options) =>
      listPages<PushDevice>(call, 'GET /admin/users/:uid/devices', { ...one(uid), query }, options),
  };
}
