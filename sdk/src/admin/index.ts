// @foyer/sdk/admin: the client for an app's own backend. Calls the service with the secret key, and verifies access
// tokens, which requires none.
import { createVerifier, type VerifyAccessToken } from '../access-token.js';
import { type Collection, createCollection } from '../collection.js';
import { FoyerError } from '../errors.js';
import type { SdkEvent } from '../events.js';
import { sendFile } from '../files.js';
import { createSender } from '../http.js';
import { requireOptions } from '../required-options.js';
import { type AdminAuditLog, createAdminAuditLog } from './audit.js';
import { createAdminCall } from './call.js';
import { type AdminCollections, createAdminCollections } from './collections.js';
import { type AdminConfig, createAdminConfig } from './config.js';
import { type AdminFiles, createAdminFiles } from './files.js';
import { type AdminLoyalty, createAdminLoyalty } from './loyalty.js';
import { type AdminMigration, createAdminMigration } from './migration.js';
import { type AdminPush, createAdminPush } from './push.js';
import { type AdminSettings, createAdminSettings } from './settings.js';
import { type AdminStats, createAdminStats } from './stats.js';
import { type AdminTokens, createAdminTokens } from './tokens.js';
import { type AdminUsers, createAdminUsers } from './users.js';
import { type AdminEvents, type AdminWebhooks, createAdminEvents, createAdminWebhooks } from './webhooks.js';

export interface AdminOptions {
  /** Base URL of the service including the version, for example `https://accounts.example.com/api/v2`. */
  baseUrl: string;
  /** The app's public key, sent with every request. */
  appKey: string;
  /** The app's id, the audience of its access tokens. Required by `verifyAccessToken`. */
  appId?: string | undefined;
  /**
   * `sk_…`, with the scopes of the calls you make; not needed for `verifyAccessToken`. Never use it in a browser or an
   * app.
   */
  secretKey?: string | undefined;
  /** The `iss` of access tokens, when `baseUrl` is not the service's public URL. Default: `<baseUrl>/apps/<appId>`. */
  issuer?: string | undefined;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Time limit of one attempt of a request, in milliseconds. Default: 15,000. */
  timeoutMs?: number | undefined;
  /** Maximum retries after a network failure, 408, 429 or 5xx, where a retry is safe. Default: 2. */
  maxRetries?: number | undefined;
  /** Receives the SDK's events, for logs and metrics. Events never contain a token, a key or an email. */
  onEvent?: ((event: SdkEvent) => void) | undefined;
  /** The current time for token verification, for tests. Default: the system clock. */
  now?: (() => Date) | undefined;
}

export interface Admin {
  /** The users of the app. */
  readonly users: AdminUsers;
  /** The points of the users. */
  readonly loyalty: AdminLoyalty;
  /** The remote config. */
  readonly config: AdminConfig;
  /** The app's settings. */
  readonly settings: AdminSettings;
  /** Access tokens, verified by the service: detects revoked sessions too. */
  readonly tokens: AdminTokens;
  /** The audit log. */
  readonly auditLog: AdminAuditLog;
  /** The webhooks of the app and their deliveries. */
  readonly webhooks: AdminWebhooks;
  /** The events that webhooks deliver. */
  readonly events: AdminEvents;
  /** The declared collections. */
  readonly collections: AdminCollections;
  /** The records of a collection, regardless of its access mode. Records created here have no owner. */
  collection<T extends object = Record<string, unknown>>(name: string): Collection<T>;
  /** The files of the app and its users. */
  readonly files: AdminFiles;
  /** Push messages. */
  readonly push: AdminPush;
  /** The progress of the migration from v1. */
  readonly migration: AdminMigration;
  /** The daily statistics of the app. */
  readonly stats: AdminStats;
  /**
   * Verifies an access token with the service's public keys, which are fetched every five minutes; no request per
   * token. Rejects with `auth/token-expired`, `auth/invalid-token` for any other invalid token, or `client/network`
   * when no key is available. Does not detect a revoked session before the token expires; `tokens.verify` does.
   *
   * @example
   * const { uid, claims } = await admin.verifyAccessToken(bearer);
   */
  readonly verifyAccessToken: VerifyAccessToken;
}

/**
 * Creates a client for an app's own backend. Create one per program: it caches the public keys. Throws
 * `client/invalid-argument` when an option is malformed, or when a secret key is used in a browser or app.
 *
 * @example
 * const admin = createAdmin({ baseUrl, appKey, appId, secretKey: process.env.FOYER_SECRET_KEY });
 * const user = await admin.users.create({ email: 'ada@example.com' });
 */
export function createAdmin({ secretKey: givenKey, issuer, now, ...options }: AdminOptions): Admin {
  requireOptions(options);
  // Without the line break at the end of a file.
  const secretKey = givenKey?.trim();
  if (secretKey && isClientSide()) {
    throw invalidArgument('Do not use a secret key in a browser or an app: its users can read it.');
  }
  // The error of `fetch` for such a header contains it.
  if (secretKey && !/^[!-~]+$/.test(secretKey)) {
    throw invalidArgument('secretKey must be one secret key, without spaces or line breaks.');
  }
  const sender = createSender(options);
  const call = createAdminCall(sender, secretKey);
  const { appId } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const verifier =
    appId &&
    createVerifier({
      baseUrl,
      appId,
      issuer: issuer ?? `${baseUrl}/apps/${appId}`,
      fetch: sender.fetchNow,
      now: now ?? (() => new Date()),
      emit: sender.emit,
    });
  return {
    users: createAdminUsers(call),
    loyalty: createAdminLoyalty(call),
    config: createAdminConfig(call),
    settings: createAdminSettings(call),
    tokens: createAdminTokens(call),
    auditLog: createAdminAuditLog(call),
    webhooks: createAdminWebhooks(call),
    events: createAdminEvents(call),
    collections: createAdminCollections(call),
    collection: (name) => createCollection(call, name),
    files: createAdminFiles(call, async (file, given = {}) => {
      if (!secretKey) throw invalidArgument('This call requires secretKey.');
      return sendFile(sender, file, given, secretKey);
    }),
    push: createAdminPush(call),
    migration: createAdminMigration(call),
    stats: createAdminStats(call),
    async verifyAccessToken(token, given) {
      if (!verifier) throw invalidArgument('verifyAccessToken requires appId.');
      return verifier(token, given);
    },
  };
}

function invalidArgument(message: string): FoyerError {
  return new FoyerError('client/invalid-argument', message);
}

/** True in a page, a worker or an app, whose code and memory the user can read. */
function isClientSide(): boolean {
  const { document, importScripts, navigator } = globalThis as Record<string, unknown>;
  const isReactNative = (navigator as { product?: unknown } | undefined)?.product === 'ReactNative';
  return document !== undefined || typeof importScripts === 'function' || isReactNative;
}

export type { AccessTokenClaims, VerifyAccessToken, VerifyAccessTokenOptions } from '../access-token.js';
export type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
export type { Collection, DataRecord, PartOf, WriteOptions } from '../collection.js';
export type { ClientCode, FieldErrors, FoyerErrorDetails } from '../errors.js';
export { FoyerError, isFoyerError } from '../errors.js';
export type { SdkEvent } from '../events.js';
export type { FileUrlOptions, UploadOptions } from '../files.js';
export type {
  AccessMode,
  AddedEntry,
  AdminUser,
  AppEventType,
  AppSettings,
  AppSettingsPatch,
  AuditEntry,
  AuditLogQuery,
  CollectionInfo,
  CollectionPatch,
  ConfigParameter,
  ConfigSnapshot,
  ConfigVersion,
  DailyStats,
  DeliveryQuery,
  EventQuery,
  FileQuery,
  ImportReport,
  ImportUser,
  LedgerEntry,
  MailDraft,
  MailPurpose,
  MailText,
  MigrationReport,
  NewCollection,
  NewConfigParameter,
  NewLedgerEntry,
  NewPushMessage,
  NewUser,
  NewWebhook,
  ProviderCheck,
  PushDelivery,
  PushMessage,
  PushNotification,
  PushReceipt,
  PushSent,
  PushTarget,
  RateLimitName,
  RateLimitRule,
  RenderedMail,
  ReplayStretch,
  StatsQuery,
  StatsReport,
  Tier,
  TokenVerdict,
  UserPatch,
  UserQuery,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookPatch,
  WebhookReplay,
  WebhookWithSecret,
} from '../generated/admin-models.js';
export type { ServerCode } from '../generated/error-codes.js';
export type {
  FileInfo,
  FileUrl,
  FileVisibility,
  Identity,
  LoyaltyStatus,
  PageQuery,
  Provider,
  PushDevice,
  SessionInfo,
  User,
} from '../generated/models.js';
export type { Page } from '../models.js';
export type { AdminAuditLog } from './audit.js';
export type { OnceOptions } from './call.js';
export type { AdminCollections } from './collections.js';
export type { AdminConfig, CurrentConfig } from './config.js';
export type { AdminFiles } from './files.js';
export type { AdminLoyalty } from './loyalty.js';
export type { AdminMigration } from './migration.js';
export type { AdminPush } from './push.js';
export type { AdminSettings } from './settings.js';
export type { AdminStats } from './stats.js';
export type { AdminTokens } from './tokens.js';
export type { AdminUsers } from './users.js';
export type { AdminEvents, AdminWebhooks, AppEvent } from './webhooks.js';
