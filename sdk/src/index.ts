// The package's exports, listed by hand.

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
export { createClient } from './client.js';
export type { ClientCode, FieldErrors, FoyerErrorDetails } from './errors.js';
export { FoyerError, isFoyerError } from './errors.js';
export type { SdkEvent } from './events.js';
export type { AuthSessionOptions } from './features/auth-session.js';
export { linkInAuthSession, signInInAuthSession } from './features/auth-session.js';
export { authorizedFetch } from './features/authorized-fetch.js';
export type { ClaimsOf, ClaimsOptions } from './features/claims.js';
export { claims } from './features/claims.js';
export type { Collection, DataRecord, PartOf, WriteOptions } from './features/collection.js';
export { collection } from './features/collection.js';
export type { CookieSessionOptions } from './features/cookie-session.js';
export { cookieSession } from './features/cookie-session.js';
export type { Files, FileUrlOptions, NativeFile, UploadOptions } from './features/files.js';
export { files } from './features/files.js';
export { v1Migration } from './features/migrate-v1.js';
export type { Nonce, NonceOptions } from './features/nonce.js';
export { createNonce } from './features/nonce.js';
export type {
  NativePasskeys,
  PasskeyRegister,
  PasskeySignIn,
  Passkeys,
} from './features/passkey-types.js';
export { passkeys } from './features/passkeys.js';
export type { RedirectOptions, RedirectResult } from './features/provider-redirect.js';
export {
  completeRedirect,
  linkWithProvider,
  reauthenticateWithProvider,
  signInWithProvider,
} from './features/provider-redirect.js';
export type { Push, PushOptions } from './features/push.js';
export { push } from './features/push.js';
export type { WebPushSubscription, WebPushWorker } from './features/push-web.js';
export type { ComparisonOp, FieldPath, FieldValue, OwnField, Query } from './features/query.js';
export type {
  ConfigStorage,
  ConfigValue,
  ConfigValues,
  RemoteConfig,
  RemoteConfigOptions,
} from './features/remote-config.js';
export { remoteConfig } from './features/remote-config.js';
export type {
  EnrolledSession,
  SecondFactor,
  SecondFactorProof,
  SecondFactorRequest,
  SecondFactorSession,
} from './features/second-factor.js';
export { secondFactor, secondFactorOf, withSecondFactor } from './features/second-factor.js';
export { signInByIdToken } from './features/sign-in-by-id-token.js';
export type { SignInLink } from './features/sign-in-link.js';
export { signInMethods } from './features/sign-in-methods.js';
export type { UploadProgress } from './features/upload.js';
export type { UserExports } from './features/user-export.js';
export { userExport } from './features/user-export.js';
export type { V1Exchange, V1Migration, V1MigrationResult } from './features/v1-migration.js';
export type { ServerCode } from './generated/error-codes.js';
export type {
  CodeSent,
  EmailCodeSignIn,
  Factors,
  FileInfo,
  FileUrl,
  FileVisibility,
  Identity,
  LoyaltyEntry,
  LoyaltyStatus,
  PageQuery,
  Passkey,
  PasskeyAssertion,
  PasswordChange,
  PasswordCredential,
  PasswordReset,
  ProfilePatch,
  ProviderAProof,
  ProviderBProof,
  PushDevice,
  PushPlatform,
  PushProvider,
  PushRegistration,
  RecoveryCodes,
  RedirectProof,
  SessionInfo,
  SignInMethods,
  SignUp,
  TotpEnrollment,
  User,
  UserExport,
} from './generated/models.js';
export type { Page, Provider, ProviderBSignIn, ProviderProofs, SecondStep, SignInProof } from './models.js';
export { inSessionStorage } from './session/access-token-cache.js';
export type { Maybe, StorageChannel, TokenStorage, WebStorageArea } from './session/storage.js';
export { memoryStorage, webStorage } from './session/storage.js';
