// What the calls of an app's backend send and receive. Generated from the contract by `npm run generate`. Do not edit.
import type { ServerCode } from './error-codes.js';
import type { FileVisibility, LoyaltyStatus, Provider, PushProvider, User } from './models.js';
import type { WebhookEventType } from './webhook-models.js';

/** A user of the app, as the app's own backend sees it. */
export interface AdminUser {
  /** The user within the app; never changes. */
  uid: string;
  /** Always lower-case. */
  email: string;
  /** False after sign-up with a password. */
  email_verified: boolean;
  /** Null until one is given. */
  first_name: string | null;
  /** Null until one is given. */
  last_name: string | null;
  /** An https address, or null. */
  photo_url: string | null;
  /** When the account was made. */
  created_at: string;
  /** A disabled user can neither sign in nor refresh. */
  disabled: boolean;
  /** Whether a password is set. */
  has_password: boolean;
  /** The identity providers that are linked. */
  providers: Provider[];
  /** The custom claims of the user, at most 1000 bytes of JSON; `claims` in access tokens. */
  claims: Record<string, unknown>;
  /** The loyalty programme's. */
  member_id: string;
  /** The loyalty balance. */
  points: number;
  /** The last change of the account. */
  updated_at: string;
  /** Null before the first sign-in. */
  last_sign_in_at: string | null;
  /** The latest sign-in, refresh or use of v1; null before the first. */
  last_active_at: string | null;
  /** The latest use of v1, to the hour; null if never. */
  v1_last_used_at: string | null;
}

/** A user to create. Without a password the user signs in with an emailed code or a provider. */
export interface NewUser {
  /** Trimmed and lower-cased by the service; one address, at most 254 characters. */
  email: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password?: string | undefined;
  /** At most 100 characters; null or blank for none. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank for none. */
  last_name?: string | null | undefined;
  /** An https address of at most 2,048 characters; null for none. */
  photo_url?: string | null | undefined;
  /** False unless given. */
  email_verified?: boolean | undefined;
  /** False unless given. */
  disabled?: boolean | undefined;
  /** At most 1000 bytes of JSON; no reserved name of a JWT, and no integer beyond ±(2⁵³−1). */
  claims?: Record<string, unknown> | undefined;
  /** Unique in the app; ten random digits unless given. */
  member_id?: string | undefined;
  /** The first entry of the loyalty ledger; none for 0. */
  points?: number | undefined;
}

/**
 * The fields to change. `null` clears a field. A new password, and `disabled: true`, end every
 * session. A new email is unverified unless `email_verified` is given.
 */
export interface UserPatch {
  /** Trimmed and lower-cased by the service; one address, at most 254 characters. */
  email?: string | undefined;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password?: string | undefined;
  /** At most 100 characters; null or blank for none. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank for none. */
  last_name?: string | null | undefined;
  /** An https address of at most 2,048 characters; null for none. */
  photo_url?: string | null | undefined;
  /** Whose the email is. */
  email_verified?: boolean | undefined;
  /** Whether the user is kept out. */
  disabled?: boolean | undefined;
  /** Unique in the app; ten random digits unless given. */
  member_id?: string | undefined;
}

/**
 * A user to be made. One with `points` is refused: they are added as an entry of the ledger, when
 * the user is made.
 */
export interface ImportUser {
  /** Trimmed and lower-cased by the service; one address, at most 254 characters. */
  email: string;
  /** At most 100 characters; null or blank for none. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank for none. */
  last_name?: string | null | undefined;
  /** An https address of at most 2,048 characters; null for none. */
  photo_url?: string | null | undefined;
  /** False unless given. */
  email_verified?: boolean | undefined;
  /** False unless given. */
  disabled?: boolean | undefined;
  /** At most 1000 bytes of JSON; no reserved name of a JWT, and no integer beyond ±(2⁵³−1). */
  claims?: Record<string, unknown> | undefined;
  /** Unique in the app; ten random digits unless given. */
  member_id?: string | undefined;
}

/** What became of each user. */
export interface ImportReport {
  /** How many users were made. */
  created: number;
  /** Those that were not made, in their order; the others were. */
  failed: {
    /** The place in `users`, from 0. */
    index: number;
    /** Why. */
    code: ServerCode;
    /** For developers. */
    message: string;
  }[];
}

/** Filters of the list of users, combined with AND, and its order. */
export interface UserQuery {
  /** Items a page, at most 500. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
  /** The beginning of the email, first or last name in any case, or a whole uid or member id. */
  q?: string | undefined;
  /** The whole email. */
  email?: string | undefined;
  disabled?: boolean | undefined;
  email_verified?: boolean | undefined;
  /** Users who have linked this provider. */
  provider?: Provider | undefined;
  /** Users of this time or later. */
  created_after?: string | undefined;
  /** Users before this time. */
  created_before?: string | undefined;
  /** Users whose latest use of v1 is of this time or later. */
  v1_used_after?: string | undefined;
  /** A minus turns it round: newest first, unless another is asked for. Default: `-created_at`. */
  order?: '-created_at' | 'created_at' | 'email' | '-email' | undefined;
}

/** Something that was done to the app or to an account of it. */
export interface AuditEntry {
  /** The entry; entries sort by it, oldest first. */
  id: string;
  /**
   * Who did it: `user:<uid>`, `secret_key:<id>`, `member:<uid>`, `command_line`, `service`, or
   * `anonymous`.
   */
  actor: string;
  /** What was done; a new action may be added at any time. */
  action: string;
  /** What it was done to: a kind and an id, such as `user:<uid>` or `secret_key:<id>`. */
  target: string;
  /** The user that the entry speaks of, if any. */
  uid: string | null;
  /** Where it came from; null where that is not known, or the account was deleted. */
  ip_address: string | null;
  /** More, by action; empty once the account was deleted. */
  details: Record<string, unknown>;
  /** When it was done. */
  created_at: string;
}

/** Filters of the audit log, combined with AND. */
export interface AuditLogQuery {
  /** Items a page, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
  /** Entries of this actor. */
  actor?: string | undefined;
  /** Entries of this action. */
  action?: string | undefined;
  /** Entries about this target. */
  target?: string | undefined;
  /** Entries that speak of this user. */
  uid?: string | undefined;
  /** Entries of this time or later. */
  created_after?: string | undefined;
  /** Entries before this time. */
  created_before?: string | undefined;
}

/**
 * Who may do what without a secret key, which may do everything. `admin`: nobody. `public_read`:
 * any client reads. `signed_in_read`: signed-in users read. `owner`: a user reads, creates and
 * changes the own records. `owner_public_read`, `owner_signed_in_read`: the same, and any client
 * or signed-in user reads. `shared`: signed-in users read, create and change all records.
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
   * Who may do what without a secret key, which may do everything. `admin`: nobody. `public_read`:
   * any client reads. `signed_in_read`: signed-in users read. `owner`: a user reads, creates and
   * changes the own records. `owner_public_read`, `owner_signed_in_read`: the same, and any client
   * or signed-in user reads. `shared`: signed-in users read, create and change all records.
   */
  access_mode: AccessMode;
  /** What becomes of a user’s records when the account is deleted; kept ones keep their `owner_uid`. */
  on_user_delete: 'delete' | 'keep';
  /** The fields that are indexed. */
  indexed_fields: string[];
  /** Those of `indexed_fields` whose index is not complete yet: no query uses it so far. */
  building_fields: string[];
  /** When it was declared. */
  created_at: string;
  /** When its declaration was last changed. */
  updated_at: string;
}

/** A collection to declare. */
export interface NewCollection {
  /** The name of the collection. */
  name: string;
  /**
   * Who may do what without a secret key, which may do everything. `admin`: nobody. `public_read`:
   * any client reads. `signed_in_read`: signed-in users read. `owner`: a user reads, creates and
   * changes the own records. `owner_public_read`, `owner_signed_in_read`: the same, and any client
   * or signed-in user reads. `shared`: signed-in users read, create and change all records. Default:
   * `admin`.
   */
  access_mode?: AccessMode | undefined;
  /**
   * What becomes of a user’s records when the account is deleted; kept ones keep their `owner_uid`.
   * Default: `delete`.
   */
  on_user_delete?: 'delete' | 'keep' | undefined;
  /** Fields that queries find and sort by without reading the whole collection; at most 10. */
  indexed_fields?: string[] | undefined;
}

/** The parts of a declaration to change. */
export interface CollectionPatch {
  /**
   * Who may do what without a secret key, which may do everything. `admin`: nobody. `public_read`:
   * any client reads. `signed_in_read`: signed-in users read. `owner`: a user reads, creates and
   * changes the own records. `owner_public_read`, `owner_signed_in_read`: the same, and any client
   * or signed-in user reads. `shared`: signed-in users read, create and change all records.
   */
  access_mode?: AccessMode | undefined;
  /** What becomes of a user’s records when the account is deleted; kept ones keep their `owner_uid`. */
  on_user_delete?: 'delete' | 'keep' | undefined;
  /** Fields that queries find and sort by without reading the whole collection; at most 10. */
  indexed_fields?: string[] | undefined;
}

/** A parameter of the remote config. */
export interface ConfigParameter {
  /** `json` is an object or a list; apps get it as a JSON string. */
  type: 'string' | 'number' | 'boolean' | 'json';
  /**
   * Of that type, and real JSON where that is `json`. Numbers are those of IEEE 754; infinite ones,
   * −0 and integers beyond ±(2⁵³−1) are refused, in objects and lists too.
   */
  value: unknown;
  /** For the team; apps do not see it. At most 1000 characters. */
  description: string;
}

/** A parameter of the remote config to write. */
export interface NewConfigParameter {
  /** `json` is an object or a list; apps get it as a JSON string. */
  type: 'string' | 'number' | 'boolean' | 'json';
  /**
   * Of that type, and real JSON where that is `json`. Numbers are those of IEEE 754; infinite ones,
   * −0 and integers beyond ±(2⁵³−1) are refused, in objects and lists too.
   */
  value: unknown;
  /** For the team; apps do not see it. At most 1000 characters. */
  description?: string | undefined;
}

/** A version of the remote config, without its parameters. */
export interface ConfigVersion {
  /** Counts up by one with each change. */
  version: number;
  /** When this version was written. */
  updated_at: string;
  /** Who wrote it, as in the audit log; `system` for the first version. */
  updated_by: string;
  /** The version whose parameters it brought back; null for a change. */
  rolled_back_to: number | null;
}

/** A version of the remote config with all its parameters. */
export interface ConfigSnapshot {
  /** Counts up by one with each change. */
  version: number;
  /** When this version was written. */
  updated_at: string;
  /** Who wrote it, as in the audit log; `system` for the first version. */
  updated_by: string;
  /** Every parameter by its name. */
  parameters: Record<string, ConfigParameter>;
}

/** Filters of the list of files, combined with AND. */
export interface FileQuery {
  /** Items a page, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
  /** The files of this user alone. */
  owner_uid?: string | undefined;
  /** Files of this visibility alone. */
  visibility?: FileVisibility | undefined;
}

/** An entry of the ledger, as the backend sees it. */
export interface LedgerEntry {
  /** The entry; later entries sort after earlier ones. */
  id: string;
  /** The points that were added, or taken away. */
  points: number;
  /** For the user: what the points are for. */
  description: string;
  /** When the entry was made. */
  created_at: string;
  /** The backend's own name for the entry. */
  reference: string | null;
}

/** An entry to add to the ledger of points. */
export interface NewLedgerEntry {
  /** To add, or below zero to take away; at most 1,000,000,000 either way. */
  points: number;
  /** The user reads it in the history. */
  description: string;
  /** Your own name for this entry, once for each user. */
  reference?: string | null | undefined;
}

/** The entry, and the status of the user now. */
export interface AddedEntry {
  /** An entry of the ledger, as the backend sees it. */
  entry: LedgerEntry;
  /** A user's balance of points, and the tier it reaches. */
  loyalty: LoyaltyStatus;
}

/** Who is left on v1, beside who uses v2. */
export interface MigrationReport {
  /** Users who used v1 in the last 7 days; exact, to the hour. */
  v1_active_users_7d: number;
  /** The same for the last 30 days. */
  v1_active_users_30d: number;
  /** Tokens of v1 that still work; exact. */
  v1_live_tokens: number;
  /** Users who signed in to v2 or refreshed in the last 30 days; counted once an hour. */
  v2_active_users_30d: number;
  /** When the figures of v1 were counted: now. */
  as_of: string;
  /** The shutdown date of v1; null while there is none. */
  sunset_at: string | null;
}

/** What a device shows. */
export interface PushNotification {
  /** The first line. */
  title: string;
  /** The text below it. */
  body: string;
  /** An https address of a picture. */
  image_url?: string | undefined;
}

/** How a message is delivered. */
export interface PushDelivery {
  /** How long the provider keeps the message for a device it cannot reach; 28 days when absent. */
  ttl_seconds?: number | undefined;
  /** `high` when absent; `normal` may wait until the device wakes anyhow. */
  priority?: 'high' | 'normal' | undefined;
  /** A later message with the same key replaces one that has not been shown. */
  collapse_key?: string | undefined;
  /** The number on the icon, on iOS. */
  badge?: number | undefined;
  /** A sound of the app, or 'default', on iOS and Android. */
  sound?: string | undefined;
}

/** The recipients: exactly one of these. */
export interface PushTarget {
  /** The devices of these users, at most 1000; users who are not there are passed over. */
  uids?: string[] | undefined;
  /** These devices, at most 1000. */
  device_ids?: string[] | undefined;
  /** Every device subscribed to it. Whoever has the app key can subscribe one. */
  topic?: string | undefined;
  /**
   * Every device of the app. Whoever has the app key can register one: nothing personal belongs
   * here.
   */
  all?: true | undefined;
}

/** A message to send: a notification, data, or both, to one target. */
export interface NewPushMessage {
  /** The devices of these users, at most 1000; users who are not there are passed over. */
  uids?: string[] | undefined;
  /** These devices, at most 1000. */
  device_ids?: string[] | undefined;
  /** Every device subscribed to it. Whoever has the app key can subscribe one. */
  topic?: string | undefined;
  /**
   * Every device of the app. Whoever has the app key can register one: nothing personal belongs
   * here.
   */
  all?: true | undefined;
  /** What the device shows. */
  notification?: PushNotification | undefined;
  /**
   * For the app itself, strings alone. `aps`, `from`, `message_type`, `google…` and `gcm…` are no
   * keys.
   */
  data?: Record<string, string> | undefined;
  /** How it is carried. */
  options?: PushDelivery | undefined;
  /** Judges the message and counts its devices; nothing is kept or sent. */
  dry_run?: boolean | undefined;
}

/** A message that was taken. */
export interface PushSent {
  /** The id of the message; null after a dry run. */
  id: string | null;
  /** `dry_run`: the message could be sent, and was not. */
  status: 'queued' | 'dry_run';
  /** Active devices that it is meant for now. */
  target_count: number;
}

/** A push message and what became of it. */
export interface PushMessage {
  /** A ULID. */
  id: string;
  /**
   * `queued`: not begun. `sending`: some devices are still to be tried, or tried again. `done`:
   * nothing is left to do; it was taken for one device at least, or there was none that it could
   * have gone to: none was meant, or every token was found to be no more. `failed`: it was stopped,
   * because a provider refused the credentials or the message, or the app was switched off, and
   * `error` says which; or it was taken for no device, though one of them might have got it.
   */
  status: 'queued' | 'sending' | 'done' | 'failed';
  /** Whom it was meant for. */
  target: PushTarget;
  /** As it was sent. */
  notification: PushNotification | null;
  /**
   * For the app itself, strings alone. `aps`, `from`, `message_type`, `google…` and `gcm…` are no
   * keys.
   */
  data: Record<string, string> | null;
  /** As they were sent. */
  options: PushDelivery;
  /** Active devices when it was sent. */
  target_count: number;
  /** Devices whose provider took it; that it arrived is known to nobody. */
  accepted_count: number;
  /**
   * Devices that did not get it, and are kept. Those that were not tried before it was stopped are
   * in no count.
   */
  failed_count: number;
  /** Devices whose token was found to be no more. */
  invalid_count: number;
  /** Why it was stopped, or null. */
  error: string | null;
  /** ISO 8601, UTC, with microseconds. */
  created_at: string;
  /** When nothing was left to do. */
  finished_at: string | null;
}

/** What a provider said of one message and one device. */
export interface PushReceipt {
  /** A ULID. */
  device_id: string;
  /** Who carried it. */
  provider: PushProvider;
  /**
   * `accepted`: the provider took it, never that it arrived. `failed`: this device did not get it,
   * and is kept. `invalid`: the token is no more. `retrying`: it is tried again.
   */
  status: 'accepted' | 'failed' | 'invalid' | 'retrying';
  /** The provider's word for what was wrong, or ours where it gave none. */
  error: string | null;
  /** The provider's name for what it took. */
  provider_message_id: string | null;
  /** How often it was tried. */
  attempts: number;
  /** ISO 8601, UTC, with microseconds. */
  updated_at: string;
}

/** A loyalty tier. */
export interface Tier {
  /** The name of the tier. */
  tier: string;
  /** The balance from which a user has it. */
  min_points: number;
}

/** A rate limit that an app can set, named as in `RateLimit-Policy`. */
export type RateLimitName =
  | 'auth-ip'
  | 'auth-failures-email-ip'
  | 'auth-failures-email'
  | 'code-failures-email-ip'
  | 'code-failures-email'
  | 'auth-failures-device'
  | 'auth-failures-user'
  | 'exchange-ip'
  | 'code-send-email-ip-pause'
  | 'code-send-email-ip'
  | 'code-send-email-ip-day'
  | 'code-send-email'
  | 'code-send-email-slow'
  | 'notice-email'
  | 'code-send-ip'
  | 'invalid-credential-ip'
  | 'refresh-session'
  | 'client'
  | 'upload'
  | 'admin'
  | 'push-send';

/** A limit per window of time. */
export interface RateLimitRule {
  limit: number;
  window_seconds: number;
}

/** What a mail is sent for. */
export type MailPurpose = 'sign_in' | 'reset' | 'verification' | 'email_change';

/** The text of a mail in one language. */
export interface MailText {
  subject: string;
  /** Plain text, shown below the code. */
  text: string;
}

/** An app's settings. */
export interface AppSettings {
  /** The life of an access token, in seconds. */
  access_token_seconds: number;
  /** RS256 is for gateways that verify RSA alone. */
  token_algorithm: 'ES256' | 'RS256';
  /** How recent a sign-in sensitive calls demand. */
  recent_sign_in_minutes: number;
  /** Where the magic link of a sign-in mail leads; null for no link. */
  deep_link: string | null;
  /** Origins that may call from a browser; empty allows any. */
  allowed_origins: string[];
  /** `closed`: no way in makes an account. */
  sign_up: 'open' | 'closed';
  /**
   * What the first mailed code does with credentials that were put on an account before its email
   * was proven.
   */
  unproven_credentials: 'remove' | 'keep';
  /**
   * Whether a password that is set may be none of the 10,000 most common ones, nor the name of the
   * app: `auth/weak-password` otherwise. Recommended; off by default.
   */
  refuse_common_passwords: boolean;
  /** The loyalty tiers, at most 50: the first at 0 points, each further one higher, no name twice. */
  tiers: Tier[];
  /** Policies that differ from their defaults. */
  rate_limits: { [Name in RateLimitName]?: RateLimitRule };
  mail: {
    /** The sender's name; null for the app's name. */
    from_name: string | null;
    /** Where answers go; null for nowhere. */
    reply_to: string | null;
    /** Own texts by purpose and language tag; English is built in. */
    texts: { [Name in MailPurpose]?: Record<string, MailText> };
  };
  files: {
    /** The largest file, in bytes. */
    max_bytes: number;
    /** What all files of one user may come to, in bytes. */
    user_quota_bytes: number;
    /** The types that may be uploaded, as they are recognised; null for any. */
    allowed_types: string[] | null;
  };
  /** What the app as a whole may do in an hour. */
  limits: {
    /**
     * Accounts that may be made in an hour, whichever way and from whatever address; further sign-ups
     * answer `request/rate-limited`. Accounts that the backend makes are not counted.
     */
    sign_ups_per_hour: number;
    /**
     * Codes that may be mailed in an hour to emails without an account; further ones are not mailed,
     * behind the same answer.
     */
    mails_to_strangers_per_hour: number;
  };
  data: {
    /** How many collections the app may declare; those above a lowered limit stay. */
    max_collections: number;
  };
  provider_a: {
    client_ids: {
      /** The client id on the web. */
      web: string | null;
      /** The client id of the iOS app. */
      ios: string | null;
      /** The client id of the Android app. */
      android: string | null;
    };
  };
  provider_b: {
    /** The client id on the web. */
    services_id: string | null;
    /** The client id of the app. */
    bundle_id: string | null;
    /** The team at the provider. */
    team_id: string | null;
    /** The id of the private key. */
    key_id: string | null;
    /** The key itself is never returned. */
    private_key_set: boolean;
  };
  push: {
    fcm: {
      /** Of the service account. */
      project_id: string | null;
      /** The service account itself is never returned. */
      service_account_set: boolean;
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
    };
    web_push: {
      /**
       * Where push services reach the team. Web Push is on once it is set: a key pair is made then, and
       * kept.
       */
      subject: string | null;
      /** What browsers subscribe with (VAPID); null until Web Push was first switched on. */
      public_key: string | null;
    };
  };
  /** When v1 is switched off, to the second; every v1 answer says so before. Null for never. */
  v1_sunset_at: string | null;
  /** Since when v1 has a shutdown date: kept by the service, and read-only. */
  v1_deprecated_at: string | null;
}

/** The settings to change. `null` clears a nullable setting, and removes an entry of a map. */
export interface AppSettingsPatch {
  /** The life of an access token, in seconds. */
  access_token_seconds?: number | undefined;
  /** RS256 is for gateways that verify RSA alone. */
  token_algorithm?: 'ES256' | 'RS256' | undefined;
  /** How recent a sign-in sensitive calls demand. */
  recent_sign_in_minutes?: number | undefined;
  /** Where the magic link of a sign-in mail leads; null for no link. */
  deep_link?: string | null | undefined;
  /** Origins that may call from a browser; empty allows any. */
  allowed_origins?: string[] | undefined;
  /** `closed`: no way in makes an account. */
  sign_up?: 'open' | 'closed' | undefined;
  /**
   * What the first mailed code does with credentials that were put on an account before its email
   * was proven.
   */
  unproven_credentials?: 'remove' | 'keep' | undefined;
  /**
   * Whether a password that is set may be none of the 10,000 most common ones, nor the name of the
   * app: `auth/weak-password` otherwise. Recommended; off by default.
   */
  refuse_common_passwords?: boolean | undefined;
  /** The loyalty tiers, at most 50: the first at 0 points, each further one higher, no name twice. */
  tiers?: Tier[] | undefined;
  rate_limits?: { [Name in RateLimitName]?: RateLimitRule | null } | undefined;
  mail?:
    | {
        /** The sender's name; null for the app's name. */
        from_name?: string | null | undefined;
        /** Where answers go; null for nowhere. */
        reply_to?: string | null | undefined;
        texts?: { [Name in MailPurpose]?: Record<string, MailText | null> | null } | undefined;
      }
    | undefined;
  files?:
    | {
        /** The largest file, in bytes. */
        max_bytes?: number | undefined;
        /** What all files of one user may come to, in bytes. */
        user_quota_bytes?: number | undefined;
        /** The types that may be uploaded, as they are recognised; null for any. */
        allowed_types?: string[] | null | undefined;
      }
    | undefined;
  limits?:
    | {
        /**
         * Accounts that may be made in an hour, whichever way and from whatever address; further sign-ups
         * answer `request/rate-limited`. Accounts that the backend makes are not counted.
         */
        sign_ups_per_hour?: number | undefined;
        /**
         * Codes that may be mailed in an hour to emails without an account; further ones are not mailed,
         * behind the same answer.
         */
        mails_to_strangers_per_hour?: number | undefined;
      }
    | undefined;
  data?:
    | {
        /** How many collections the app may declare; those above a lowered limit stay. */
        max_collections?: number | undefined;
      }
    | undefined;
  provider_a?:
    | {
        client_ids?:
          | {
              /** The client id on the web. */
              web?: string | null | undefined;
              /** The client id of the iOS app. */
              ios?: string | null | undefined;
              /** The client id of the Android app. */
              android?: string | null | undefined;
            }
          | undefined;
      }
    | undefined;
  provider_b?:
    | {
        /** The client id on the web. */
        services_id?: string | null | undefined;
        /** The client id of the app. */
        bundle_id?: string | null | undefined;
        /** The team at the provider. */
        team_id?: string | null | undefined;
        /** The id of the private key. */
        key_id?: string | null | undefined;
        /** Write-only. */
        private_key?: string | null | undefined;
      }
    | undefined;
  push?:
    | {
        fcm?:
          | {
              /** Write-only: the text of the service account's JSON key file. */
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
              /** Write-only. */
              private_key?: string | null | undefined;
            }
          | undefined;
        web_push?:
          | {
              /**
               * Where push services reach the team. Web Push is on once it is set: a key pair is made then, and
               * kept.
               */
              subject?: string | null | undefined;
            }
          | undefined;
      }
    | undefined;
  /** When v1 is switched off: an ISO 8601 time, cut to the second; null for never. */
  v1_sunset_at?: string | null | undefined;
}

/** Whether the token is good, and whose it is or why it is not. */
export type TokenVerdict =
  | {
      active: true;
      /** The user; `sub` of the token. */
      uid: string;
      /** The session; `sid` of the token. */
      session_id: string;
      /** The custom claims in the token; empty when there are none. */
      claims: Record<string, unknown>;
      /** When the user signed in, or proved it anew. */
      auth_time: string;
      /** When the token was made. */
      issued_at: string;
      /** When the token expires. */
      expires_at: string;
      /** The user as of now; null, with `check_revoked: false` alone, when the account is gone. */
      user: User | null;
    }
  | {
      active: false;
      /**
       * `auth/token-expired`, `auth/user-disabled`, or `auth/invalid-token` for any other: made up, of
       * another app, or of a session that has ended.
       */
      reason: ServerCode;
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
  | 'session.created'
  | 'session.ended'
  | 'loyalty.points_changed';

/** A webhook to add. */
export interface NewWebhook {
  /**
   * An https address without credentials, which leads to the public internet; redirects are not
   * followed.
   */
  url: string;
  /** For people. */
  description?: string | null | undefined;
  /** The types of events it gets; empty for all, those of later versions too. */
  types?: AppEventType[] | undefined;
}

/** The properties of a webhook to change. */
export interface WebhookPatch {
  /**
   * An https address without credentials, which leads to the public internet; redirects are not
   * followed.
   */
  url?: string | undefined;
  /** For people. */
  description?: string | null | undefined;
  /** The types of events it gets; empty for all, those of later versions too. */
  types?: AppEventType[] | undefined;
  /** Whether events are sent to it. */
  enabled?: boolean | undefined;
}

/** A receiver of the app's events. */
export interface Webhook {
  /** The webhook. */
  id: string;
  /**
   * An https address without credentials, which leads to the public internet; redirects are not
   * followed.
   */
  url: string;
  /** For people. */
  description: string | null;
  /** The types of events it gets; empty for all, those of later versions too. */
  types: AppEventType[];
  /** Whether events are sent to it. */
  enabled: boolean;
  /**
   * `admin`: by a call; `gone`: it answered 410; `failing`: five days without a success. Null while
   * it is enabled.
   */
  disabled_reason: 'admin' | 'gone' | 'failing' | null;
  /** The first failure since the last success. */
  failing_since: string | null;
  /** Until when the secret before the last rotation signs as well. */
  previous_secret_expires_at: string | null;
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
}

/** The webhook, and the secret that it now signs with. */
export interface WebhookWithSecret {
  /** The webhook. */
  id: string;
  /**
   * An https address without credentials, which leads to the public internet; redirects are not
   * followed.
   */
  url: string;
  /** For people. */
  description: string | null;
  /** The types of events it gets; empty for all, those of later versions too. */
  types: AppEventType[];
  /** Whether events are sent to it. */
  enabled: boolean;
  /**
   * `admin`: by a call; `gone`: it answered 410; `failing`: five days without a success. Null while
   * it is enabled.
   */
  disabled_reason: 'admin' | 'gone' | 'failing' | null;
  /** The first failure since the last success. */
  failing_since: string | null;
  /** Until when the secret before the last rotation signs as well. */
  previous_secret_expires_at: string | null;
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** Verifies the signatures (Standard Webhooks). It is never shown again. */
  secret: string;
}

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  /** The delivery. */
  id: string;
  /** The event that is delivered; `webhook-id` of each attempt. */
  event_id: string;
  /** Its type. */
  event_type: WebhookEventType;
  /** What made the delivery. */
  trigger: 'event' | 'replay' | 'test';
  /** `pending` until an attempt succeeds or none is left. */
  status: 'pending' | 'succeeded' | 'failed';
  /** Attempts so far. */
  attempts: number;
  /** When it is tried next; null when it is done. */
  next_attempt_at: string | null;
  /** When it was last tried. */
  last_attempt_at: string | null;
  /** What the receiver last answered, if it did. */
  response_status: number | null;
  /** How long the last attempt took. */
  duration_ms: number | null;
  /** Why the last attempt failed, for people. */
  error: string | null;
  /** When the delivery was made. */
  created_at: string;
}

/** Filters of the list of deliveries. */
export interface DeliveryQuery {
  /** Items a page, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
  /** Those of this status alone. */
  status?: 'pending' | 'succeeded' | 'failed' | undefined;
}

/** The period whose events are sent again. */
export interface ReplayStretch {
  /** The first moment whose events are sent again. */
  since: string;
  /** The moment at which they end; left out for now. */
  until?: string | undefined;
}

/** Accepted: the events are sent from now on, oldest first. */
export interface WebhookReplay {
  /** The replay. */
  id: string;
  /** As it was asked for. */
  since: string;
  /** As it was asked for, or the moment of the call. */
  until: string;
}

/** Filters of the list of events, combined with AND. */
export interface EventQuery {
  /** Items a page, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
  /** Events of this type. */
  type?: AppEventType | undefined;
  /** Events of this user. */
  uid?: string | undefined;
  /** Events from this moment on. */
  created_after?: string | undefined;
  /** Events before this moment. */
  created_before?: string | undefined;
}
