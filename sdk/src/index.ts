// The package's exports, listed by hand.
export type {
  Auth,
  AuthState,
  CallOptions,
  Client,
  ClientOptions,
  Me,
  PageList,
  RepeatableCallOptions,
  Session,
} from './api.js';
export { createClient } from './client.js';
export type { ClientCode, FieldErrors, FoyerErrorDetails, ServerCode } from './errors.js';
export { FoyerError, isFoyerError } from './errors.js';
export type { SdkEvent } from './events.js';
export type {
  Page,
  PageQuery,
  PasswordCredential,
  ProfilePatch,
  SessionInfo,
  SignUp,
  User,
} from './models.js';
export type { Maybe, TokenStorage, WebStorageArea } from './storage.js';
export { memoryStorage, webStorage } from './storage.js';
