// @foyer/sdk/admin: the service for an app's own backend. Calls with the secret key, and verifying access tokens, which
// needs none.
import { createVerifier, type VerifyAccessToken } from '../access-token.js';
import { type Collection, createCollection } from '../collection.js';
import { FoyerError } from '../errors.js';
import { createEmit, type SdkEvent } from '../events.js';
import { sendFile } from '../files.js';
import { demandOptions } from '../required-options.js';
import { type AdminAuditLog, createAdminAuditLog } from './audit.js';
import { createAdminCall } from './call.js';
import { type AdminCollections, createAdminCollections } from './collections.js';
import { type AdminConfig, createAdminConfig } from './config.js';
import { type AdminFiles, createAdminFiles } from './files.js';
import { type AdminLoyalty, createAdminLoyalty } from './loyalty.js';
import { type AdminMigration, createAdminMigration } from './migration.js';
import { type AdminPush, createAdminPush } from './push.js';
import { type AdminSettings, createAdminSettings } from './settings.js';
import { type AdminTokens, createAdminTokens } from './tokens.js';
import { type AdminUsers, createAdminUsers } from './users.js';
import { type AdminEvents, type AdminWebhooks, createAdminEvents, createAdminWebhooks } from './webhooks.js';

export interface AdminOptions {
  /** The service's address with its version, such as `https://accounts.example.com/api/v2`. */
  baseUrl: string;
  /** The app's public key, sent with every call. */
  appKey: string;
  /** The app's id, which its access tokens are made for: `verifyAccessToken` needs it. */
  appId?: string | undefined;
  /** `sk_…`, with the scopes of the calls you make; `verifyAccessToken` does without. Never in a browser or an app. */
  secretKey?: string | undefined;
  /** The `iss` of access tokens, where `baseUrl` is not the service's public address; `<baseUrl>/apps/<appId>` when absent. */
  issuer?: string | undefined;
  /** Used in place of the platform's `fetch`. */
  fetch?: typeof fetch | undefined;
  /** How long one try of a call may take: 15,000 when absent. */
  timeoutMs?: number | undefined;
  /** How often a call is repeated after no answer, 408, 429 or 5xx, where that is safe: 2 when absent. */
  maxRetries?: number | undefined;
  /** Told what the SDK does, for logs and metrics. Events never hold a token, a key or an email. */
  onEvent?: ((event: SdkEvent) => void) | undefined;
  /** The time by which access tokens are judged, for tests; that of the machine when absent. */
  now?: (() => Date) | undefined;
}

export interface Admin {
  readonly users: AdminUsers;
  readonly loyalty: AdminLoyalty;
  readonly config: AdminConfig;
  readonly settings: AdminSettings;
  readonly tokens: AdminTokens;
  readonly auditLog: AdminAuditLog;
  readonly webhooks: AdminWebhooks;
  readonly events: AdminEvents;
  readonly collections: AdminCollections;
  /** The records of a collection, whatever its access mode; a record made here has no owner. */
  collection<T extends object = Record<string, unknown>>(name: string): Collection<T>;
  readonly files: AdminFiles;
  readonly push: AdminPush;
  readonly migration: AdminMigration;
  /**
   * Judges an access token with the service's public keys, which are read once in five minutes: no call for each token.
   * Rejects with `auth/token-expired`, with `auth/invalid-token` for any other fault, and with `client/network` where no
   * key could be had. A session that has ended is not seen before its token expires: `tokens.verify` sees it at once.
   *
   * @example
   * const { uid, claims } = await admin.verifyAccessToken(bearer);
   */
  readonly verifyAccessToken: VerifyAccessToken;
}

/**
 * Makes a client for an app's own backend. Make one per program and keep it: it holds the public keys.
 *
 * @example
 * const admin = createAdmin({
 *   baseUrl: 'https://accounts.example.com/api/v2',
 *   appKey: 'pk_…',
 *   appId: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
 *   secretKey: process.env.FOYER_SECRET_KEY,
 * });
 * const user = await admin.users.create({ email: 'ada@example.com' });
 */
export function createAdmin({ secretKey, issuer, now, ...options }: AdminOptions): Admin {
  demandOptions(options);
  if (secretKey && runsAtTheUser()) {
    throw invalidArgument(
      'A secret key must never reach a browser or an app: whoever has it can do anything.',
    );
  }
  const fetchNow: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const emit = createEmit(options.onEvent);
  const call = createAdminCall(options, secretKey, fetchNow, emit);
  const { appId } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const verifier =
    appId &&
    createVerifier({
      baseUrl,
      appId,
      issuer: issuer ?? `${baseUrl}/apps/${appId}`,
      fetch: fetchNow,
      now: now ?? (() => new Date()),
      emit,
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
      if (!secretKey) throw invalidArgument('This call needs the secretKey.');
      return sendFile({ options, fetch: fetchNow, emit }, file, given, secretKey);
    }),
    push: createAdminPush(call),
    migration: createAdminMigration(call),
    async verifyAccessToken(token, given) {
      if (!verifier) throw invalidArgument('verifyAccessToken needs the appId.');
      return verifier(token, given);
    },
  };
}

function invalidArgument(message: string): FoyerError {
  return new FoyerError('client/invalid-argument', message);
}

/** A page, a worker of one, or an app: what stands there can be read by whoever uses it. */
function runsAtTheUser(): boolean {
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
  DeliveryQuery,
  EventQuery,
  FileQuery,
  ImportReport,
  ImportUser,
  LedgerEntry,
  MailPurpose,
  MailText,
  MigrationReport,
  NewCollection,
  NewConfigParameter,
  NewLedgerEntry,
  NewPushMessage,
  NewUser,
  NewWebhook,
  PushDelivery,
  PushMessage,
  PushNotification,
  PushReceipt,
  PushSent,
  PushTarget,
  RateLimitName,
  RateLimitRule,
  ReplayStretch,
  Tier,
  TokenVerdict,
  UserPatch,
  UserQuery,
  Webhook,
  WebhookDelivery,
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
export type { AdminTokens } from './tokens.js';
export type { AdminUsers } from './users.js';
export type { AdminEvents, AdminWebhooks, AppEvent } from './webhooks.js';
