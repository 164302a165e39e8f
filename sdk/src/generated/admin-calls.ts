// The calls of an app's backend. Generated from the contract by `npm run generate`. Do not edit.
import type { CallTable, OnceOptions, Tagged } from '../admin/typed-client.js';
import type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
import type {
  AddedEntry,
  AdminPushTopicsInput,
  AdminUser,
  AppEvent,
  AppFiles,
  AppFilesChange,
  AppFilesResult,
  AppSettings,
  AppSettingsPatch,
  AuditEntry,
  AuditLogQuery,
  CollectionInfo,
  CollectionPatch,
  ConfigSnapshot,
  ConfigVersion,
  DeliveryQuery,
  EventQuery,
  FileQuery,
  ImportReport,
  ImportUser,
  LedgerEntry,
  MailDraft,
  MigrationReport,
  NewCollection,
  NewConfigParameter,
  NewLedgerEntry,
  NewPushMessage,
  NewUser,
  NewWebhook,
  ProviderCheck,
  PushMessage,
  PushReceipt,
  PushSent,
  PushTopic,
  RenderedMail,
  ReplayStretch,
  SignInState,
  StatsQuery,
  StatsReport,
  TokenVerdict,
  UserNote,
  UserPatch,
  UserQuery,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookPatch,
  WebhookReplay,
  WebhookWithSecret,
} from './admin-models.js';
import type {
  CodeSent,
  Factors,
  FileInfo,
  FileUrl,
  Identity,
  LoyaltyStatus,
  PageQuery,
  Passkey,
  PushDevice,
  SessionInfo,
  UserExport,
} from './models.js';

export interface AdminPush {
  /**
   * Send a push message. Requires exactly one of `uids`, `device_ids`, `topic` and `all`. The
   * message is stored, and sent after the response to the devices registered at the time of the
   * call, or at `send_at`. Temporary failures of providers (429, 5xx, no response) are retried. An
   * unknown key is rejected, so that a misspelt one does not widen the effect.
   *
   * @example
   * await admin.push.send({ uids: [uid], notification: { title: 'Your table is ready', body: 'For 15 minutes.' } });
   */
  send(body: NewPushMessage, options?: OnceOptions): Promise<PushSent>;
  /**
   * List push messages. Sorted by the time of sending, latest first, so that scheduled messages come
   * before all others. Messages are retained for 30 days.
   */
  messages(query?: PageQuery, options?: RepeatableCallOptions): PageList<PushMessage>;
  /**
   * Read a push message. Includes the number of devices whose provider has accepted the message so
   * far.
   */
  message(id: string, options?: RepeatableCallOptions): Promise<PushMessage>;
  /**
   * Cancel a scheduled push message. Possible until sending starts; afterwards, and for a message
   * that was cancelled, `push/not-scheduled` is returned.
   */
  cancel(id: string, options?: OnceOptions): Promise<PushMessage>;
  /**
   * List the topics of push messages. The topics to which devices are subscribed, with the number of
   * devices of each; sorted by topic.
   */
  topics(query?: AdminPushTopicsInput, options?: RepeatableCallOptions): PageList<PushTopic>;
  /**
   * List the delivery receipts of a push message. Sorted by device id. A device to which no attempt
   * was made yet has no receipt.
   */
  receipts(id: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<PushReceipt>;
}

export interface AdminUsers {
  /** List a user's push devices. Newest first. */
  devices(uid: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<PushDevice>;
  /**
   * List and search users. Later pages are as fast as the first. All filters can be used alone or
   * combined. Changes during paging neither repeat nor omit a user.
   *
   * @example
   * for await (const user of admin.users.list({ q: 'ada', disabled: false })) console.log(user.email);
   */
  list(query?: UserQuery, options?: RepeatableCallOptions): PageList<AdminUser>;
  /**
   * Create a user. Also allowed when sign-up is closed. Without a password the user signs in with an
   * emailed code or a provider. The email is unverified unless `email_verified` is true: the first
   * code that is emailed to an unverified email removes the credentials set before, as after a
   * sign-up. A team member needs a recent sign-in to set a password, claims or a verified email.
   */
  create(body: NewUser, options?: OnceOptions): Promise<AdminUser>;
  /**
   * Create many users. Up to 1,000 per call; a user that cannot be created fails without affecting
   * the others. If any user has a password or a password hash, the whole call is rejected. A team
   * member needs a recent sign-in to import claims or verified emails.
   */
  import(users: readonly ImportUser[], options?: OnceOptions): Promise<ImportReport>;
  /** Read a user. Includes fields that the user cannot see. */
  get(uid: string, options?: RepeatableCallOptions): Promise<AdminUser>;
  /**
   * Change, disable or enable a user. Changes only the fields that are sent; null clears a field. A
   * new password, or `disabled: true`, ends all sessions; enabling the user does not restore them. A
   * changed email is unverified unless `email_verified` is sent as well. A notice of a changed email
   * or password is mailed to the user.
   */
  update(uid: string, body: UserPatch, options?: CallOptions): Promise<AdminUser>;
  /**
   * Delete a user. Has the same effects as the deletion of the account by the user. The email
   * becomes available immediately.
   */
  delete(uid: string, options?: RepeatableCallOptions): Promise<void>;
  /**
   * Set the custom claims of a user. Replaces the whole set: omitted claims are removed, and `{}`
   * removes all. Access tokens contain them in `claims` from the next refresh or sign-in.
   */
  setClaims(
    uid: string,
    claims: Record<string, unknown>,
    options?: RepeatableCallOptions,
  ): Promise<AdminUser>;
  /**
   * End all sessions of a user. Takes effect immediately, also for tokens of v1; the user must sign
   * in again on every device.
   */
  revokeSessions(uid: string, options?: OnceOptions): Promise<void>;
  /**
   * List the active sessions of a user. The most recently used session first; `current` is always
   * false.
   */
  sessions(uid: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<SessionInfo>;
  /**
   * End one session of a user. Takes effect immediately: its access tokens and its refresh token are
   * rejected.
   */
  endSession(uid: string, id: string, options?: RepeatableCallOptions): Promise<void>;
  /**
   * Read the user's second factor. When the authenticator app was enrolled, and how many recovery
   * codes are left. Passkeys have a list of their own.
   */
  factors(uid: string, options?: RepeatableCallOptions): Promise<Factors>;
  /**
   * Remove the user's second factor. For a user who lost the authenticator app and the recovery
   * codes. Ends all sessions, and mails a notice to the user. Passkeys are not removed.
   */
  removeFactors(uid: string, options?: RepeatableCallOptions): Promise<void>;
  /** List the linked providers of a user. There are at most two. */
  identities(uid: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<Identity>;
  /** List the passkeys of a user. The newest first. */
  passkeys(uid: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<Passkey>;
  /**
   * Remove a passkey of a user. For a user who lost it. The sessions that it started continue;
   * `revoke-sessions` ends them. A notice is mailed to the user.
   */
  removePasskey(uid: string, id: string, options?: RepeatableCallOptions): Promise<void>;
  /**
   * Request an export of the data of a user. For a user who asks the team for it. The file is JSON:
   * profile, sessions, identities, passkeys, second factor, points with their ledger, records,
   * metadata of files, push devices, events and audit entries of the user, without secrets.
   */
  requestExport(uid: string, options?: OnceOptions): Promise<UserExport>;
  /** Read the state of the export of a user. The latest export, whoever requested it. */
  export(uid: string, options?: RepeatableCallOptions): Promise<UserExport>;
}

export interface AdminTokens {
  /**
   * Verify an access token. Returns 200 for valid and invalid tokens. By default the session and the
   * account are checked as well, so that a sign-out takes effect immediately; with `check_revoked:
   * false` only the token itself is verified, as in offline verification.
   */
  verify(
    accessToken: string,
    options?: RepeatableCallOptions & {
      /** Whether to check that the session is active and the account is enabled. */
      checkRevoked?: boolean | undefined;
    },
  ): Promise<TokenVerdict>;
}

export interface AdminFiles {
  /**
   * Read the metadata of a file. A private file is visible to its owner and to the app's backend; a
   * public file to any client of the app.
   */
  get(id: string, options?: RepeatableCallOptions): Promise<FileInfo>;
  /**
   * Create a signed URL for the bytes of a file. Requires read access to the file; the URL itself
   * gives access to the bytes to anyone who has it. A URL that was created with a secret key or by a
   * team member ends with the key or the membership, and is recorded in the audit log:
   * `file.url_created`.
   */
  url(
    id: string,
    options?: RepeatableCallOptions & {
      /** The lifetime of the URL in seconds, at most 604800 (a week). */
      expiresInSeconds?: number | undefined;
      /** True: browsers download the file instead of displaying it. */
      download?: boolean | undefined;
    },
  ): Promise<FileUrl>;
  /**
   * Delete a file. Allowed for the owner and for a secret key. All URLs of the file stop working
   * immediately.
   */
  delete(id: string, options?: RepeatableCallOptions): Promise<void>;
  /** List the files of the app. Newest first. */
  list(query?: FileQuery, options?: RepeatableCallOptions): PageList<FileInfo>;
}

export interface AdminSettings {
  /** Read the app's settings. Settings that were never changed have their default. */
  get(options?: RepeatableCallOptions): Promise<AppSettings>;
  /**
   * Change the app's settings. Objects are merged key by key; arrays are replaced. An unknown key is
   * rejected, so that a misspelt setting does not go unnoticed. A team member needs a recent sign-in
   * for these settings, for `push` and for `v1_sunset_at`.
   *
   * @example
   * await admin.settings.update({ deep_link: 'https://app.example.com/sign-in', mail: { from_name: 'Example' } });
   */
  update(body: AppSettingsPatch, options?: CallOptions): Promise<AppSettings>;
  /**
   * Preview a mail. Renders the mail as a user who reads the given language receives it, with a
   * sample code, and with the stored texts or with that of the body. Nothing is sent.
   */
  previewMail(body: MailDraft, options?: RepeatableCallOptions): Promise<RenderedMail>;
  /**
   * Check the configuration of an identity provider. Checks the stored settings of the provider step
   * by step, as far as is possible without a user. Calls the provider to check whether its keys can
   * be found and read and, for provider B, whether it accepts the private key. At most 30 checks per
   * minute (policy `provider-check`).
   */
  checkProvider(provider: string, options?: RepeatableCallOptions): Promise<ProviderCheck>;
  /**
   * Check the files that passkeys of mobile apps need. Fetches
   * `/.well-known/apple-app-site-association` and `/.well-known/assetlinks.json` from the host
   * `passkeys.rp_id`, and checks whether they name apps that may use its passkeys. Browsers need
   * neither. At most 30 checks per minute (policy `provider-check`).
   */
  checkPasskeys(options?: RepeatableCallOptions): Promise<ProviderCheck>;
}

export interface AdminAppFiles {
  /**
   * Read the app as files. Settings, remote config, collections and webhooks as YAML, and the texts
   * of mails as Markdown. Two apps with the same configuration have the same files, byte for byte.
   * Secrets are not included.
   */
  read(options?: RepeatableCallOptions): Promise<AppFiles>;
  /**
   * Change one group of the app. Changes the settings, or replaces the remote config, the
   * collections or the webhooks, as a whole or not at all.
   */
  apply(body: AppFilesChange, options?: RepeatableCallOptions): Promise<AppFilesResult>;
}

export interface AdminStats {
  /**
   * Read daily statistics. Every day from `from` to `to`, both included, oldest first: 30 days by
   * default, at most 400, which is also how long they are stored. Counts appear within about ten
   * seconds; those of the last few seconds are lost if the service crashes.
   *
   * @example
   * const { days } = await admin.stats.daily({ from: '2026-01-01', to: '2026-01-31' });
   */
  daily(query?: StatsQuery, options?: RepeatableCallOptions): Promise<StatsReport>;
}

export interface AdminMigration {
  /**
   * Count the users of v1. When no user is left on v1, it can be switched off (`v1_sunset_at`)
   * without locking out any of them.
   */
  get(options?: RepeatableCallOptions): Promise<MigrationReport>;
}

export interface AdminAuditLog {
  /**
   * Read the audit log. Every admin change and every security event, newest first, retained for 400
   * days unless the operator of the service sets another time. Filters are combined with AND.
   * Failures and rejections appear within about a second. Those of a known user or secret key have
   * entries of their own, up to ten a minute for each target and action; the rest are counted in one
   * entry, in `details.count`.
   */
  list(query?: AuditLogQuery, options?: RepeatableCallOptions): PageList<AuditEntry>;
}

export interface AdminLoyalty {
  /** Read the points and the tier of a user. As `GET /loyalty` returns them to the user. */
  status(uid: string, options?: RepeatableCallOptions): Promise<LoyaltyStatus>;
  /**
   * Add points to a user or deduct them. The entry and the new balance are written together. With a
   * `reference` the call can be repeated: the entry is created once, and further calls return 200
   * with the first entry. A balance is never below zero or above 1,000,000,000.
   */
  add(uid: string, body: NewLedgerEntry, options?: OnceOptions): Promise<AddedEntry>;
  /** List the ledger entries of a user. Newest first. */
  entries(uid: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<LedgerEntry>;
}

export interface AdminConfig {
  /** Read the remote config with types and descriptions. Send its `ETag` as `If-Match` with a change. */
  get(options?: RepeatableCallOptions): Promise<Tagged<ConfigSnapshot>>;
  /**
   * Replace the remote config. Writes the complete set as the next version; the last 300 versions
   * are stored. If two calls send the same `If-Match`, only one succeeds. An unknown key is
   * rejected, so that a misspelt one does not go unnoticed.
   *
   * @example
   * const { etag, parameters } = await admin.config.get();
   * const banner = { type: 'string' as const, value: 'Points count double today' };
   * await admin.config.replace({ ...parameters, banner }, { ifMatch: etag });
   */
  replace(
    parameters: Record<string, NewConfigParameter>,
    options: CallOptions & {
      /** The `ETag` of the version that was edited, or `*` for any. Without it the response is 428. */
      ifMatch: string;
      /** A note for the history, at most 500 characters. */
      note?: string | undefined;
      /**
       * `true`: validates and returns the result without writing it; the `ETag` is that of the current
       * version.
       */
      validateOnly?: boolean | undefined;
    },
  ): Promise<Tagged<ConfigSnapshot>>;
  /** List the versions of the remote config. Newest first; the last 300 are stored. */
  versions(query?: PageQuery, options?: RepeatableCallOptions): PageList<ConfigVersion>;
  /** Read one version of the remote config. The parameters as they were written. */
  version(version: number, options?: RepeatableCallOptions): Promise<ConfigSnapshot>;
  /**
   * Restore an earlier version. Writes the parameters of the earlier version as the next version, so
   * that the history stays complete.
   */
  rollback(
    version: number,
    options?: OnceOptions & {
      /** Optional: the `ETag` of the current version, or `*` for any. */
      ifMatch?: string | undefined;
    },
  ): Promise<Tagged<ConfigSnapshot>>;
}

export interface AdminSupport {
  /**
   * Read what keeps a user from signing in. The rate limits that refuse the user now, and the latest
   * entries of the audit log that tell why. Limits are those of the instance that answers, unless
   * the instances share them in Redis.
   */
  signInState(uid: string, options?: RepeatableCallOptions): Promise<SignInState>;
  /**
   * Lift the limits that refuse a user. Resets the counters of failed attempts and of mailed codes,
   * for the account, its IP addresses and its known devices of the last day; an attacker's too.
   */
  liftLimits(uid: string, options?: OnceOptions): Promise<void>;
  /**
   * Mail a code to a user. Mails the code that the user would request in the app, to the email of
   * the account: to sign in, to reset the password, or to verify the email. The code itself is never
   * returned. At most one mail in 30 seconds and five in an hour for each user and purpose; further
   * calls return `request/rate-limited`.
   */
  sendCode(
    uid: string,
    purpose: 'sign_in' | 'reset' | 'verification',
    options?: OnceOptions,
  ): Promise<CodeSent>;
  /**
   * Add a note to a user. A note is kept unchanged until the account is deleted; a user has at most
   * 200, and the oldest is deleted when one is added beyond that. The user never sees it.
   */
  addNote(uid: string, text: string, options?: OnceOptions): Promise<UserNote>;
  /** List the notes on a user. Newest first. */
  notes(uid: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<UserNote>;
}

export interface AdminWebhooks {
  /** List the webhooks. Oldest first; an app has at most 10. */
  list(query?: PageQuery, options?: RepeatableCallOptions): PageList<Webhook>;
  /** Add a webhook. An app has at most 10. */
  create(body: NewWebhook, options?: OnceOptions): Promise<WebhookWithSecret>;
  /** Read a webhook. The secret is not included. */
  get(id: string, options?: RepeatableCallOptions): Promise<Webhook>;
  /**
   * Change a webhook. Pending deliveries are sent to the new URL, which starts without failures: the
   * result of an attempt in progress at the old URL does not count for it. While the webhook is
   * disabled, pending deliveries wait, and events of that time can be replayed. Enabling it resets
   * its failures.
   */
  update(id: string, body: WebhookPatch, options?: CallOptions): Promise<Webhook>;
  /** Delete a webhook. No further deliveries are made; an attempt in progress may still arrive. */
  delete(id: string, options?: RepeatableCallOptions): Promise<void>;
  /**
   * Rotate the secret of a webhook. For 24 hours both secrets sign every delivery, then only the new
   * one. A second rotation within this time ends the oldest secret immediately.
   */
  rotateSecret(id: string, options?: OnceOptions): Promise<WebhookWithSecret>;
  /**
   * Send a test event to a webhook. Sends one event of the type `webhook.test` immediately and
   * returns the result; a disabled webhook can be tested too.
   */
  test(id: string, options?: OnceOptions): Promise<WebhookDelivery>;
  /** List the deliveries of a webhook. Newest first, retained for 30 days. */
  deliveries(id: string, query?: DeliveryQuery, options?: RepeatableCallOptions): PageList<WebhookDelivery>;
  /**
   * Read a delivery with its request and response. The request and the beginning of the response of
   * the last attempt.
   */
  delivery(id: string, deliveryId: string, options?: RepeatableCallOptions): Promise<WebhookDeliveryDetails>;
  /**
   * Retry a delivery. Makes the delivery due immediately, whatever its status, and restarts its
   * retry schedule. A delivery with an attempt in progress does not change.
   */
  retryDelivery(id: string, deliveryId: string, options?: OnceOptions): Promise<WebhookDelivery>;
  /**
   * Replay past events. Creates a delivery for every event of the webhook’s types in the given
   * period, oldest first, within the 30 days for which events are retained; each event keeps its id.
   * Entries of the audit log are included as long as they are stored. The deliveries are created
   * gradually: the replay pauses while the webhook has 1,000 pending deliveries.
   */
  replay(id: string, body: ReplayStretch, options?: OnceOptions): Promise<WebhookReplay>;
}

export interface AdminEvents {
  /**
   * List the events of the app. Newest first, retained for 30 days, even if the app has no webhook.
   * Filters are combined with AND.
   */
  list(query?: EventQuery, options?: RepeatableCallOptions): PageList<AppEvent>;
}

export interface AdminCollections {
  /** List the collections. Sorted by name. */
  list(query?: PageQuery, options?: RepeatableCallOptions): PageList<CollectionInfo>;
  /**
   * Declare a collection. Records can be written immediately. Omitted properties have their
   * defaults. An app may have up to 100 collections; the setting `data.max_collections` changes this
   * limit. A team member needs a recent sign-in for an access mode other than `admin`.
   */
  create(body: NewCollection, options?: OnceOptions): Promise<CollectionInfo>;
  /** Read the declaration of a collection. Includes the fields whose index is still being built. */
  get(name: string, options?: RepeatableCallOptions): Promise<CollectionInfo>;
  /**
   * Change the declaration of a collection. Changes the properties that are sent. A changed access
   * mode applies from the next call, and a team member needs a recent sign-in for it. A new index is
   * built in the background without blocking writes; queries use it once it is complete.
   */
  update(name: string, body: CollectionPatch, options?: CallOptions): Promise<CollectionInfo>;
  /**
   * Delete a collection. Rejected while the collection has records, unless `records=delete` is sent:
   * then the collection is deleted and its name is available immediately, and the records are
   * deleted in the background.
   */
  delete(
    name: string,
    options?: RepeatableCallOptions & {
      /** Whether to reject the call or delete the records when the collection has records. */
      records?: 'refuse' | 'delete' | undefined;
    },
  ): Promise<void>;
}

/** The namespaces. */
export interface AdminCalls {
  /** Push messages. */
  readonly push: AdminPush;
  /** The users of the app. */
  readonly users: AdminUsers;
  /** Access tokens, verified by the service: detects revoked sessions too. */
  readonly tokens: AdminTokens;
  /** The files of the app and its users. */
  readonly files: AdminFiles;
  /** The app's settings. */
  readonly settings: AdminSettings;
  /** The app as files, as `foyer pull` writes them. */
  readonly appFiles: AdminAppFiles;
  /** The daily statistics of the app. */
  readonly stats: AdminStats;
  /** The progress of the migration from v1. */
  readonly migration: AdminMigration;
  /** The audit log. */
  readonly auditLog: AdminAuditLog;
  /** The points of the users. */
  readonly loyalty: AdminLoyalty;
  /** The remote config. */
  readonly config: AdminConfig;
  /** Helping users to sign in. */
  readonly support: AdminSupport;
  /** The webhooks of the app and their deliveries. */
  readonly webhooks: AdminWebhooks;
  /** The events that webhooks deliver. */
  readonly events: AdminEvents;
  /** The declared collections. */
  readonly collections: AdminCollections;
}

export const adminCalls = {
  push: {
    send: {
      route: 'POST /admin/push/send',
      input: 'body',
      once: [
        'push/invalid-target',
        'push/invalid-topic',
        'push/payload-too-large',
        'push/provider-not-configured',
        'push/invalid-send-time',
        'push/too-many-scheduled',
      ],
    },
    messages: { route: 'GET /admin/push/messages', pages: true },
    message: { route: 'GET /admin/push/messages/:id' },
    cancel: {
      route: 'POST /admin/push/messages/:id/cancel',
      once: ['push/message-not-found', 'push/not-scheduled'],
    },
    topics: { route: 'GET /admin/push/topics', pages: true },
    receipts: { route: 'GET /admin/push/messages/:id/receipts', pages: true },
  },
  users: {
    devices: { route: 'GET /admin/users/:uid/devices', pages: true },
    list: { route: 'GET /admin/users', pages: true },
    create: {
      route: 'POST /admin/users',
      input: 'body',
      once: [
        'auth/email-already-in-use',
        'auth/weak-password',
        'auth/requires-recent-login',
        'admin/member-id-already-in-use',
        'admin/claims-too-large',
        'admin/reserved-claim',
      ],
    },
    import: {
      route: 'POST /admin/users/import',
      input: 'body.users',
      once: ['admin/password-import-not-supported', 'auth/requires-recent-login'],
    },
    get: { route: 'GET /admin/users/:uid' },
    update: { route: 'PATCH /admin/users/:uid', input: 'body' },
    delete: { route: 'DELETE /admin/users/:uid' },
    setClaims: { route: 'PUT /admin/users/:uid/claims', input: 'body.claims' },
    revokeSessions: { route: 'POST /admin/users/:uid/revoke-sessions', once: ['auth/user-not-found'] },
    sessions: { route: 'GET /admin/users/:uid/sessions', pages: true },
    endSession: { route: 'DELETE /admin/users/:uid/sessions/:id' },
    factors: { route: 'GET /admin/users/:uid/factors' },
    removeFactors: { route: 'DELETE /admin/users/:uid/factors' },
    identities: { route: 'GET /admin/users/:uid/identities', pages: true },
    passkeys: { route: 'GET /admin/users/:uid/passkeys', pages: true },
    removePasskey: { route: 'DELETE /admin/users/:uid/passkeys/:id' },
    requestExport: { route: 'POST /admin/users/:uid/export', once: ['auth/user-not-found'] },
    export: { route: 'GET /admin/users/:uid/export' },
  },
  tokens: {
    verify: {
      route: 'POST /admin/tokens/verify',
      input: 'body.access_token',
      options: { checkRevoked: 'body.check_revoked' },
      safe: true,
    },
  },
  files: {
    get: { route: 'GET /files/:id' },
    url: {
      route: 'GET /files/:id/url',
      options: { expiresInSeconds: 'query.expires_in', download: 'query.download' },
    },
    delete: { route: 'DELETE /files/:id' },
    list: { route: 'GET /admin/files', pages: true },
  },
  settings: {
    get: { route: 'GET /admin/settings' },
    update: { route: 'PATCH /admin/settings', input: 'body' },
    previewMail: { route: 'POST /admin/settings/preview-mail', input: 'body', safe: true },
    checkProvider: { route: 'POST /admin/settings/check-provider', input: 'body.provider', safe: true },
    checkPasskeys: { route: 'POST /admin/settings/check-passkeys', safe: true },
  },
  appFiles: {
    read: { route: 'GET /admin/app-files' },
    apply: { route: 'PUT /admin/app-files', input: 'body' },
  },
  stats: {
    daily: { route: 'GET /admin/stats', input: 'query' },
  },
  migration: {
    get: { route: 'GET /admin/migration' },
  },
  auditLog: {
    list: { route: 'GET /admin/audit-log', pages: true },
  },
  loyalty: {
    status: { route: 'GET /admin/users/:uid/loyalty' },
    add: {
      route: 'POST /admin/users/:uid/loyalty/entries',
      input: 'body',
      once: [
        'auth/user-not-found',
        'loyalty/insufficient-points',
        'loyalty/balance-too-high',
        'loyalty/reference-conflict',
      ],
    },
    entries: { route: 'GET /admin/users/:uid/loyalty/entries', pages: true },
  },
  config: {
    get: { route: 'GET /admin/config', etag: true },
    replace: {
      route: 'PUT /admin/config',
      input: 'body.parameters',
      options: { ifMatch: 'headers.if-match', note: 'body.note', validateOnly: 'query.validate_only' },
      etag: true,
    },
    versions: { route: 'GET /admin/config/versions', pages: true },
    version: { route: 'GET /admin/config/versions/:version' },
    rollback: {
      route: 'POST /admin/config/rollback',
      input: 'body.version',
      options: { ifMatch: 'headers.if-match' },
      etag: true,
      once: ['config/version-not-found', 'config/version-conflict'],
    },
  },
  support: {
    signInState: { route: 'GET /admin/users/:uid/sign-in-state' },
    liftLimits: { route: 'POST /admin/users/:uid/lift-limits', once: ['auth/user-not-found'] },
    sendCode: {
      route: 'POST /admin/users/:uid/send-code',
      input: 'body.purpose',
      once: ['auth/user-not-found', 'auth/user-disabled'],
    },
    addNote: { route: 'POST /admin/users/:uid/notes', input: 'body.text', once: ['auth/user-not-found'] },
    notes: { route: 'GET /admin/users/:uid/notes', pages: true },
  },
  webhooks: {
    list: { route: 'GET /admin/webhooks', pages: true },
    create: {
      route: 'POST /admin/webhooks',
      input: 'body',
      once: ['webhooks/invalid-url', 'webhooks/limit-reached'],
    },
    get: { route: 'GET /admin/webhooks/:id' },
    update: { route: 'PATCH /admin/webhooks/:id', input: 'body' },
    delete: { route: 'DELETE /admin/webhooks/:id' },
    rotateSecret: { route: 'POST /admin/webhooks/:id/rotate-secret', once: ['webhooks/not-found'] },
    test: { route: 'POST /admin/webhooks/:id/test', once: ['webhooks/not-found'] },
    deliveries: { route: 'GET /admin/webhooks/:id/deliveries', pages: true },
    delivery: { route: 'GET /admin/webhooks/:id/deliveries/:delivery_id' },
    retryDelivery: {
      route: 'POST /admin/webhooks/:id/deliveries/:delivery_id/retry',
      once: ['webhooks/not-found'],
    },
    replay: {
      route: 'POST /admin/webhooks/:id/replay',
      input: 'body',
      once: ['webhooks/not-found', 'webhooks/replay-in-progress'],
    },
  },
  events: {
    list: { route: 'GET /admin/events', pages: true },
  },
  collections: {
    list: { route: 'GET /admin/collections', pages: true },
    create: {
      route: 'POST /admin/collections',
      input: 'body',
      once: ['data/collection-exists', 'data/too-many-collections', 'auth/requires-recent-login'],
    },
    get: { route: 'GET /admin/collections/:name' },
    update: { route: 'PATCH /admin/collections/:name', input: 'body' },
    delete: { route: 'DELETE /admin/collections/:name', options: { records: 'query.records' } },
  },
} as const satisfies CallTable;
