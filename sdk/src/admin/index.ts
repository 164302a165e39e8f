// @foyer/sdk/admin: the client for an app's own backend. Calls the service with the secret key, and verifies access
// tokens, which requires none.
import { FoyerError } from '../errors.js';
import type { SdkEvent } from '../events.js';
import { type Collection, createCollection } from '../features/collection.js';
import { sendFile, type UploadOptions } from '../features/files.js';
import { createPageList } from '../features/page-list.js';
import { type AdminCalls, adminCalls, type AdminFiles as FileCalls } from '../generated/admin-calls.js';
import type { ConfigSnapshot } from '../generated/admin-models.js';
import type { FileInfo } from '../generated/models.js';
import type { RequestInput } from '../http/request-url.js';
import { baseUrlOf, requireOptions } from '../http/required-options.js';
import { createSender } from '../http/send.js';
import { uncached } from '../http/uncached.js';
import { createVerifier, type VerifyAccessToken } from './access-token.js';
import { createAdminCall } from './call.js';
import { createTypedClient, type Tagged } from './typed-client.js';

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

export interface AdminFiles extends FileCalls {
  /** Uploads a file without an owner. Not retried after a network failure. */
  upload(file: Blob, options?: UploadOptions): Promise<FileInfo>;
}

/** The current version of the remote config. */
export type CurrentConfig = Tagged<ConfigSnapshot>;

export interface Admin extends Omit<AdminCalls, 'files'> {
  /** The files of the app and its users. */
  readonly files: AdminFiles;
  /** The records of a collection, regardless of its access mode. Records created here have no owner. */
  collection<T extends object = Record<string, unknown>>(name: string): Collection<T>;
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
  // A key that was read from a file may end with a line break.
  const secretKey = givenKey?.trim();
  if (secretKey && isClientSide()) {
    throw invalidArgument('Do not use a secret key in a browser or an app: its users can read it.');
  }
  // The error of `fetch` for such a header contains it.
  if (secretKey && !/^[!-~]+$/.test(secretKey)) {
    throw invalidArgument('secretKey must be one secret key, without spaces or line breaks.');
  }
  const sender = createSender({ ...options, fetch: uncached(options.fetch) });
  const call = createAdminCall(sender, secretKey);
  const appId = options.appId?.trim();
  const baseUrl = baseUrlOf(options);
  const verifier =
    appId &&
    createVerifier({
      baseUrl,
      appId,
      issuer: issuer?.trim() ?? `${baseUrl}/apps/${appId}`,
      fetch: sender.fetchNow,
      now: now ?? (() => new Date()),
      emit: sender.emit,
    });
  const { files, ...calls } = createTypedClient<AdminCalls>(adminCalls, call, createPageList);
  return {
    ...calls,
    files: {
      ...files,
      async upload(file, given = {}) {
        if (!secretKey) throw invalidArgument('This call requires secretKey.');
        return sendFile(sender, file, given, secretKey);
      },
    },
    collection: (name) =>
      createCollection(async <T>(route: string, input: RequestInput<string> = {}, given = {}) => {
        const { data } = await call({ route }, input, given);
        return data as T;
      }, name),
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
  const { document, importScripts, location, navigator } = globalThis as Record<string, unknown>;
  const isReactNative = (navigator as { product?: unknown } | undefined)?.product === 'ReactNative';
  // Cloudflare Workers with an early compatibility date have `importScripts` too, but no `location`.
  const isWebWorker = typeof importScripts === 'function' && location !== undefined;
  return document !== undefined || isWebWorker || isReactNative;
}

export type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
export type { ClientCode, FieldErrors, FoyerErrorDetails } from '../errors.js';
export { FoyerError, isFoyerError } from '../errors.js';
export type { SdkEvent } from '../events.js';
export type { Collection, DataRecord, PartOf, WriteOptions } from '../features/collection.js';
export type { FileUrlOptions, UploadOptions } from '../features/files.js';
export type {
  AdminAppFiles,
  AdminAuditLog,
  AdminCollections,
  AdminConfig,
  AdminEvents,
  AdminLoyalty,
  AdminMigration,
  AdminPush,
  AdminSettings,
  AdminStats,
  AdminTokens,
  AdminUsers,
  AdminWebhooks,
} from '../generated/admin-calls.js';
export type {
  AccessMode,
  AddedEntry,
  AdminUser,
  AppEvent,
  AppEventType,
  AppFiles,
  AppFilesChange,
  AppFilesResult,
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
  PushTopic,
  RateLimitFactors,
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
  PushDevice,
  SessionInfo,
  User,
} from '../generated/models.js';
export type { Page, Provider } from '../models.js';
export type { AccessTokenClaims, VerifyAccessToken, VerifyAccessTokenOptions } from './access-token.js';
export type { OnceOptions, Tagged } from './typed-client.js';
