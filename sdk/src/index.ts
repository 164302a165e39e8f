// The package's exports, listed by hand.
export { inSessionStorage } from './access-token-cache.js';
export type {
  AccessTokenCache,
  Auth,
  AuthState,
  CallOptions,
  Client,
  ClientOptions,
  Me,
  PageList,
  ProviderASession,
  RepeatableCallOptions,
  Session,
  SignOutReason,
} from './api.js';
export type { ClaimsOf, ClaimsOptions } from './claims.js';
export { claims } from './claims.js';
export { createClient } from './client.js';
export type { Collection, DataRecord, PartOf, WriteOptions } from './collection.js';
export { collection } from './collection.js';
export type { CookieSessionOptions } from './cookie-session.js';
export { cookieSession } from './cookie-session.js';
export type { ClientCode, FieldErrors, FoyerErrorDetails } from './errors.js';
export { FoyerError, isFoyerError } from './errors.js';
export type { SdkEvent } from './events.js';
export type { Files, FileUrlOptions, NativeFile, UploadOptions } from './files.js';
export { files } from './files.js';
export type { ServerCode } from './generated/error-codes.js';
export type {
  CodeSent,
  EmailCodeSignIn,
  FileInfo,
  FileUrl,
  FileVisibility,
  Identity,
  LoyaltyEntry,
  LoyaltyStatus,
  PageQuery,
  PasswordChange,
  PasswordCredential,
  PasswordReset,
  ProfilePatch,
  Provider,
  ProviderAProof,
  ProviderBProof,
  PushDevice,
  PushPlatform,
  PushProvider,
  PushRegistration,
  SessionInfo,
  SignUp,
  User,
} from './generated/models.js';
export { v1Migration } from './migrate-v1.js';
export type { Page, ProviderBSignIn, ProviderProofs, SignInProof } from './models.js';
export type { Nonce, NonceOptions } from './nonce.js';
export { createNonce } from './nonce.js';
export type { Push, PushOptions } from './push.js';
export { push } from './push.js';
export type { WebPushSubscription, WebPushWorker } from './push-web.js';
export type { ComparisonOp, FieldPath, FieldValue, OwnField, Query } from './query.js';
export type {
  ConfigStorage,
  ConfigValue,
  ConfigValues,
  RemoteConfig,
  RemoteConfigOptions,
} from './remote-config.js';
export { remoteConfig } from './remote-config.js';
export type { SignInLink } from './sign-in-link.js';
export type { Maybe, StorageChannel, TokenStorage, WebStorageArea } from './storage.js';
export { memoryStorage, webStorage } from './storage.js';
export type { UploadProgress } from './upload.js';
export type { V1Exchange, V1Migration, V1MigrationResult } from './v1-migration.js';
