// The calls of a team member. Generated from the contract by `npm run generate`. Do not edit.
import type { CallTable, OnceOptions, Tagged } from '../admin/typed-client.js';
import type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
import type { AuditEntry, AuditLogQuery, MailDraft } from './admin-models.js';
import type {
  ConsoleCreateAppInput,
  ConsoleDataCreateAnswer,
  ConsoleDataCreateInput,
  ConsoleDataQueryAnswer,
  ConsoleDataQueryInput,
  ConsoleGetSettingsAnswer,
  ConsoleInvitationsAcceptInput,
  ConsoleInvitationsInspectAnswer,
  ConsoleInvitationsInspectInput,
  ConsoleInviteAnswer,
  ConsoleInviteInput,
  ConsoleKeysCreateAnswer,
  ConsoleKeysCreateInput,
  ConsoleKeysListItem,
  ConsoleListAppsInput,
  ConsoleListAppsItem,
  ConsoleListInvitationsItem,
  ConsoleListMembersItem,
  ConsoleListOwnersItem,
  ConsoleListTracesAnswer,
  ConsoleMeAnswer,
  ConsoleProfileConfirmVerificationInput,
  ConsoleSettingsTestMailAnswer,
  ConsoleUpdateAppInput,
  ConsoleUpdateMemberInput,
  ConsoleUpdateSettingsInput,
} from './console-models.js';
import type { PageQuery, PasswordChange, ProfilePatch, SessionInfo, TokenAnswer, User } from './models.js';

export interface ConsolePasswords {
  /**
   * Change or set the password of the signed-in user. Requires a recent sign-in or the correct
   * `current_password`; an account without a password, or with a second factor, requires a recent
   * sign-in. Ends all other sessions.
   */
  change(body: PasswordChange, options?: RepeatableCallOptions): Promise<void>;
}

export interface ConsoleSessions {
  /**
   * End the current session. Ends only the session of the access token; other devices stay signed
   * in.
   */
  signOut(options?: RepeatableCallOptions): Promise<void>;
  /** List the user's active sessions. The most recently used session first. */
  list(query?: PageQuery, options?: RepeatableCallOptions): PageList<SessionInfo>;
  /** End one of the user's sessions. The current session can also be ended. */
  end(id: string, options?: RepeatableCallOptions): Promise<void>;
}

export interface ConsoleProfile {
  /**
   * Change the profile of the signed-in user. Changes only the fields that are sent; null clears a
   * field. Changes are limited to 60 an hour; sending the present values is no change.
   */
  update(body: ProfilePatch, options?: CallOptions): Promise<User>;
  /**
   * Confirm an emailed verification code. Confirms the pending change of email if there is one,
   * otherwise the current email; with `X-Code-Flow`, whichever the identified code was emailed for.
   */
  confirmVerification(
    body: ConsoleProfileConfirmVerificationInput,
    options?: RepeatableCallOptions,
  ): Promise<User>;
}

export interface ConsoleSettings {
  /**
   * Send a test mail. Mails the preview of `POST /admin/settings/preview-mail` to the calling team
   * member; the sample code is not valid. At most 5 mails per hour by default (policy
   * `notice-email`).
   */
  testMail(body: MailDraft, options?: OnceOptions): Promise<ConsoleSettingsTestMailAnswer>;
}

export interface ConsoleKeys {
  /** List the secret keys. Revoked and expired keys included, newest first. */
  list(query?: PageQuery, options?: RepeatableCallOptions): PageList<ConsoleKeysListItem>;
  /** Create a secret key. The key is returned once. An app has at most 100 active keys. */
  create(body: ConsoleKeysCreateInput, options?: OnceOptions): Promise<ConsoleKeysCreateAnswer>;
  /** Revoke a secret key. Effective at once on every instance; it cannot be undone. */
  revoke(id: string, options?: RepeatableCallOptions): Promise<void>;
}

export interface ConsoleData {
  /**
   * Create a record. The service generates the id; the signed-in user becomes the owner. A record
   * counts towards the quota of the user who created it. In the mode `shared`, a record that another
   * user makes larger counts towards that user's quota from then on. Writes with a secret key are
   * never refused because of a quota.
   */
  create(
    collection: string,
    body: ConsoleDataCreateInput,
    options?: RepeatableCallOptions,
  ): Promise<Tagged<ConsoleDataCreateAnswer>>;
  /**
   * List the records of a collection. Sorted by id. In the mode `owner` a user sees only their own
   * records. A page ends with the record that brings the size of its fields to 1024 KiB, regardless
   * of `limit`: it may contain fewer records, and `next_cursor` leads to the next page.
   */
  list(
    collection: string,
    query?: PageQuery,
    options?: RepeatableCallOptions,
  ): PageList<ConsoleDataCreateAnswer>;
  /**
   * Read a record. In the mode `owner` a record of another user is treated as one that does not
   * exist.
   */
  get(
    collection: string,
    id: string,
    options?: RepeatableCallOptions,
  ): Promise<Tagged<ConsoleDataCreateAnswer>>;
  /**
   * Replace a record, or create it with this id. Replaces all fields. With `If-Match` and the last
   * `ETag`, the call fails if the record has changed since; with `If-None-Match: *`, it fails if the
   * record exists. A record that is created is audited as `record.created`, and a replaced one as
   * below.
   */
  replace(
    collection: string,
    id: string,
    body: ConsoleDataCreateInput,
    options?: RepeatableCallOptions & {
      /**
       * An `ETag`, or `*` for any: the call succeeds only if the record exists and matches. Versions of
       * a record that is deleted and created again with the same id start at a random number, so an old
       * `ETag` does not match.
       */
      ifMatch?: string | undefined;
      /**
       * `*`: the call succeeds only if the record does not exist; an `ETag`: only if it does not match
       * the record.
       */
      ifNoneMatch?: string | undefined;
    },
  ): Promise<Tagged<ConsoleDataCreateAnswer>>;
  /**
   * Merge fields into a record. Objects are merged key by key at every depth; arrays and other
   * values are replaced; null is stored as null. Concurrent merges are all applied.
   */
  merge(
    collection: string,
    id: string,
    body: ConsoleDataCreateInput,
    options?: CallOptions & {
      /**
       * An `ETag`, or `*` for any: the call succeeds only if the record exists and matches. Versions of
       * a record that is deleted and created again with the same id start at a random number, so an old
       * `ETag` does not match.
       */
      ifMatch?: string | undefined;
      /**
       * An `ETag`: the call succeeds only if it does not match the record. With `*` the call always
       * fails, because it requires the record.
       */
      ifNoneMatch?: string | undefined;
    },
  ): Promise<Tagged<ConsoleDataCreateAnswer>>;
  /** Delete a record. The deletion cannot be undone. */
  delete(
    collection: string,
    id: string,
    options?: RepeatableCallOptions & {
      /**
       * An `ETag`, or `*` for any: the call succeeds only if the record exists and matches. Versions of
       * a record that is deleted and created again with the same id start at a random number, so an old
       * `ETag` does not match.
       */
      ifMatch?: string | undefined;
      /**
       * An `ETag`: the call succeeds only if it does not match the record. With `*` the call always
       * fails, because it requires the record.
       */
      ifNoneMatch?: string | undefined;
    },
  ): Promise<void>;
  /**
   * Find records by their fields. Filters and sorts like Firestore. Values sort null < boolean <
   * number < string < array < object: strings by their UTF-8 bytes, arrays element by element,
   * objects by their keys and then by their values. A value longer than 1,500 bytes is sorted by its
   * first 1,500 bytes. In the mode `owner` a query returns only the records of the user.
   */
  query(
    collection: string,
    body: ConsoleDataQueryInput,
    options?: RepeatableCallOptions,
  ): Promise<ConsoleDataQueryAnswer>;
}

export interface Console {
  /**
   * Read the signed-in member. The profile, email, password and sessions of a member are changed
   * like those of any user (`/me`).
   */
  me(options?: RepeatableCallOptions): Promise<ConsoleMeAnswer>;
  /**
   * List the member's apps. The apps in which the member has a role, oldest first; for an owner of
   * the service, all apps.
   */
  listApps(query?: ConsoleListAppsInput, options?: RepeatableCallOptions): PageList<ConsoleListAppsItem>;
  /** Read one of the member's apps. Also returns apps that are disabled. */
  getApp(appId: string, options?: RepeatableCallOptions): Promise<ConsoleListAppsItem>;
  /**
   * Create an app. For owners of the service. The app has no secret key yet; create one with `POST
   * /admin/keys`.
   */
  createApp(body: ConsoleCreateAppInput, options?: OnceOptions): Promise<ConsoleListAppsItem>;
  /**
   * Rename, disable or enable an app. Disabled, the app rejects every call with its keys
   * (`request/invalid-app-key`) within five seconds; nothing is deleted, and sessions continue when
   * it is enabled again. Members still reach it with `/console`. Recorded as `app.disabled` and
   * `app.enabled`, and a new name as below. The app `console` cannot be changed.
   */
  updateApp(appId: string, body: ConsoleUpdateAppInput, options?: CallOptions): Promise<ConsoleListAppsItem>;
  /**
   * List the members of an app. Oldest first. Owners of the service belong to every app; they are
   * the members of the app `console`.
   */
  listMembers(
    appId: string,
    query?: PageQuery,
    options?: RepeatableCallOptions,
  ): PageList<ConsoleListMembersItem>;
  /**
   * List the owners of the service. Oldest first. They own every app, without being listed among its
   * members.
   */
  listOwners(
    appId: string,
    query?: PageQuery,
    options?: RepeatableCallOptions,
  ): PageList<ConsoleListOwnersItem>;
  /**
   * Invite a member. Mails a link that can be accepted once within 7 days. Another invitation of the
   * same email replaces the one before. An app has at most 200 members and pending invitations. The
   * app `console` has owners only. A member, and the app, can send 30 invitations an hour and 100 a
   * day.
   */
  invite(appId: string, body: ConsoleInviteInput, options?: OnceOptions): Promise<ConsoleInviteAnswer>;
  /**
   * Change the role of a member. Effective with the next call of the member. A member who is no
   * longer an owner loses the pending invitations that the member sent for the app. Members of the
   * app `console` are owners and cannot have another role.
   */
  updateMember(
    appId: string,
    uid: string,
    body: ConsoleUpdateMemberInput,
    options?: CallOptions,
  ): Promise<ConsoleListMembersItem>;
  /**
   * Remove a member. Effective with the next call of the member, whose pending invitations are
   * revoked: those that the member sent for the app, or for every app when an owner of the service
   * is removed. The account is kept, and can be invited again.
   */
  removeMember(appId: string, uid: string, options?: RepeatableCallOptions): Promise<void>;
  /**
   * List what a member leaves in an app. What the member created or changed and could use after
   * being removed, newest first: revoke the keys, check the webhooks and rotate their secrets, and
   * replace credentials. Also for a member who was removed before. From the audit log, so nothing
   * older than its retention. URLs of files that the member created end with the membership.
   */
  listTraces(appId: string, uid: string, options?: RepeatableCallOptions): Promise<ConsoleListTracesAnswer>;
  /**
   * List what a secret key leaves in an app. Webhooks and settings that were created or changed with
   * the key, and which whoever had it could use after it is revoked, newest first: check the
   * webhooks, rotate their secrets, and replace credentials. Also for a key that was revoked before.
   * From the audit log, so nothing older than its retention.
   */
  listTracesOfKey(
    appId: string,
    id: string,
    options?: RepeatableCallOptions,
  ): Promise<ConsoleListTracesAnswer>;
  /** List the pending invitations. Oldest first; without those that have expired. */
  listInvitations(
    appId: string,
    query?: PageQuery,
    options?: RepeatableCallOptions,
  ): PageList<ConsoleListInvitationsItem>;
  /** Revoke an invitation. The link can no longer be accepted. */
  revokeInvitation(appId: string, id: string, options?: RepeatableCallOptions): Promise<void>;
  /** Read the settings of the team accounts. For owners of the service. */
  getSettings(options?: RepeatableCallOptions): Promise<ConsoleGetSettingsAnswer>;
  /**
   * Change the settings of the team accounts. For owners of the service. To require a second factor,
   * the caller needs a session that was started with one.
   */
  updateSettings(body: ConsoleUpdateSettingsInput, options?: CallOptions): Promise<ConsoleGetSettingsAnswer>;
  /**
   * Remove the second factor of a member. For owners of the service, to help a member who lost the
   * device with the authenticator app or the passkey. Removes the authenticator app, the recovery
   * codes and all passkeys, and records `passkey.removed` for each of these. Ends all sessions of
   * the member, and mails notices. Where a second factor is required, the member enrolls a new one
   * at the next sign-in.
   */
  removeFactors(uid: string, options?: RepeatableCallOptions): Promise<void>;
  /**
   * Read the audit log of the team accounts. For owners of the service: sign-ins and security events
   * of team accounts, and changes of the owners, newest first. Changes of the team of an app are in
   * the audit log of that app. The actions, retention and counted entries are those of `GET
   * /admin/audit-log`; users are team accounts here, so that `actor_name` is also the email of
   * `user:<uid>`.
   */
  listAuditLog(query?: AuditLogQuery, options?: RepeatableCallOptions): PageList<AuditEntry>;
}

export interface ConsoleInvitations {
  /** Read an invitation. The token is sent in the body, so that it appears in no URL. */
  inspect(
    body: ConsoleInvitationsInspectInput,
    options?: RepeatableCallOptions,
  ): Promise<ConsoleInvitationsInspectAnswer>;
  /**
   * Accept an invitation. Creates the account of the invited email, or verifies the password of an
   * existing one; adds the role, and starts a session. The email of a new account is verified if the
   * link was the mailed one. An invitation can be accepted once. A link that creates an owner of the
   * service names no email: `email` is required then, and not allowed otherwise.
   */
  accept(body: ConsoleInvitationsAcceptInput, options?: RepeatableCallOptions): Promise<TokenAnswer>;
}

/** The namespaces. */
export interface ConsoleCalls {
  /** The endpoints of the group `passwords`. */
  readonly passwords: ConsolePasswords;
  /** The endpoints of the group `sessions`. */
  readonly sessions: ConsoleSessions;
  /** The endpoints of the group `profile`. */
  readonly profile: ConsoleProfile;
  /** The app's settings. */
  readonly settings: ConsoleSettings;
  /** The endpoints of the group `keys`. */
  readonly keys: ConsoleKeys;
  /** The endpoints of the group `data`. */
  readonly data: ConsoleData;
  /** The endpoints of the group `console`. */
  readonly console: Console;
  /** The endpoints of the group `invitations`. */
  readonly invitations: ConsoleInvitations;
}

export const consoleCalls = {
  passwords: {
    change: { route: 'PUT /me/password', input: 'body' },
  },
  sessions: {
    signOut: { route: 'POST /auth/sign-out' },
    list: { route: 'GET /me/sessions', pages: true },
    end: { route: 'DELETE /me/sessions/:id' },
  },
  profile: {
    update: { route: 'PATCH /me', input: 'body' },
    confirmVerification: { route: 'POST /auth/email/verification/confirm', input: 'body' },
  },
  settings: {
    testMail: { route: 'POST /admin/settings/test-mail', input: 'body', once: ['admin/mail-not-configured'] },
  },
  keys: {
    list: { route: 'GET /admin/keys', pages: true },
    create: { route: 'POST /admin/keys', input: 'body', once: ['admin/too-many-secret-keys'] },
    revoke: { route: 'DELETE /admin/keys/:id' },
  },
  data: {
    create: { route: 'POST /data/:collection', input: 'body', etag: true },
    list: { route: 'GET /data/:collection', pages: true },
    get: { route: 'GET /data/:collection/:id', etag: true },
    replace: {
      route: 'PUT /data/:collection/:id',
      input: 'body',
      options: { ifMatch: 'headers.if-match', ifNoneMatch: 'headers.if-none-match' },
      etag: true,
    },
    merge: {
      route: 'PATCH /data/:collection/:id',
      input: 'body',
      options: { ifMatch: 'headers.if-match', ifNoneMatch: 'headers.if-none-match' },
      etag: true,
    },
    delete: {
      route: 'DELETE /data/:collection/:id',
      options: { ifMatch: 'headers.if-match', ifNoneMatch: 'headers.if-none-match' },
    },
    query: { route: 'POST /data/:collection/query', input: 'body' },
  },
  console: {
    me: { route: 'GET /console/me' },
    listApps: { route: 'GET /console/apps', pages: true },
    getApp: { route: 'GET /console/apps/:app_id' },
    createApp: { route: 'POST /console/apps', input: 'body', once: ['console/slug-taken'] },
    updateApp: { route: 'PATCH /console/apps/:app_id', input: 'body' },
    listMembers: { route: 'GET /console/apps/:app_id/members', pages: true },
    listOwners: { route: 'GET /console/apps/:app_id/owners', pages: true },
    invite: {
      route: 'POST /console/apps/:app_id/members',
      input: 'body',
      once: ['console/already-a-member', 'console/too-many-members'],
    },
    updateMember: { route: 'PATCH /console/apps/:app_id/members/:uid', input: 'body' },
    removeMember: { route: 'DELETE /console/apps/:app_id/members/:uid' },
    listTraces: { route: 'GET /console/apps/:app_id/members/:uid/traces' },
    listTracesOfKey: { route: 'GET /console/apps/:app_id/keys/:id/traces' },
    listInvitations: { route: 'GET /console/apps/:app_id/invitations', pages: true },
    revokeInvitation: { route: 'DELETE /console/apps/:app_id/invitations/:id' },
    getSettings: { route: 'GET /console/settings' },
    updateSettings: { route: 'PATCH /console/settings', input: 'body' },
    removeFactors: { route: 'DELETE /console/members/:uid/factors' },
    listAuditLog: { route: 'GET /console/audit-log', pages: true },
  },
  invitations: {
    inspect: { route: 'POST /console/invitations/inspect', input: 'body' },
    accept: { route: 'POST /console/invitations/accept', input: 'body' },
  },
} as const satisfies CallTable;
