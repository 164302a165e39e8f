// What the calls of an app's backend send and receive. Generated from the contract by `npm run generate`. Do not edit.
import type { ServerCode } from './error-codes.js';
import type { FileVisibility, LoyaltyStatus, PushProvider, User } from './models.js';
import type { WebhookEventType, WebhookSession, WebhookUser } from './webhook-models.js';

/** A user of the app, with the fields that only its backend can see. */
export interface AdminUser {
  /** The user's id within the app; never changes. */
  uid: string;
  /** Always in lower case. */
  email: string;
  /** False after sign-up with a password. */
  email_verified: boolean;
  /** Null until it is set. */
  first_name: string | null;
  /** Null until it is set. */
  last_name: string | null;
  /** An https URL, or null. */
  photo_url: string | null;
  /** When the account was created. */
  created_at: string;
  /** A disabled user can neither sign in nor refresh. */
  disabled: boolean;
  /** Whether a password is set. */
  has_password: boolean;
  /** Whether an authenticator app is enrolled. */
  second_factor: boolean;
  /** The identity providers that are linked. */
  providers: string[];
  /** The custom claims of the user, at most 1000 bytes of JSON; `claims` in access tokens. */
  claims: Record<string, unknown>;
  /** The member id in the loyalty programme. */
  member_id: string;
  /** The loyalty balance. */
  points: number;
  /** The time of the last change to the account. */
  updated_at: string;
  /** Null before the first sign-in. */
  last_sign_in_at: string | null;
  /** The latest sign-in, refresh or use of v1; null before the first. */
  last_active_at: string | null;
  /** The latest use of v1, to the hour; null if v1 was never used. */
  v1_last_used_at: string | null;
}

/** A user to create. Without a password the user signs in with an emailed code or a provider. */
export interface NewUser {
  /**
   * One email address of at most 254 characters. The service trims and lower-cases it, removes
   * invisible characters, `mailto:`, and quotation marks and angle brackets around it, accepts
   * full-width characters, and writes an international domain in its `xn--` form.
   */
  email: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password?: string | undefined;
  /** At most 100 characters; null or blank clears the name. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank clears the name. */
  last_name?: string | null | undefined;
  /** An https URL of at most 2,048 characters; null or blank for none. */
  photo_url?: string | null | undefined;
  /** False by default. */
  email_verified?: boolean | undefined;
  /** False by default. */
  disabled?: boolean | undefined;
  /** At most 1000 bytes of JSON, without reserved JWT claim names and integers beyond ±(2⁵³−1). */
  claims?: Record<string, unknown> | undefined;
  /** Unique in the app; ten random digits by default. */
  member_id?: string | undefined;
  /**
   * The first entry of the loyalty ledger; no entry for 0. Others require the scope `loyalty:write`
   * too.
   */
  points?: number | undefined;
}

/**
 * The fields to change. `null` clears a field. A new password, and `disabled: true`, end every
 * session. A new email is unverified unless `email_verified` is given.
 */
export interface UserPatch {
  /**
   * One email address of at most 254 characters. The service trims and lower-cases it, removes
   * invisible characters, `mailto:`, and quotation marks and angle brackets around it, accepts
   * full-width characters, and writes an international domain in its `xn--` form.
   */
  email?: string | undefined;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password?: string | undefined;
  /** At most 100 characters; null or blank clears the name. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank clears the name. */
  last_name?: string | null | undefined;
  /** An https URL of at most 2,048 characters; null or blank for none. */
  photo_url?: string | null | undefined;
  /** Whether the email is verified. */
  email_verified?: boolean | undefined;
  /** Whether the user is disabled. */
  disabled?: boolean | undefined;
  /** Unique in the app; ten random digits by default. */
  member_id?: string | undefined;
}

/**
 * A user to create. `points` are rejected: add them as an entry of the ledger after the user is
 * created.
 */
export interface ImportUser {
  /**
   * One email address of at most 254 characters. The service trims and lower-cases it, removes
   * invisible characters, `mailto:`, and quotation marks and angle brackets around it, accepts
   * full-width characters, and writes an international domain in its `xn--` form.
   */
  email: string;
  /** At most 100 characters; null or blank clears the name. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank clears the name. */
  last_name?: string | null | undefined;
  /** An https URL of at most 2,048 characters; null or blank for none. */
  photo_url?: string | null | undefined;
  /** False by default. */
  email_verified?: boolean | undefined;
  /** False by default. */
  disabled?: boolean | undefined;
  /** At most 1000 bytes of JSON, without reserved JWT claim names and integers beyond ±(2⁵³−1). */
  claims?: Record<string, unknown> | undefined;
  /** Unique in the app; ten random digits by default. */
  member_id?: string | undefined;
}

/** The result of the import. */
export interface ImportReport {
  /** The number of users created. */
  created: number;
  /** The users that were not created, in order; all others were created. */
  failed: {
    /** The index in `users`, from 0. */
    index: number;
    /**
     * The error: `request/validation-failed`, `auth/email-already-in-use`,
     * `admin/member-id-already-in-use`, `admin/claims-too-large` or `admin/reserved-claim`.
     */
    code: ServerCode;
    /** For developers. */
    message: string;
  }[];
}

/** Filters of the list of users, combined with AND, and its order. */
export interface UserQuery {
  /** The page size, at most 500. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
  /**
   * Matches the start of the email or of its domain (`@example.com`, `example.com`); or users with a
   * word for each word of the search that begins with it, in any order (`souza maria`), among their
   * first and last names and the part of the email before the `@`, ignoring case, accents and
   * apostrophes; or a complete uid, member id or push token of a device. The six longest words are
   * compared. An email copied from a mail program (`"Ada" <ada@example.com>`, `mailto:`) is a search
   * for it. One Chinese, Japanese or Korean character is a word.
   */
  q?: string | undefined;
  /** The users with these uids, at most 100, separated by commas; unknown ones are ignored. */
  uids?: string | undefined;
  /** Matches the complete email. */
  email?: string | undefined;
  /** `true`: disabled users; `false`: the others. */
  disabled?: boolean | undefined;
  /** `true`: users with a verified email; `false`: the others. */
  email_verified?: boolean | undefined;
  /**
   * Users who have linked this provider: `provider-a`, `provider-b` or the id of a provider of the
   * settings.
   */
  provider?: string | undefined;
  /** Users created at or after this time. */
  created_after?: string | undefined;
  /** Users created before this time. */
  created_before?: string | undefined;
  /** Users whose latest use of v1 is at or after this time. */
  v1_used_after?: string | undefined;
  /**
   * The sort order; prefix with `-` for descending order. Newest first by default. Default:
   * `-created_at`.
   */
  order?: '-created_at' | 'created_at' | 'email' | '-email' | undefined;
}

/** An action on the app or on one of its accounts. */
export interface AuditEntry {
  /** The entry; ids sort by time. */
  id: string;
  /**
   * The actor: `user:<uid>`, `secret_key:<id>`, `member:<uid>`, `command_line`, `service`, or
   * `anonymous`.
   */
  actor: string;
  /**
   * The email of a team member, the name of a secret key, or the name of a user, else their email,
   * as it is now; null for other actors. Names of users require the scope `users:read` as well.
   */
  actor_name: string | null;
  /** The action; actions may be added at any time. */
  action: string;
  /** The target: a type and an id, such as `user:<uid>` or `secret_key:<id>`. */
  target: string;
  /**
   * The name of the target as it is now, likewise: also the name of an app or a file, the email of a
   * pending invitation, the URL of a webhook, without its query, the title of a push message, which
   * requires the scope `push:read`, and the name of the user of a session. Null for what no longer
   * exists, and for other targets.
   */
  target_name: string | null;
  /** The user that the entry concerns, if any. */
  uid: string | null;
  /** The IP address of the request; null if unknown or if the account was deleted. */
  ip_address: string | null;
  /** Further details, depending on the action; empty after the account was deleted. */
  details: Record<string, unknown>;
  /** The time of the action. */
  created_at: string;
}

/** Filters of the audit log, combined with AND. */
export interface AuditLogQuery {
  /** The page size, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
  /** Entries with this actor. */
  actor?: string | undefined;
  /** Entries with this action. */
  action?: string | undefined;
  /** Entries with this target. */
  target?: string | undefined;
  /** Entries that concern this user. */
  uid?: string | undefined;
  /** Entries at or after this time. */
  created_after?: string | undefined;
  /** Entries before this time. */
  created_before?: string | undefined;
}

/**
 * The permissions of clients without a secret key; with a secret key every call is allowed.
 * `admin`: none. `public_read`: any client can read. `signed_in_read`: signed-in users can read.
 * `owner`: users can read, create and change their own records. `owner_public_read`,
 * `owner_signed_in_read`: in addition, any client or any signed-in user can read. `shared`:
 * signed-in users can read, create and change all records.
 */
export type AccessMode =
  | 'admin'
  | 'public_read'
  | 'signed_in_read'
  | 'owner'
  | 'owner_public_read'
  | 'owner_signed_in_read'
  | 'shared';

/** A collection of JSON records. */
export interface CollectionInfo {
  /** Never changes. */
  name: string;
  /**
   * The permissions of clients without a secret key; with a secret key every call is allowed.
   * `admin`: none. `public_read`: any client can read. `signed_in_read`: signed-in users can read.
   * `owner`: users can read, create and change their own records. `owner_public_read`,
   * `owner_signed_in_read`: in addition, any client or any signed-in user can read. `shared`:
   * signed-in users can read, create and change all records.
   */
  access_mode: AccessMode;
  /**
   * What happens to the records of a user whose account is deleted; kept records keep their
   * `owner_uid`.
   */
  on_user_delete: 'delete' | 'keep';
  /** The fields that are indexed. */
  indexed_fields: string[];
  /** The fields of `indexed_fields` whose index is still being built; queries do not use it yet. */
  building_fields: string[];
  /** When the collection was declared. */
  created_at: string;
  /** When the declaration was last changed. */
  updated_at: string;
}

/** A collection to declare. */
export interface NewCollection {
  /** The name of the collection. */
  name: string;
  /**
   * The permissions of clients without a secret key; with a secret key every call is allowed.
   * `admin`: none. `public_read`: any client can read. `signed_in_read`: signed-in users can read.
   * `owner`: users can read, create and change their own records. `owner_public_read`,
   * `owner_signed_in_read`: in addition, any client or any signed-in user can read. `shared`:
   * signed-in users can read, create and change all records. Default: `admin`.
   */
  access_mode?: AccessMode | undefined;
  /**
   * What happens to the records of a user whose account is deleted; kept records keep their
   * `owner_uid`. Default: `delete`.
   */
  on_user_delete?: 'delete' | 'keep' | undefined;
  /** Fields by which queries can filter and sort without reading the whole collection; at most 10. */
  indexed_fields?: string[] | undefined;
}

/** The parts of a declaration to change. */
export interface CollectionPatch {
  /**
   * The permissions of clients without a secret key; with a secret key every call is allowed.
   * `admin`: none. `public_read`: any client can read. `signed_in_read`: signed-in users can read.
   * `owner`: users can read, create and change their own records. `owner_public_read`,
   * `owner_signed_in_read`: in addition, any client or any signed-in user can read. `shared`:
   * signed-in users can read, create and change all records.
   */
  access_mode?: AccessMode | undefined;
  /**
   * What happens to the records of a user whose account is deleted; kept records keep their
   * `owner_uid`.
   */
  on_user_delete?: 'delete' | 'keep' | undefined;
  /** Fields by which queries can filter and sort without reading the whole collection; at most 10. */
  indexed_fields?: string[] | undefined;
}

/** A parameter of the remote config. */
export interface ConfigParameter {
  /** `json` is an object or an array; apps receive it as a JSON string. */
  type: 'string' | 'number' | 'boolean' | 'json';
  /**
   * A value of the type; for `json` an object or array, not a string of JSON. Numbers are IEEE 754
   * doubles; infinite numbers, −0 and integers beyond ±(2⁵³−1) are rejected, also in objects and
   * arrays.
   */
  value: unknown;
  /** For the team; not visible to apps. At most 1000 characters. */
  description: string;
}

/** A parameter of the remote config to write. */
export interface NewConfigParameter {
  /** `json` is an object or an array; apps receive it as a JSON string. */
  type: 'string' | 'number' | 'boolean' | 'json';
  /**
   * A value of the type; for `json` an object or array, not a string of JSON. Numbers are IEEE 754
   * doubles; infinite numbers, −0 and integers beyond ±(2⁵³−1) are rejected, also in objects and
   * arrays.
   */
  value: unknown;
  /** For the team; not visible to apps. At most 1000 characters. */
  description?: string | undefined;
}

/** A version of the remote config, without its parameters. */
export interface ConfigVersion {
  /** Incremented by one with each change. */
  version: number;
  /** When this version was written. */
  updated_at: string;
  /** The author, as in the audit log; `system` for the first version. */
  updated_by: string;
  /** What the author wrote about this version; null without a note. */
  note: string | null;
  /** The names of parameters that were added, changed or removed, at most 20. */
  changed_names: string[];
  /** How many parameters were added, changed or removed; null for versions before this was stored. */
  changed_count: number | null;
  /** The version whose parameters were restored; null for a change. */
  rolled_back_to: number | null;
}

/** A version of the remote config with all its parameters. */
export interface ConfigSnapshot {
  /** Incremented by one with each change. */
  version: number;
  /** When this version was written. */
  updated_at: string;
  /** The author, as in the audit log; `system` for the first version. */
  updated_by: string;
  /** What the author wrote about this version; null without a note. */
  note: string | null;
  /** The parameters by name. */
  parameters: Record<string, ConfigParameter>;
}

/** Filters of the list of files, combined with AND. */
export interface FileQuery {
  /** The page size, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
  /** Files of this user only. */
  owner_uid?: string | undefined;
  /** Files with this visibility only. */
  visibility?: FileVisibility | undefined;
}

/** An entry of the ledger, as the backend sees it. */
export interface LedgerEntry {
  /**
   * The entry. The order of the history is that of the balance; ids of concurrent entries may sort
   * differently.
   */
  id: string;
  /** The points that were added; negative if they were deducted. */
  points: number;
  /** The reason for the points, for the user. */
  description: string;
  /** When the entry was created. */
  created_at: string;
  /** The backend's reference for the entry. */
  reference: string | null;
}

/** An entry to add to the ledger of points. */
export interface NewLedgerEntry {
  /** Positive to add points, negative to deduct them; at most 1,000,000,000 in either direction. */
  points: number;
  /** Shown to the user in the history. */
  description: string;
  /** The backend's reference for this entry; unique per user. */
  reference?: string | null | undefined;
}

/** The entry and the resulting status of the user. */
export interface AddedEntry {
  /** An entry of the ledger, as the backend sees it. */
  entry: LedgerEntry;
  /** The points balance of a user and the tier that it reaches. */
  loyalty: LoyaltyStatus;
}

/** What keeps a user from signing in, and the latest attempts. */
export interface SignInState {
  /**
   * The limits that are reached now, for the account, its IP addresses and its known devices of the
   * last day.
   */
  limits: SignInLimit[];
  /** Who disabled the user, and when; null if the user is not disabled, or no entry is left. */
  disabled_by: AuditEntry | null;
  /** The latest sign-in; null if none of the latest entries of the user is one. */
  last_success: AuditEntry | null;
  /**
   * The latest refusal, with `details.reason`; null if none of the latest entries of the user is
   * one.
   */
  last_failure: AuditEntry | null;
  /**
   * The number of refusals since the latest sign-in, among the latest entries of the user; repeated
   * ones that share an entry are counted each.
   */
  failures: number;
  /**
   * ID tokens of providers that were refused in the last seven days, from networks where the user
   * has been, newest first. The tokens may be of other users of the network.
   */
  refused_tokens: AuditEntry[];
}

/** A rate limit that refuses a user now. */
export interface SignInLimit {
  /** The rate limit that is reached, as in the `RateLimit-Policy` header; others may be added. */
  policy: string;
  /**
   * The IP address from which calls are refused; null where the limit applies to the account or to
   * one device.
   */
  ip_address: string | null;
  /** When the limit ends by itself. */
  until: string;
}

/** A note of the team about a user. The user never sees it. */
export interface UserNote {
  /** The note; ids sort by time. */
  id: string;
  /** The note. */
  text: string;
  /** Who wrote it: `member:<uid>` or `secret_key:<id>`. */
  actor: string;
  /** The email of the team member, or the name of the secret key, as it is now. */
  actor_name: string | null;
  /** When it was written. */
  created_at: string;
}

/** The numbers of users of v1 and v2. */
export interface MigrationReport {
  /** Users who used v1 in the last 7 days; exact to the hour. */
  v1_active_users_7d: number;
  /** The same for the last 30 days. */
  v1_active_users_30d: number;
  /** Valid tokens of v1; exact. */
  v1_live_tokens: number;
  /** Users who signed in to v2 or refreshed in the last 30 days; updated hourly. */
  v2_active_users_30d: number;
  /** When the figures of v1 were counted: the time of the call. */
  as_of: string;
  /** The shutdown date of v1; null if none is set. */
  sunset_at: string | null;
}

/** What a device shows. */
export interface PushNotification {
  /** The title. */
  title: string;
  /** The text below the title. */
  body: string;
  /** An https URL of an image. */
  image_url?: string | undefined;
}

/** How a message is delivered. */
export interface PushDelivery {
  /** How long the provider stores the message for an unreachable device; 28 days by default. */
  ttl_seconds?: number | undefined;
  /** `high` by default; `normal` may be delayed until the device is active. */
  priority?: 'high' | 'normal' | undefined;
  /** A later message with the same key replaces one that was not displayed yet. */
  collapse_key?: string | undefined;
  /** The number on the app icon, on iOS. */
  badge?: number | undefined;
  /** A sound of the app, or 'default', on iOS and Android. */
  sound?: string | undefined;
}

/** The recipients: exactly one of these. */
export interface PushTarget {
  /** The devices of these users, at most 1000; unknown users are ignored. */
  uids?: string[] | undefined;
  /** These devices, at most 1000. */
  device_ids?: string[] | undefined;
  /** All devices subscribed to the topic. Any client with the app key can subscribe a device. */
  topic?: string | undefined;
  /**
   * All devices of the app. Any client with the app key can register a device, so do not send
   * personal data.
   */
  all?: true | undefined;
}

/** A message to send: a notification, data, or both, to one target. */
export interface NewPushMessage {
  /** The devices of these users, at most 1000; unknown users are ignored. */
  uids?: string[] | undefined;
  /** These devices, at most 1000. */
  device_ids?: string[] | undefined;
  /** All devices subscribed to the topic. Any client with the app key can subscribe a device. */
  topic?: string | undefined;
  /**
   * All devices of the app. Any client with the app key can register a device, so do not send
   * personal data.
   */
  all?: true | undefined;
  /** The notification that the device displays. */
  notification?: PushNotification | undefined;
  /**
   * Custom data for the app; values are strings. The keys `aps`, `from`, `message_type`, `google…`
   * and `gcm…` are reserved.
   */
  data?: Record<string, string> | undefined;
  /** Delivery options. */
  options?: PushDelivery | undefined;
  /**
   * The time to send the message at, at most 30 days ahead, to the devices that are registered by
   * then. At once by default, and for a time in the past.
   */
  send_at?: string | undefined;
  /** Validates the message and counts its devices; nothing is stored or sent. */
  dry_run?: boolean | undefined;
}

/** An accepted message. */
export interface PushSent {
  /** The id of the message; null for a dry run. */
  id: string | null;
  /** `scheduled`: it is sent at `send_at`. `dry_run`: the message is valid and was not sent. */
  status: 'queued' | 'scheduled' | 'dry_run';
  /** The number of active devices that the message targets. */
  target_count: number;
}

/** A push message and its delivery status. */
export interface PushMessage {
  /** A ULID. */
  id: string;
  /**
   * `scheduled`: it starts at `send_at`. `cancelled`: it was cancelled before. `queued`: not
   * started. `sending`: for some devices an attempt or a retry is still due. `done`: finished; a
   * provider accepted the message for at least one device, or no device could receive it, because it
   * targeted none or all their tokens were invalid. `failed`: stopped because a provider rejected
   * the credentials or the message, because the app was disabled, or because sending kept failing in
   * the service, as `error` describes; or accepted for no device, although at least one token was
   * valid.
   */
  status: 'scheduled' | 'queued' | 'sending' | 'done' | 'failed' | 'cancelled';
  /** The target of the message. */
  target: PushTarget;
  /** The notification that was sent. */
  notification: PushNotification | null;
  /**
   * Custom data for the app; values are strings. The keys `aps`, `from`, `message_type`, `google…`
   * and `gcm…` are reserved.
   */
  data: Record<string, string> | null;
  /** The options that were sent. */
  options: PushDelivery;
  /**
   * The number of active devices when the message was sent; of a scheduled message, when it was
   * scheduled.
   */
  target_count: number;
  /** Devices for which the provider accepted the message; delivery to the device is not known. */
  accepted_count: number;
  /**
   * Devices to which sending failed, and which remain registered. Devices that were not attempted
   * before the message was stopped are not counted.
   */
  failed_count: number;
  /** Devices whose token was found to be invalid. */
  invalid_count: number;
  /** Why the message was stopped; null if it was not. */
  error: string | null;
  /** The time that the message is or was scheduled for; null if it was sent at once. */
  send_at: string | null;
  /** ISO 8601, UTC, with microseconds. */
  created_at: string;
  /** Who sent or scheduled it, as in the audit log; null for messages from before this was recorded. */
  created_by: string | null;
  /** When sending finished, or the message was cancelled. */
  finished_at: string | null;
}

/** The result of sending one message to one device. */
export interface PushReceipt {
  /** A ULID. */
  device_id: string;
  /** The user to whom the device belongs now; null without one. */
  uid: string | null;
  /** The provider of the device. */
  provider: PushProvider;
  /**
   * `accepted`: the provider accepted the message; delivery to the device is not known. `failed`:
   * sending failed, and the device remains registered. `invalid`: the token is invalid. `retrying`:
   * another attempt follows.
   */
  status: 'accepted' | 'failed' | 'invalid' | 'retrying';
  /** The error of the provider, or of the service if the provider returned none. */
  error: string | null;
  /** The message id of the provider. */
  provider_message_id: string | null;
  /**
   * The number of attempts; 0 for a Web Push endpoint that did not answer the previous message,
   * until all other devices have received this one.
   */
  attempts: number;
  /** ISO 8601, UTC, with microseconds. */
  updated_at: string;
}

/** A topic to which at least one device is subscribed. */
export interface PushTopic {
  /** The topic. */
  topic: string;
  /**
   * The number of devices that are subscribed, counted up to 2,000. It includes devices whose token
   * was found to be invalid; a dry run counts the active ones.
   */
  device_count: number;
  /** False if more devices are subscribed than were counted. */
  is_exact: boolean;
}

/** A loyalty tier. */
export interface Tier {
  /** The name of the tier. */
  tier: string;
  /** The minimum balance of the tier. */
  min_points: number;
}

/** A factor for each group of rate limits, by which its limits are multiplied. */
export interface RateLimitFactors {
  /**
   * Multiplies the limits of sign-ins, sign-ups and other calls that verify a credential. Above 1 it
   * does not raise the limits of failed passwords.
   */
  sign_in: number;
  /**
   * Multiplies the limits of emailed codes and notices. Above 1 it does not raise the limits of
   * failed codes.
   */
  codes: number;
  /** Multiplies the limits of refreshes. */
  refresh: number;
  /** Multiplies the limits of all other calls of clients. */
  client: number;
  /** Multiplies the limits of calls with a secret key or by a team member. */
  backend: number;
}

/** What a mail is sent for. */
export type MailPurpose = 'sign_in' | 'reset' | 'verification' | 'email_change';

/** The text of a mail in one language. */
export interface MailText {
  /** The subject of the mail. */
  subject: string;
  /** The label of the button; without it that of the branding, or the built-in one. */
  button?: string | undefined;
  /** Plain text below the code. */
  text: string;
}

/** An app's settings. */
export interface AppSettings {
  /** The lifetime of an access token, in seconds. */
  access_token_seconds: number;
  /** RS256 is for gateways that can verify RSA signatures only. */
  token_algorithm: 'ES256' | 'RS256';
  /** The maximum age of the sign-in that sensitive calls require. */
  recent_sign_in_minutes: number;
  /** The target of the magic link in sign-in mails; null for no link. */
  deep_link: string | null;
  /** Origins that may call from a browser, as browsers send them; empty allows all. */
  allowed_origins: string[];
  /** `closed`: users cannot create accounts, whatever the sign-in method. */
  sign_up: 'open' | 'closed';
  /**
   * `optional`: users may enroll an authenticator app, and then need it for every sign-in.
   * `required`: users without one enroll it at their next sign-in; sessions that have started
   * continue. `off`: factors that were enrolled are stored, but not asked for.
   */
  second_factor: 'off' | 'optional' | 'required';
  /**
   * Whether to reject new passwords that are among the 10,000 most common ones or equal the name of
   * the app (`auth/weak-password`). Recommended; off by default.
   */
  refuse_common_passwords: boolean;
  /**
   * Whether to mail a notice to a user who signs in on a device that is not known; not for the first
   * session of an account. A device is known by its `X-Device-Token`. After a new password, only the
   * device that set it is; after a new email, the removal of a passkey, a provider or the
   * authenticator app, or a sign-out everywhere, none is.
   */
  new_device_notice: boolean;
  /**
   * The loyalty tiers, at most 50: the first at 0 points, each further tier higher, with unique
   * names.
   */
  tiers: Tier[];
  /**
   * A factor for each group of rate limits: 1 for the defaults, 0.5 for half as many calls in the
   * same time, 2 for twice as many.
   */
  rate_limits: RateLimitFactors;
  /** The sender, the branding and the texts of mails. */
  mail: {
    /** The name of the sender; null for the name of the app. */
    from_name: string | null;
    /** The email address for replies; null for none. */
    reply_to: string | null;
    /** How mails to users look. Everything is shown as text, never as HTML. */
    branding: {
      /**
       * The https URL of a PNG or JPEG, shown 40 pixels high; null for none. Readers load it from there,
       * in a light or a dark mail.
       */
      logo_url: string | null;
      /**
       * The color of the button; its label is white, or black where white is hard to read. Null for the
       * color of the text.
       */
      accent_color: string | null;
      /**
       * The label of the link in sign-in mails, in every language; null for one in the reader's
       * language.
       */
      button: string | null;
      /** A line of plain text at the end of each mail to users; null for none. */
      footer: string | null;
    };
    /**
     * Custom texts by purpose and language tag, at most 50 languages each. They are used for readers
     * of their languages, and one in English for all others. Without them the built-in words are used,
     * in 12 languages: `en`, `de`, `fr`, `es`, `pt-BR`, `it`, `nl`, `pl`, `tr`, `ar`, `ja`, `zh-Hans`.
     */
    texts: { [Name in MailPurpose]?: Record<string, MailText> };
  };
  /** The limits of uploads. */
  files: {
    /** The maximum size of a file, in bytes. */
    max_bytes: number;
    /**
     * The maximum total size of the files of one user, in bytes; each file counts with its size and
     * 4096 bytes.
     */
    user_quota_bytes: number;
    /** The types that may be uploaded, as detected from the content; null allows all. */
    allowed_types: string[] | null;
  };
  /** The hourly limits of the app for all callers together. */
  limits: {
    /**
     * The number of accounts created per hour, for all IP addresses together; sign-ups that prove the
     * email, by a code or an identity provider, have as many of their own. One network uses at most
     * half of them, and beyond them only networks without a sign-up in the last hour are served, at a
     * quarter of the rate. Others receive `request/rate-limited`. Accounts created by the backend are
     * not counted.
     */
    sign_ups_per_hour: number;
    /**
     * The number of codes emailed per hour to emails without an account, shared between networks like
     * `sign_ups_per_hour`; signed-in users who change their email have as many of their own, and so
     * have notices to unverified emails about a change of the account. Further mails are not sent, and
     * the response does not change.
     */
    mails_to_strangers_per_hour: number;
  };
  /** The limits of collections and their records. */
  data: {
    /** The maximum number of collections; lowering it does not remove collections. */
    max_collections: number;
    /**
     * The maximum total size of the records of one user, in bytes; each record counts with the size of
     * its fields and 512 bytes. Lowering it removes no records: a user above it can only delete
     * records and replace them by smaller ones.
     */
    user_quota_bytes: number;
  };
  /** Sign-in with provider A. */
  provider_a: {
    client_ids: {
      /**
       * The client ids on the web, which Android apps name as their server client id. The first one
       * signs in by redirect. At most 50.
       */
      web: string[];
      /** The client ids of the iOS apps. At most 50. */
      ios: string[];
      /** The client ids of the Android apps. At most 50. */
      android: string[];
    };
    /** The secret itself is never returned. */
    client_secret_set: boolean;
  };
  /** Sign-in with provider B. */
  provider_b: {
    /** The client ids on the web (Services IDs). The first one signs in by redirect. At most 50. */
    services_ids: string[];
    /** The client ids of the apps (bundle ids). At most 50. */
    bundle_ids: string[];
    /** The team at the provider. */
    team_id: string | null;
    /** The id of the private key. */
    key_id: string | null;
    /** The key itself is never returned. */
    private_key_set: boolean;
    /**
     * Why the stored key cannot work, continuing "The key …"; null if it can. Read-only: an unusable
     * key is rejected when it is set, but may have been stored by an earlier version.
     */
    private_key_fault: string | null;
  };
  /** Further identity providers by id, which is their name in paths. */
  providers: Record<
    string,
    {
      /**
       * `oidc`: an OpenID provider, whose keys are found by OpenID Connect Discovery. `github`: GitHub
       * or GitHub Enterprise, by redirect only and with a client secret, since it issues no ID tokens.
       */
      kind: 'oidc' | 'github';
      /** The name that users see. */
      name: string;
      /**
       * The `issuer` of the discovery document, which `iss` of each ID token must equal. For GitHub
       * `https://github.com`, or the URL of the GitHub Enterprise server.
       */
      issuer: string;
      /**
       * The client ids for which ID tokens are accepted (`aud`). At most 50. The first one is that of
       * sign-in by redirect.
       */
      client_ids: string[];
      /**
       * Whether the provider verifies emails so well that a verified email of it may sign in to the
       * account which has that email, if the account has verified it too. Off: the user signs in with
       * another method and then links the provider. Leave it off for a provider whose customers can
       * enter any email.
       */
      trusts_email: boolean;
      /**
       * The scopes that sign-in by redirect requests, at most 20; `openid` is always one of them, except
       * for GitHub. Null: `openid email profile`, and `read:user user:email` for GitHub.
       */
      scopes: string[] | null;
      /** The secret itself is never returned. */
      client_secret_set: boolean;
    }
  >;
  /**
   * Where users may return to from a provider, compared character by character. https URLs, http for
   * localhost, and schemes of apps; without a fragment. At most 50.
   */
  redirect_uris: string[];
  /**
   * Sign-in with passkeys: the relying party and the origins of its pages. Null switches passkeys
   * off; they are stored, and work again when the same `rp_id` is set. Set as a whole.
   */
  passkeys: {
    /**
     * The domain to which passkeys are bound: that of the origins, or one above it that somebody can
     * register, so not `com` or `github.io`. After a change of it, the passkeys of users no longer
     * work.
     */
    rp_id: string;
    /** The name that authenticators show for the app. */
    rp_name: string;
    /**
     * The origins of the pages that use passkeys: https (http for localhost), with a host that is
     * `rp_id` or below it. For an Android app `android:apk-key-hash:` and the SHA-256 of its signing
     * certificate in base64url.
     */
    origins: string[];
  } | null;
  /** The credentials of the push providers. */
  push: {
    fcm: {
      /** The project of the service account. */
      project_id: string | null;
      /** The service account itself is never returned. */
      service_account_set: boolean;
      /**
       * Why the stored key cannot work, continuing "The key …"; null if it can. Read-only: an unusable
       * key is rejected when it is set, but may have been stored by an earlier version.
       */
      service_account_fault: string | null;
    };
    apns: {
      /** The id of the key for APNs. */
      key_id: string | null;
      /** The developer team's id. */
      team_id: string | null;
      /** The app's bundle id, the topic at APNs. */
      bundle_id: string | null;
      /** The key itself is never returned. */
      private_key_set: boolean;
      /**
       * Why the stored key cannot work, continuing "The key …"; null if it can. Read-only: an unusable
       * key is rejected when it is set, but may have been stored by an earlier version.
       */
      private_key_fault: string | null;
    };
    web_push: {
      /** A contact for push services. Setting it enables Web Push: a key pair is generated and stored. */
      subject: string | null;
      /** The public key for browser subscriptions (VAPID); null until Web Push is first enabled. */
      public_key: string | null;
    };
  };
  /** When v1 is switched off, to the second; responses of v1 announce it. Null for never. */
  v1_sunset_at: string | null;
  /** When the shutdown date of v1 was first set, or that date if it is earlier; read-only. */
  v1_deprecated_at: string | null;
}

/** The settings to change. `null` clears a nullable setting, and removes an entry of a map. */
export interface AppSettingsPatch {
  /** The lifetime of an access token, in seconds. */
  access_token_seconds?: number | undefined;
  /** RS256 is for gateways that can verify RSA signatures only. */
  token_algorithm?: 'ES256' | 'RS256' | undefined;
  /** The maximum age of the sign-in that sensitive calls require. */
  recent_sign_in_minutes?: number | undefined;
  /** The target of the magic link in sign-in mails; null for no link. */
  deep_link?: string | null | undefined;
  /**
   * Origins that may call from a browser; empty allows all. `https://*.example.com` allows all
   * subdomains, and not `https://example.com` itself. Apps and extensions have origins such as
   * `capacitor://localhost` and `chrome-extension://<id>`; pages opened from a file have `null`.
   */
  allowed_origins?: string[] | undefined;
  /** `closed`: users cannot create accounts, whatever the sign-in method. */
  sign_up?: 'open' | 'closed' | undefined;
  /**
   * `optional`: users may enroll an authenticator app, and then need it for every sign-in.
   * `required`: users without one enroll it at their next sign-in; sessions that have started
   * continue. `off`: factors that were enrolled are stored, but not asked for.
   */
  second_factor?: 'off' | 'optional' | 'required' | undefined;
  /**
   * Whether to reject new passwords that are among the 10,000 most common ones or equal the name of
   * the app (`auth/weak-password`). Recommended; off by default.
   */
  refuse_common_passwords?: boolean | undefined;
  /**
   * Whether to mail a notice to a user who signs in on a device that is not known; not for the first
   * session of an account. A device is known by its `X-Device-Token`. After a new password, only the
   * device that set it is; after a new email, the removal of a passkey, a provider or the
   * authenticator app, or a sign-out everywhere, none is.
   */
  new_device_notice?: boolean | undefined;
  /**
   * The loyalty tiers, at most 50: the first at 0 points, each further tier higher, with unique
   * names.
   */
  tiers?: Tier[] | undefined;
  /**
   * A factor for each group of rate limits: 1 for the defaults, 0.5 for half as many calls in the
   * same time, 2 for twice as many.
   */
  rate_limits?:
    | {
        /**
         * Multiplies the limits of sign-ins, sign-ups and other calls that verify a credential. Above 1 it
         * does not raise the limits of failed passwords.
         */
        sign_in?: number | undefined;
        /**
         * Multiplies the limits of emailed codes and notices. Above 1 it does not raise the limits of
         * failed codes.
         */
        codes?: number | undefined;
        /** Multiplies the limits of refreshes. */
        refresh?: number | undefined;
        /** Multiplies the limits of all other calls of clients. */
        client?: number | undefined;
        /** Multiplies the limits of calls with a secret key or by a team member. */
        backend?: number | undefined;
      }
    | undefined;
  /** The sender, the branding and the texts of mails. */
  mail?:
    | {
        /** The name of the sender; null for the name of the app. In mails, `example.com` is `example com`. */
        from_name?: string | null | undefined;
        /** The email address for replies; null for none. */
        reply_to?: string | null | undefined;
        /** How mails to users look. Everything is shown as text, never as HTML. */
        branding?:
          | {
              /**
               * The https URL of a PNG or JPEG, shown 40 pixels high; null for none. Readers load it from there,
               * in a light or a dark mail.
               */
              logo_url?: string | null | undefined;
              /**
               * The color of the button; its label is white, or black where white is hard to read. Null for the
               * color of the text.
               */
              accent_color?: string | null | undefined;
              /**
               * The label of the link in sign-in mails, in every language; null for one in the reader's
               * language.
               */
              button?: string | null | undefined;
              /** A line of plain text at the end of each mail to users; null for none. */
              footer?: string | null | undefined;
            }
          | undefined;
        texts?: { [Name in MailPurpose]?: Record<string, MailText | null> | null } | undefined;
      }
    | undefined;
  /** The limits of uploads. */
  files?:
    | {
        /** The maximum size of a file, in bytes. */
        max_bytes?: number | undefined;
        /**
         * The maximum total size of the files of one user, in bytes; each file counts with its size and
         * 4096 bytes.
         */
        user_quota_bytes?: number | undefined;
        /** The types that may be uploaded, as detected from the content; null allows all. */
        allowed_types?: string[] | null | undefined;
      }
    | undefined;
  /** The hourly limits of the app for all callers together. */
  limits?:
    | {
        /**
         * The number of accounts created per hour, for all IP addresses together; sign-ups that prove the
         * email, by a code or an identity provider, have as many of their own. One network uses at most
         * half of them, and beyond them only networks without a sign-up in the last hour are served, at a
         * quarter of the rate. Others receive `request/rate-limited`. Accounts created by the backend are
         * not counted.
         */
        sign_ups_per_hour?: number | undefined;
        /**
         * The number of codes emailed per hour to emails without an account, shared between networks like
         * `sign_ups_per_hour`; signed-in users who change their email have as many of their own, and so
         * have notices to unverified emails about a change of the account. Further mails are not sent, and
         * the response does not change.
         */
        mails_to_strangers_per_hour?: number | undefined;
      }
    | undefined;
  /** The limits of collections and their records. */
  data?:
    | {
        /** The maximum number of collections; lowering it does not remove collections. */
        max_collections?: number | undefined;
        /**
         * The maximum total size of the records of one user, in bytes; each record counts with the size of
         * its fields and 512 bytes. Lowering it removes no records: a user above it can only delete
         * records and replace them by smaller ones.
         */
        user_quota_bytes?: number | undefined;
      }
    | undefined;
  /** Sign-in with provider A. */
  provider_a?:
    | {
        client_ids?:
          | {
              /**
               * The client ids on the web, which Android apps name as their server client id. The first one
               * signs in by redirect. At most 50.
               */
              web?: string[] | undefined;
              /** The client ids of the iOS apps. At most 50. */
              ios?: string[] | undefined;
              /** The client ids of the Android apps. At most 50. */
              android?: string[] | undefined;
            }
          | undefined;
        /**
         * Write-only: the secret of the first client id on the web, for sign-in by redirect; null removes
         * it.
         */
        client_secret?: string | null | undefined;
      }
    | undefined;
  /** Sign-in with provider B. */
  provider_b?:
    | {
        /** The client ids on the web (Services IDs). The first one signs in by redirect. At most 50. */
        services_ids?: string[] | undefined;
        /** The client ids of the apps (bundle ids). At most 50. */
        bundle_ids?: string[] | undefined;
        /** The former name of `services_ids`. */
        services_id?: string[] | undefined;
        /** The former name of `bundle_ids`. */
        bundle_id?: string[] | undefined;
        /** The team at the provider. */
        team_id?: string | null | undefined;
        /** The id of the private key. */
        key_id?: string | null | undefined;
        /**
         * Write-only: an elliptic curve key on P-256, as its file has it (PKCS #8 in PEM) or on one line,
         * in base64 or JSON. A key that cannot work is rejected.
         */
        private_key?: string | null | undefined;
      }
    | undefined;
  /**
   * Further identity providers by id, which is their name in paths. Each is set as a whole; null
   * removes it, and users who have linked it can no longer sign in with it.
   */
  providers?:
    | Record<
        string,
        {
          /**
           * `oidc`: an OpenID provider, whose keys are found by OpenID Connect Discovery. `github`: GitHub
           * or GitHub Enterprise, by redirect only and with a client secret, since it issues no ID tokens.
           */
          kind: 'oidc' | 'github';
          /** The name that users see. */
          name: string;
          /**
           * The `issuer` of the discovery document, which `iss` of each ID token must equal. For GitHub
           * `https://github.com`, or the URL of the GitHub Enterprise server.
           */
          issuer: string;
          /**
           * The client ids for which ID tokens are accepted (`aud`). At most 50. The first one is that of
           * sign-in by redirect.
           */
          client_ids: string[];
          /**
           * Whether the provider verifies emails so well that a verified email of it may sign in to the
           * account which has that email, if the account has verified it too. Off: the user signs in with
           * another method and then links the provider. Leave it off for a provider whose customers can
           * enter any email.
           */
          trusts_email: boolean;
          /**
           * The scopes that sign-in by redirect requests, at most 20; `openid` is always one of them, except
           * for GitHub. Null: `openid email profile`, and `read:user user:email` for GitHub.
           */
          scopes?: string[] | null | undefined;
          /**
           * Write-only: the secret of the first client id at the provider, for sign-in by redirect. One that
           * is set stays if this is not sent; null removes it, and so does a change of the issuer, which
           * would receive it.
           */
          client_secret?: string | null | undefined;
        } | null
      >
    | undefined;
  /**
   * Where users may return to from a provider, compared character by character. https URLs, http for
   * localhost, and schemes of apps; without a fragment. At most 50.
   */
  redirect_uris?: string[] | undefined;
  /**
   * Sign-in with passkeys: the relying party and the origins of its pages. Null switches passkeys
   * off; they are stored, and work again when the same `rp_id` is set. Set as a whole.
   */
  passkeys?:
    | {
        /**
         * The domain to which passkeys are bound: that of the origins, or one above it that somebody can
         * register, so not `com` or `github.io`. After a change of it, the passkeys of users no longer
         * work.
         */
        rp_id: string;
        /** The name that authenticators show for the app. */
        rp_name: string;
        /**
         * The origins of the pages that use passkeys: https (http for localhost), with a host that is
         * `rp_id` or below it. For an Android app `android:apk-key-hash:` and the SHA-256 of its signing
         * certificate in base64url.
         */
        origins: string[];
      }
    | null
    | undefined;
  /** The credentials of the push providers. */
  push?:
    | {
        fcm?:
          | {
              /** Write-only: the contents of the service account's JSON key file. */
              service_account?: string | null | undefined;
            }
          | undefined;
        apns?:
          | {
              /** The id of the key for APNs. */
              key_id?: string | null | undefined;
              /** The developer team's id. */
              team_id?: string | null | undefined;
              /** The app's bundle id, the topic at APNs. */
              bundle_id?: string | null | undefined;
              /**
               * Write-only: an elliptic curve key on P-256, as its file has it (PKCS #8 in PEM) or on one line,
               * in base64 or JSON. A key that cannot work is rejected.
               */
              private_key?: string | null | undefined;
            }
          | undefined;
        web_push?:
          | {
              /** A contact for push services. Setting it enables Web Push: a key pair is generated and stored. */
              subject?: string | null | undefined;
            }
          | undefined;
      }
    | undefined;
  /** When v1 is switched off: an ISO 8601 time, truncated to the second; null for never. */
  v1_sunset_at?: string | null | undefined;
}

/** The app as files. */
export interface AppFiles {
  /** The slug of the app. */
  app: string;
  /** Sorted by path. */
  files: {
    /** The path in the folder: `app.yaml`, or `mails/<language>/<purpose>.md`. */
    path: string;
    /** The content of the file. Secrets appear as references to environment variables. */
    text: string;
  }[];
  /** The current version of each group, to be sent with a change of it. */
  versions: {
    /** The current version of the group. */
    settings: string;
    /** The current version of the group. */
    remote_config: string;
    /** The current version of the group. */
    collections: string;
    /** The current version of the group. */
    webhooks: string;
  };
}

/** A change of one group: of the settings, or of all parameters, collections or webhooks. */
export interface AppFilesChange {
  /** The version of the group as it was read; if it is no longer current, nothing changes. */
  version: string;
  /** The settings to change, as in `PATCH /admin/settings`. */
  settings?: AppSettingsPatch | undefined;
  /** The parameters by name. */
  remote_config?: Record<string, NewConfigParameter> | undefined;
  /** All collections of the app: others are deleted. */
  collections?:
    | {
        /** The name of the collection. */
        name: string;
        /**
         * The permissions of clients without a secret key; with a secret key every call is allowed.
         * `admin`: none. `public_read`: any client can read. `signed_in_read`: signed-in users can read.
         * `owner`: users can read, create and change their own records. `owner_public_read`,
         * `owner_signed_in_read`: in addition, any client or any signed-in user can read. `shared`:
         * signed-in users can read, create and change all records.
         */
        access_mode: AccessMode;
        /**
         * What happens to the records of a user whose account is deleted; kept records keep their
         * `owner_uid`.
         */
        on_user_delete: 'delete' | 'keep';
        /** Fields by which queries can filter and sort without reading the whole collection; at most 10. */
        indexed_fields: string[];
      }[]
    | undefined;
  /**
   * All webhooks of the app: those with a URL that is not in the list are deleted. One with the same
   * URL as before keeps its secret.
   */
  webhooks?:
    | {
        /** A public https URL without credentials; redirects are not followed. */
        url: string;
        /** For the team. */
        description?: string | null | undefined;
        /**
         * The types of events to send; empty for all types but those of the audit log, including types of
         * later versions. Entries of the audit log are sent to webhooks that name them: `audit.*` for all,
         * or single ones such as `audit.settings.updated`.
         */
        types?: AppEventType[] | undefined;
        /** Whether events are sent to it. Default: `true`. */
        enabled?: boolean | undefined;
      }[]
    | undefined;
  /**
   * Whether collections that are deleted may have records; without it the call is rejected. Default:
   * `false`.
   */
  delete_records?: boolean | undefined;
}

/** The result of a change. */
export interface AppFilesResult {
  /** The new version of the group. */
  version: string;
  /** The webhooks that were added, with their secrets. */
  new_webhooks: {
    /** The URL of the webhook. */
    url: string;
    /** Verifies the signatures (Standard Webhooks). It is returned only once. */
    secret: string;
  }[];
}

/** The statistics of one day. */
export interface DailyStats {
  /** The day in UTC. */
  date: string;
  /** Accounts created by users and by the backend; imports are not counted. */
  sign_ups: number;
  /** Those of `sign_ups` that the backend or the team created. */
  sign_ups_by_backend: number;
  /** Sessions started, by sign-in method; a sign-up that starts a session is counted. */
  sign_ins: {
    password: number;
    email_code: number;
    provider_a: number;
    provider_b: number;
    v1_exchange: number;
    passkey: number;
    provider: number;
  };
  /** Sign-ins rejected for a wrong password, code or token, or because the account is disabled. */
  failed_sign_ins: number;
  /** Sessions started after a second step. */
  second_factor_sign_ins: number;
  /** Second steps rejected for a wrong proof. */
  failed_second_factors: number;
  /** Users who signed in or refreshed a session on this day, with v2. */
  active_users: number;
  /** Users who used v1 on this day; a user of both versions is counted in both. */
  v1_active_users: number;
  /** Error responses, by code. */
  errors: Record<string, number>;
}

/** The statistics of the days that were read. */
export interface StatsReport {
  /** One entry per day, oldest first. */
  days: DailyStats[];
  /** The size of the app now. */
  totals: {
    /** The users of the app now, disabled ones included; 1,000,000 if there are more. */
    users: number;
    /** When the statistics were read. */
    as_of: string;
  };
}

/** The days to read. */
export interface StatsQuery {
  /** The first day in UTC; 29 days before `to` by default. */
  from?: string | undefined;
  /** The last day in UTC; today by default. */
  to?: string | undefined;
}

/** The mail to render. */
export interface MailDraft {
  /** Which mail. */
  purpose:
    | 'sign_in'
    | 'reset'
    | 'verification'
    | 'email_change'
    | 'password_changed'
    | 'email_changed'
    | 'provider_linked'
    | 'provider_unlinked'
    | 'passkey_added'
    | 'passkey_removed'
    | 'unproven_removed'
    | 'second_factor_enrolled'
    | 'second_factor_removed'
    | 'recovery_code_used'
    | 'new_device'
    | 'export_ready'
    | 'account_deleted';
  /**
   * The language of the reader; as in a real mail, another one is used if there are no words in it.
   * Default: `en`.
   */
  language?: string | undefined;
  /** The text in this language, to use in place of the stored one. Notices have none. */
  text?: MailText | undefined;
  /** The branding to use in place of the stored one, as far as it is given. */
  branding?:
    | {
        /**
         * The https URL of a PNG or JPEG, shown 40 pixels high; null for none. Readers load it from there,
         * in a light or a dark mail.
         */
        logo_url?: string | null | undefined;
        /**
         * The color of the button; its label is white, or black where white is hard to read. Null for the
         * color of the text.
         */
        accent_color?: string | null | undefined;
        /**
         * The label of the link in sign-in mails, in every language; null for one in the reader's
         * language.
         */
        button?: string | null | undefined;
        /** A line of plain text at the end of each mail to users; null for none. */
        footer?: string | null | undefined;
      }
    | undefined;
}

/** A mail as a user receives it. */
export interface RenderedMail {
  /** The name of the sender. */
  from_name: string;
  /** The email of the sender (`MAIL_FROM`); null if the service has no mail server. */
  from_email: string | null;
  /** The email for replies; null for none. */
  reply_to: string | null;
  /** The subject. */
  subject: string;
  /** The plain text part. */
  text: string;
  /**
   * The HTML part: a document without scripts that loads nothing but the logo. Show it in a
   * sandboxed frame only.
   */
  html: string;
  /** The language of the mail. */
  language: string;
  /** The words with their placeholders: those of the app, or the built-in ones. */
  words: MailText;
}

/** The result of each step. */
export interface ProviderCheck {
  /** True if no step failed. */
  ok: boolean;
  /** In the order in which problems are best solved. */
  steps: {
    /** What was checked. */
    name: string;
    /** `skipped`: an earlier step failed, or the step does not apply. */
    status: 'passed' | 'failed' | 'skipped';
    /** The result, and for a failure what to change. */
    message: string;
  }[];
}

/** Whether the token is valid, with its user and session or the reason. */
export type TokenVerdict =
  | {
      active: true;
      /** The user; `sub` of the token. */
      uid: string;
      /** The session; `sid` of the token. */
      session_id: string;
      /** The custom claims in the token; empty when there are none. */
      claims: Record<string, unknown>;
      /** When the user signed in or last reauthenticated. */
      auth_time: string;
      /** When the token was issued. */
      issued_at: string;
      /** When the token expires. */
      expires_at: string;
      /** The current user; null only with `check_revoked: false`, if the account was deleted. */
      user: User | null;
    }
  | {
      active: false;
      /**
       * `auth/token-expired`, `auth/user-disabled`, or otherwise `auth/invalid-token`: forged, of
       * another app, or of a session that has ended.
       */
      reason: 'auth/token-expired' | 'auth/user-disabled' | 'auth/invalid-token';
    };

/** The type of an event of the app. */
export type AppEventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.email_verified'
  | 'user.password_changed'
  | 'user.passkey_added'
  | 'user.passkey_removed'
  | 'user.second_factor_enrolled'
  | 'user.second_factor_removed'
  | 'session.created'
  | 'session.ended'
  | 'loyalty.points_changed'
  | 'audit.*'
  | 'audit.app.created'
  | 'audit.app.renamed'
  | 'audit.app.disabled'
  | 'audit.app.enabled'
  | 'audit.app.deleted'
  | 'audit.member.invited'
  | 'audit.member.invitation_revoked'
  | 'audit.member.joined'
  | 'audit.member.role_changed'
  | 'audit.member.removed'
  | 'audit.member.refused'
  | 'audit.mail.tested'
  | 'audit.settings.updated'
  | 'audit.secret_key.created'
  | 'audit.secret_key.revoked'
  | 'audit.secret_key.refused'
  | 'audit.secrets.reencrypted'
  | 'audit.signing_keys.rotated'
  | 'audit.user.created'
  | 'audit.user.updated'
  | 'audit.user.disabled'
  | 'audit.user.enabled'
  | 'audit.user.claims_set'
  | 'audit.user.sessions_revoked'
  | 'audit.user.limits_lifted'
  | 'audit.user.code_sent'
  | 'audit.user.note_added'
  | 'audit.user.export_requested'
  | 'audit.session.revoked'
  | 'audit.users.imported'
  | 'audit.users.exported'
  | 'audit.users.imported_from_v1'
  | 'audit.user.signed_up'
  | 'audit.user.signed_in'
  | 'audit.user.sign_in_failed'
  | 'audit.user.guesses_limited'
  | 'audit.user.mails_slowed'
  | 'audit.app.limit_reached'
  | 'audit.user.second_factor_enrolled'
  | 'audit.user.second_factor_removed'
  | 'audit.user.second_factor_failed'
  | 'audit.user.recovery_code_used'
  | 'audit.user.recovery_codes_replaced'
  | 'audit.user.signed_out'
  | 'audit.user.signed_out_everywhere'
  | 'audit.session.ended'
  | 'audit.session.refresh_reuse'
  | 'audit.user.reauthenticated'
  | 'audit.user.reauthentication_failed'
  | 'audit.user.password_reset'
  | 'audit.user.password_reset_failed'
  | 'audit.user.password_changed'
  | 'audit.user.email_changed'
  | 'audit.user.email_confirmation_failed'
  | 'audit.user.email_verified'
  | 'audit.user.unproven_removed'
  | 'audit.user.deleted'
  | 'audit.push.sent'
  | 'audit.push.cancelled'
  | 'audit.identity.linked'
  | 'audit.identity.link_failed'
  | 'audit.identity.unlinked'
  | 'audit.passkey.added'
  | 'audit.passkey.add_failed'
  | 'audit.passkey.removed'
  | 'audit.passkey.refused'
  | 'audit.provider.token_refused'
  | 'audit.provider.exchange_failed'
  | 'audit.provider.revocation_failed'
  | 'audit.file.uploaded'
  | 'audit.file.url_created'
  | 'audit.file.deleted'
  | 'audit.loyalty.entry_added'
  | 'audit.config.updated'
  | 'audit.config.rolled_back'
  | 'audit.webhook.created'
  | 'audit.webhook.updated'
  | 'audit.webhook.deleted'
  | 'audit.webhook.disabled'
  | 'audit.webhook.secret_rotated'
  | 'audit.webhook.tested'
  | 'audit.webhook.delivery_retried'
  | 'audit.webhook.replayed'
  | 'audit.collection.created'
  | 'audit.collection.updated'
  | 'audit.collection.deleted'
  | 'audit.record.created'
  | 'audit.record.replaced'
  | 'audit.record.updated'
  | 'audit.record.deleted'
  | 'audit.audit.left_out';

/** An event of the app. */
export type AppEvent =
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.created';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.updated';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.deleted';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        /** Whether the user or an admin deleted the account. */
        reason: 'self' | 'admin';
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.disabled';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.enabled';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.email_verified';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.password_changed';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        /**
         * Such as `changed`, `reset`, or `unproven` for a password that was removed because it was set
         * before the email was verified.
         */
        reason?: string | undefined;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.passkey_added';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        passkey: {
          /** The passkey. */
          id: string;
        };
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.passkey_removed';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        passkey: {
          /** The passkey. */
          id: string;
        };
        /**
         * Whether the user or an admin removed it, or the service, because it was added before the email
         * was verified.
         */
        reason: 'self' | 'admin' | 'unproven';
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.second_factor_enrolled';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.second_factor_removed';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        /** `self`, `admin`, or `unproven` for a factor that was enrolled before the email was verified. */
        reason: string;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'session.created';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        session: WebhookSession;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'session.ended';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        session: {
          /** The session; `sid` in its access tokens. */
          id: string;
          /** How the user signed in. */
          method:
            | 'password'
            | 'email_code'
            | 'provider_a'
            | 'provider_b'
            | 'v1_exchange'
            | 'passkey'
            | 'provider';
          /**
           * Such as `sign_out`, `sign_out_all`, `ended_by_user`, `session_limit`, `refresh_reuse`,
           * `password_change`, `password_reset`, `user_deleted`.
           */
          reason: string;
        };
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'loyalty.points_changed';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        /** The balance after this entry. */
        points: number;
        /** An entry of the ledger, as the backend sees it. */
        entry: LedgerEntry;
      };
    };

/** A webhook to add. */
export interface NewWebhook {
  /** A public https URL without credentials; redirects are not followed. */
  url: string;
  /** For the team. */
  description?: string | null | undefined;
  /**
   * The types of events to send; empty for all types but those of the audit log, including types of
   * later versions. Entries of the audit log are sent to webhooks that name them: `audit.*` for all,
   * or single ones such as `audit.settings.updated`.
   */
  types?: AppEventType[] | undefined;
}

/** The properties of a webhook to change. */
export interface WebhookPatch {
  /** A public https URL without credentials; redirects are not followed. */
  url?: string | undefined;
  /** For the team. */
  description?: string | null | undefined;
  /**
   * The types of events to send; empty for all types but those of the audit log, including types of
   * later versions. Entries of the audit log are sent to webhooks that name them: `audit.*` for all,
   * or single ones such as `audit.settings.updated`.
   */
  types?: AppEventType[] | undefined;
  /** Whether events are sent to it. */
  enabled?: boolean | undefined;
}

/** A receiver of the app's events. */
export interface Webhook {
  /** The webhook. */
  id: string;
  /** A public https URL without credentials; redirects are not followed. */
  url: string;
  /** For the team. */
  description: string | null;
  /**
   * The types of events to send; empty for all types but those of the audit log, including types of
   * later versions. Entries of the audit log are sent to webhooks that name them: `audit.*` for all,
   * or single ones such as `audit.settings.updated`.
   */
  types: AppEventType[];
  /** Whether events are sent to it. */
  enabled: boolean;
  /**
   * `admin`: disabled by a call; `gone`: the receiver returned 410; `failing`: no successful
   * delivery for five days. Null while it is enabled.
   */
  disabled_reason: 'admin' | 'gone' | 'failing' | null;
  /** The first failure since the last success. */
  failing_since: string | null;
  /** When the previous secret stops signing. */
  previous_secret_expires_at: string | null;
  /** When it was created. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
}

/** The webhook, and its new secret. */
export interface WebhookWithSecret {
  /** The webhook. */
  id: string;
  /** A public https URL without credentials; redirects are not followed. */
  url: string;
  /** For the team. */
  description: string | null;
  /**
   * The types of events to send; empty for all types but those of the audit log, including types of
   * later versions. Entries of the audit log are sent to webhooks that name them: `audit.*` for all,
   * or single ones such as `audit.settings.updated`.
   */
  types: AppEventType[];
  /** Whether events are sent to it. */
  enabled: boolean;
  /**
   * `admin`: disabled by a call; `gone`: the receiver returned 410; `failing`: no successful
   * delivery for five days. Null while it is enabled.
   */
  disabled_reason: 'admin' | 'gone' | 'failing' | null;
  /** The first failure since the last success. */
  failing_since: string | null;
  /** When the previous secret stops signing. */
  previous_secret_expires_at: string | null;
  /** When it was created. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** Verifies the signatures (Standard Webhooks). It is returned only once. */
  secret: string;
}

/** The delivery of one event to one webhook. */
export interface WebhookDelivery {
  /** The delivery. */
  id: string;
  /** The delivered event; `webhook-id` of each attempt. */
  event_id: string;
  /** The type of the event. */
  event_type: WebhookEventType;
  /**
   * The user of the event or audit entry; null if it has none, as a test, or if it is no longer
   * stored.
   */
  uid: string | null;
  /** Why the delivery was created. */
  trigger: 'event' | 'replay' | 'test';
  /** `pending` until an attempt succeeds or no attempt is left. */
  status: 'pending' | 'succeeded' | 'failed';
  /** The number of attempts so far. */
  attempts: number;
  /** The time of the next attempt; null if there is none. */
  next_attempt_at: string | null;
  /** The time of the last attempt. */
  last_attempt_at: string | null;
  /** The status code of the last response, if there was one. */
  response_status: number | null;
  /** The duration of the last attempt in milliseconds. */
  duration_ms: number | null;
  /** Why the last attempt failed, for developers. */
  error: string | null;
  /** When the delivery was created. */
  created_at: string;
}

/** A delivery, with its last request and response. */
export interface WebhookDeliveryDetails {
  /** The delivery. */
  id: string;
  /** The delivered event; `webhook-id` of each attempt. */
  event_id: string;
  /** The type of the event. */
  event_type: WebhookEventType;
  /**
   * The user of the event or audit entry; null if it has none, as a test, or if it is no longer
   * stored.
   */
  uid: string | null;
  /** Why the delivery was created. */
  trigger: 'event' | 'replay' | 'test';
  /** `pending` until an attempt succeeds or no attempt is left. */
  status: 'pending' | 'succeeded' | 'failed';
  /** The number of attempts so far. */
  attempts: number;
  /** The time of the next attempt; null if there is none. */
  next_attempt_at: string | null;
  /** The time of the last attempt. */
  last_attempt_at: string | null;
  /** The status code of the last response, if there was one. */
  response_status: number | null;
  /** The duration of the last attempt in milliseconds. */
  duration_ms: number | null;
  /** Why the last attempt failed, for developers. */
  error: string | null;
  /** When the delivery was created. */
  created_at: string;
  /** The last request; null before the first attempt. */
  request: {
    /** The URL to which it was sent. */
    url: string;
    /** The headers, without the signature. */
    headers: Record<string, string>;
    /**
     * The body, as text; null if the event is no longer stored. Once an account is deleted, its
     * personal data is removed here, although it was sent.
     */
    body: string | null;
  } | null;
  /**
   * The first 1,000 characters of the last response, as the receiver sent them: untrusted text. Null
   * if there was no response, it had no body, or the user of the event was deleted.
   */
  response_body: string | null;
}

/** Filters of the list of deliveries. */
export interface DeliveryQuery {
  /** The page size, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
  /** Deliveries with this status only. */
  status?: 'pending' | 'succeeded' | 'failed' | undefined;
}

/** The period whose events are sent again. */
export interface ReplayStretch {
  /** Events at or after this time are sent again. */
  since: string;
  /** Events before this time are sent again; later than `since`, and now by default. */
  until?: string | undefined;
}

/** The replay was accepted: the events are sent from now on, oldest first. */
export interface WebhookReplay {
  /** The replay. */
  id: string;
  /** As requested. */
  since: string;
  /** As requested, or the time of the call. */
  until: string;
}

/** Filters of the list of events, combined with AND. */
export interface EventQuery {
  /** The page size, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
  /** Events of this type only. */
  type?:
    | 'user.created'
    | 'user.updated'
    | 'user.deleted'
    | 'user.disabled'
    | 'user.enabled'
    | 'user.email_verified'
    | 'user.password_changed'
    | 'user.passkey_added'
    | 'user.passkey_removed'
    | 'user.second_factor_enrolled'
    | 'user.second_factor_removed'
    | 'session.created'
    | 'session.ended'
    | 'loyalty.points_changed'
    | undefined;
  /** Events of this user only. */
  uid?: string | undefined;
  /** Events at or after this time. */
  created_after?: string | undefined;
  /** Events before this time. */
  created_before?: string | undefined;
}

/** List the topics of push messages. */
export interface AdminPushTopicsInput {
  /** The page size, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
  /** Topics that begin with this text. */
  prefix?: string | undefined;
}
