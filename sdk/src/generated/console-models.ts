// What the calls of a team member send and receive. Generated from the contract by `npm run generate`. Do not edit.
import type { User } from './models.js';

/** Confirm an emailed verification code. */
export interface ConsoleProfileConfirmVerificationInput {
  /**
   * The emailed code of six digits. Spaces, line ends, dashes, invisible characters and punctuation
   * around it are ignored, and digits of other scripts, such as full-width or Arabic-Indic ones, are
   * accepted.
   */
  code: string;
}

/** The mail was queued. */
export interface ConsoleSettingsTestMailAnswer {
  /** The recipient. */
  to: string;
}

/** A secret key of the app, without the key itself. */
export interface ConsoleKeysListItem {
  /** ID of the key; not secret. */
  id: string;
  /** What the key is for. */
  name: string;
  /** What the key may do. */
  scopes: (
    | 'users:read'
    | 'users:write'
    | 'users:support'
    | 'tokens:verify'
    | 'push:read'
    | 'push:send'
    | 'data:read'
    | 'data:write'
    | 'data:manage'
    | 'files:read'
    | 'files:write'
    | 'config:read'
    | 'config:write'
    | 'loyalty:read'
    | 'loyalty:write'
    | 'webhooks:manage'
    | 'settings:manage'
    | 'sign-in:manage'
    | 'audit:read'
    | 'migration:read'
    | 'stats:read'
  )[];
  /** The last four characters of the key. */
  last_four: string;
  /** When the key was created. */
  created_at: string;
  /** The last use, to the hour; null if never used. */
  last_used_at: string | null;
  /** The key is rejected after this time; null for never. */
  expires_at: string | null;
  /** When the key was revoked; null for an active key. */
  revoked_at: string | null;
}

/** A new secret key. */
export interface ConsoleKeysCreateAnswer {
  /** ID of the key; not secret. */
  id: string;
  /** What the key is for. */
  name: string;
  /** What the key may do. */
  scopes: (
    | 'users:read'
    | 'users:write'
    | 'users:support'
    | 'tokens:verify'
    | 'push:read'
    | 'push:send'
    | 'data:read'
    | 'data:write'
    | 'data:manage'
    | 'files:read'
    | 'files:write'
    | 'config:read'
    | 'config:write'
    | 'loyalty:read'
    | 'loyalty:write'
    | 'webhooks:manage'
    | 'settings:manage'
    | 'sign-in:manage'
    | 'audit:read'
    | 'migration:read'
    | 'stats:read'
  )[];
  /** The last four characters of the key. */
  last_four: string;
  /** When the key was created. */
  created_at: string;
  /** The last use, to the hour; null if never used. */
  last_used_at: string | null;
  /** The key is rejected after this time; null for never. */
  expires_at: string | null;
  /** When the key was revoked; null for an active key. */
  revoked_at: string | null;
  /** The key, returned once: only its hash is stored. */
  secret_key: string;
}

/** Create a secret key. */
export interface ConsoleKeysCreateInput {
  /** What the key is for. */
  name: string;
  /** What the key may do. */
  scopes: (
    | 'users:read'
    | 'users:write'
    | 'users:support'
    | 'tokens:verify'
    | 'push:read'
    | 'push:send'
    | 'data:read'
    | 'data:write'
    | 'data:manage'
    | 'files:read'
    | 'files:write'
    | 'config:read'
    | 'config:write'
    | 'loyalty:read'
    | 'loyalty:write'
    | 'webhooks:manage'
    | 'settings:manage'
    | 'sign-in:manage'
    | 'audit:read'
    | 'migration:read'
    | 'stats:read'
  )[];
  /** The key is rejected after this time, which must be in the future; null for never. */
  expires_at?: string | null | undefined;
}

/** A JSON record. */
export interface ConsoleDataCreateAnswer {
  /** Unique within the collection; a ULID unless the client chose the id. */
  id: string;
  /** The name of the collection. */
  collection: string;
  /**
   * Any JSON object of at most 1024 KiB, 2000 keys and 20000 values in total, and 20 levels. Keys
   * have at most 256 characters and do not start with `$`; numbers are IEEE 754 doubles. An integer
   * beyond ±(2⁵³−1) is rejected instead of rounded, unless it is written with an exponent and has
   * the same digits when serialized, which is possible from 10²¹ (`1e21`).
   */
  fields: Record<string, unknown>;
  /** The user who created the record; null if it was created with a secret key. */
  owner_uid: string | null;
  /**
   * Grows by one with each write; the `ETag`. It begins at 1 if the service generated the id, else
   * at a random number, so that no version of a deleted record is one of a new record with its id.
   */
  version: number;
  /** When the record was created. */
  created_at: string;
  /** When the record was last written. */
  updated_at: string;
}

/** Create a record. */
export interface ConsoleDataCreateInput {
  /**
   * Any JSON object of at most 1024 KiB, 2000 keys and 20000 values in total, and 20 levels. Keys
   * have at most 256 characters and do not start with `$`; numbers are IEEE 754 doubles. An integer
   * beyond ±(2⁵³−1) is rejected instead of rounded, unless it is written with an exponent and has
   * the same digits when serialized, which is possible from 10²¹ (`1e21`).
   */
  fields: Record<string, unknown>;
}

/** One page of the list. */
export interface ConsoleDataQueryAnswer {
  items: ConsoleDataCreateAnswer[];
  /** Send it as `startAfter` to read the next page; null on the last page. */
  next_cursor: string | null;
}

/** Find records by their fields. */
export interface ConsoleDataQueryInput {
  /** At most 20. */
  where?:
    | {
        /**
         * A key, or keys of nested objects joined by dots (`author.name`); a key that contains a dot
         * cannot be addressed. Or one of `$id`, `$owner_uid`, `$created_at`, `$updated_at`, which are
         * compared as strings; times are written in UTC, such as `2026-01-02T03:04:05.678000Z`, with at
         * most six decimals.
         */
        field: string;
        /**
         * `< <= > >=` match values of the same type only. `!=` and `not-in` match if the field exists and
         * is not null; `not-in` with a null in its list matches nothing. `array-contains` matches arrays
         * with the element, `array-contains-any` arrays with at least one of several elements.
         */
        op: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not-in' | 'array-contains-any' | 'array-contains';
        /** Any JSON value; an array of 1 to 30 values for `in`, `not-in` and `array-contains-any`. */
        value: unknown;
      }[]
    | undefined;
  /**
   * At most 4; a record without one of these fields is omitted. Records that are equal in all of
   * them are sorted by id, in the direction of the last. By default, ascending by the first field
   * with `< <= > >=`, or else by id.
   */
  orderBy?:
    | {
        /**
         * A key, or keys of nested objects joined by dots (`author.name`); a key that contains a dot
         * cannot be addressed. Or one of `$id`, `$owner_uid`, `$created_at`, `$updated_at`, which are
         * compared as strings; times are written in UTC, such as `2026-01-02T03:04:05.678000Z`, with at
         * most six decimals.
         */
        field: string;
        /** Ascending by default. Default: `asc`. */
        direction?: 'asc' | 'desc' | undefined;
      }[]
    | undefined;
  /** At most 500. Default: `25`. */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the previous page, or one value for each entry of `orderBy`: the page
   * starts after these values.
   */
  startAfter?: string | unknown[] | undefined;
}

/** The signed-in team member. */
export interface ConsoleMeAnswer {
  /** A user of the app. */
  user: User;
  /** True for owners of the service: they own every app and create apps. */
  owner: boolean;
  /** Whether the member has enrolled an authenticator app. */
  second_factor: boolean;
  /** The reserved app `console`: its members are the owners of the service. */
  console_app_id: string;
}

/** An app, as a member of its team sees it. */
export interface ConsoleListAppsItem {
  /** The app. */
  id: string;
  /** Unique in this service. */
  slug: string;
  /** The name that users see. */
  name: string;
  /** Public: identifies the app in `X-App-Key`. */
  app_key: string;
  /** False: calls with the keys of the app are rejected. */
  enabled: boolean;
  /** The role of the caller in this app. */
  role: 'viewer' | 'support' | 'editor' | 'admin' | 'owner';
  /** When the app was created. */
  created_at: string;
}

/** List the member's apps. */
export interface ConsoleListAppsInput {
  /** The page size, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
  /** Part of the name or slug, in any case. */
  q?: string | undefined;
}

/** Create an app. */
export interface ConsoleCreateAppInput {
  /** The name that users see in mails. */
  name: string;
  /** A readable name for the command line; derived from the name by default. */
  slug?: string | undefined;
}

/** Rename, disable or enable an app. */
export interface ConsoleUpdateAppInput {
  /** The name that users see in mails. */
  name?: string | undefined;
  /** False to reject calls with the keys of the app. */
  enabled?: boolean | undefined;
}

/** A member of the team of an app. */
export interface ConsoleListMembersItem {
  /** The member. */
  uid: string;
  /** The email. */
  email: string;
  /** Null until it is set. */
  first_name: string | null;
  /** Null until it is set. */
  last_name: string | null;
  /**
   * `viewer` reads; `support` also helps users to sign in, disables and enables them, and adds
   * points; `editor` changes content instead (remote config, data, files, push, points); `admin`
   * does both, and manages users, webhooks, settings and keys; `owner` also manages the team and
   * enables and disables the app.
   */
  role: 'viewer' | 'support' | 'editor' | 'admin' | 'owner';
  /** Whether the member has enrolled an authenticator app. */
  second_factor: boolean;
  /** When the member joined. */
  created_at: string;
}

/** An owner of the service, as the members of every app see one. */
export interface ConsoleListOwnersItem {
  /** The member. */
  uid: string;
  /** The email. */
  email: string;
  /** Null until it is set. */
  first_name: string | null;
  /** Null until it is set. */
  last_name: string | null;
}

/** A new invitation, and its link. */
export interface ConsoleInviteAnswer {
  /** The invitation. */
  id: string;
  /**
   * `viewer` reads; `support` also helps users to sign in, disables and enables them, and adds
   * points; `editor` changes content instead (remote config, data, files, push, points); `admin`
   * does both, and manages users, webhooks, settings and keys; `owner` also manages the team and
   * enables and disables the app.
   */
  role: 'viewer' | 'support' | 'editor' | 'admin' | 'owner';
  /** When the invitation was sent. */
  created_at: string;
  /** The invitation cannot be accepted after this time. */
  expires_at: string;
  /** The invited email. */
  email: string;
  /**
   * A link to pass on, returned once: anyone who has it can accept the invitation. The mail has
   * another one, which also verifies the email.
   */
  link: string;
  /** False if the service has no mail server, or has mailed this email too often. */
  mailed: boolean;
}

/** Invite a member. */
export interface ConsoleInviteInput {
  /** The email to invite. */
  email: string;
  /**
   * `viewer` reads; `support` also helps users to sign in, disables and enables them, and adds
   * points; `editor` changes content instead (remote config, data, files, push, points); `admin`
   * does both, and manages users, webhooks, settings and keys; `owner` also manages the team and
   * enables and disables the app.
   */
  role: 'viewer' | 'support' | 'editor' | 'admin' | 'owner';
}

/** Change the role of a member. */
export interface ConsoleUpdateMemberInput {
  /**
   * `viewer` reads; `support` also helps users to sign in, disables and enables them, and adds
   * points; `editor` changes content instead (remote config, data, files, push, points); `admin`
   * does both, and manages users, webhooks, settings and keys; `owner` also manages the team and
   * enables and disables the app.
   */
  role: 'viewer' | 'support' | 'editor' | 'admin' | 'owner';
}

/** List what a member leaves in an app. */
export interface ConsoleListTracesAnswer {
  items: {
    /**
     * `secret_key`: an active key that the member created; `webhook`: a webhook that was created or
     * redirected, or whose secret was seen; `setting`: a setting of sign-in, or a credential, that was
     * changed; `collection`: a collection that is open to clients, and was created or given another
     * access mode; `push_message`: a scheduled message that is not sent yet.
     */
    kind: 'secret_key' | 'webhook' | 'setting' | 'collection' | 'push_message';
    /** The key, the webhook or the message; the name of a setting or a collection. */
    id: string;
    /**
     * The name of the key, the URL of the webhook, the setting, the collection, or the title of the
     * message.
     */
    name: string;
    /** The last action of the member or with the key on it, as in the audit log. */
    action:
      | 'app.created'
      | 'app.renamed'
      | 'app.disabled'
      | 'app.enabled'
      | 'app.deleted'
      | 'member.invited'
      | 'member.invitation_revoked'
      | 'member.joined'
      | 'member.role_changed'
      | 'member.removed'
      | 'member.refused'
      | 'mail.tested'
      | 'settings.updated'
      | 'secret_key.created'
      | 'secret_key.revoked'
      | 'secret_key.refused'
      | 'secrets.reencrypted'
      | 'signing_keys.rotated'
      | 'user.created'
      | 'user.updated'
      | 'user.disabled'
      | 'user.enabled'
      | 'user.claims_set'
      | 'user.sessions_revoked'
      | 'user.limits_lifted'
      | 'user.code_sent'
      | 'user.note_added'
      | 'user.export_requested'
      | 'session.revoked'
      | 'users.imported'
      | 'users.exported'
      | 'users.imported_from_v1'
      | 'user.signed_up'
      | 'user.signed_in'
      | 'user.sign_in_failed'
      | 'user.guesses_limited'
      | 'user.mails_slowed'
      | 'app.limit_reached'
      | 'user.second_factor_enrolled'
      | 'user.second_factor_removed'
      | 'user.second_factor_failed'
      | 'user.recovery_code_used'
      | 'user.recovery_codes_replaced'
      | 'user.signed_out'
      | 'user.signed_out_everywhere'
      | 'session.ended'
      | 'session.refresh_reuse'
      | 'user.reauthenticated'
      | 'user.reauthentication_failed'
      | 'user.password_reset'
      | 'user.password_reset_failed'
      | 'user.password_changed'
      | 'user.email_changed'
      | 'user.email_confirmation_failed'
      | 'user.email_verified'
      | 'user.unproven_removed'
      | 'user.deleted'
      | 'push.sent'
      | 'push.cancelled'
      | 'identity.linked'
      | 'identity.link_failed'
      | 'identity.unlinked'
      | 'passkey.added'
      | 'passkey.add_failed'
      | 'passkey.removed'
      | 'passkey.refused'
      | 'provider.token_refused'
      | 'provider.exchange_failed'
      | 'provider.revocation_failed'
      | 'file.uploaded'
      | 'file.url_created'
      | 'file.deleted'
      | 'loyalty.entry_added'
      | 'config.updated'
      | 'config.rolled_back'
      | 'webhook.created'
      | 'webhook.updated'
      | 'webhook.deleted'
      | 'webhook.disabled'
      | 'webhook.secret_rotated'
      | 'webhook.tested'
      | 'webhook.delivery_retried'
      | 'webhook.replayed'
      | 'collection.created'
      | 'collection.updated'
      | 'collection.deleted'
      | 'record.created'
      | 'record.replaced'
      | 'record.updated'
      | 'record.deleted'
      | 'audit.left_out';
    /** When the action was recorded. */
    at: string;
  }[];
}

/** A pending invitation to the team of an app. */
export interface ConsoleListInvitationsItem {
  /** The invitation. */
  id: string;
  /**
   * `viewer` reads; `support` also helps users to sign in, disables and enables them, and adds
   * points; `editor` changes content instead (remote config, data, files, push, points); `admin`
   * does both, and manages users, webhooks, settings and keys; `owner` also manages the team and
   * enables and disables the app.
   */
  role: 'viewer' | 'support' | 'editor' | 'admin' | 'owner';
  /** When the invitation was sent. */
  created_at: string;
  /** The invitation cannot be accepted after this time. */
  expires_at: string;
  /** The invited email; null for a link to an owner account that the command line printed. */
  email: string | null;
}

/** The settings of all team accounts of the service. */
export interface ConsoleGetSettingsAnswer {
  /**
   * `required`: every member needs a second factor. Calls of a session that was started without one
   * are rejected with `auth/second-factor-required` until the member enrolls it, or reauthenticates
   * with it.
   */
  second_factor: 'optional' | 'required';
}

/** Change the settings of the team accounts. */
export interface ConsoleUpdateSettingsInput {
  /**
   * `required`: every member needs a second factor. Calls of a session that was started without one
   * are rejected with `auth/second-factor-required` until the member enrolls it, or reauthenticates
   * with it.
   */
  second_factor?: 'optional' | 'required' | undefined;
}

/** What an invitation is for. */
export interface ConsoleInvitationsInspectAnswer {
  /** The invited email; null for a link that creates an owner of the service, who chooses an email. */
  email: string | null;
  /** The app; null for an owner of the service, who owns every app. */
  app_name: string | null;
  /**
   * `viewer` reads; `support` also helps users to sign in, disables and enables them, and adds
   * points; `editor` changes content instead (remote config, data, files, push, points); `admin`
   * does both, and manages users, webhooks, settings and keys; `owner` also manages the team and
   * enables and disables the app.
   */
  role: 'viewer' | 'support' | 'editor' | 'admin' | 'owner';
  /** True if the email has a team account: its password is required to accept. */
  has_account: boolean;
  /** The invitation cannot be accepted after this time. */
  expires_at: string;
}

/** Read an invitation. */
export interface ConsoleInvitationsInspectInput {
  /** The token of the link. */
  token: string;
}

/** Accept an invitation. */
export interface ConsoleInvitationsAcceptInput {
  /** The token of the link. */
  token: string;
  /** For a link that names no email. */
  email?: string | undefined;
  /** Password of the existing account, or for the new one. */
  password: string;
  /** For a new account. */
  first_name?: string | null | undefined;
  /** For a new account. */
  last_name?: string | null | undefined;
}
