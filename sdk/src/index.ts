// The package's exports, listed by hand.
export type {
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
export type { ClientCode, FieldErrors, FoyerErrorDetails, ServerCode } from './errors.js';
export { FoyerError, isFoyerError } from './errors.js';
export type { SdkEvent } from './events.js';
export type {
  CodeSent,
  EmailCodeSignIn,
  Identity,
  Page,
  PageQuery,
  PasswordChange,
  PasswordCredential,
  PasswordReset,
  ProfilePatch,
  Provider,
  ProviderAProof,
  ProviderBProof,
  ProviderBSignIn,
  ProviderProofs,
  SessionInfo,
  SignInProof,
  SignUp,
  User,
} from './models.js';
export type { Nonce, NonceOptions } from './nonce.js';
export { createNonce } from './nonce.js';
export type { SignInLink } from './sign-in-link.js';
export type { Maybe, TokenStorage, WebStorageArea } from './storage.js';
export { memoryStorage, webStorage } from './storage.js';
