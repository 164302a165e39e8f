// The public types of `fakeService`.
import type { DataRecord } from '../features/collection.js';
import type { NativePasskeys } from '../features/passkey-types.js';
import type { AccessMode } from '../generated/admin-models.js';
import type { ServerCode } from '../generated/error-codes.js';
import type { Factors, User } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import type { Provider } from '../models.js';
import type { profileFields } from './fake-input.js';

export interface FakeServiceOptions {
  /** The base URL that the fake answers at. Default: `https://foyer.test/api/v2`. */
  baseUrl?: string | undefined;
  /** The app key that it accepts. Default: `pk_fake`. */
  appKey?: string | undefined;
  /** The declared collections with their access modes. */
  collections?: Record<string, AccessMode> | undefined;
  /** The remote config. */
  config?: Record<string, unknown> | undefined;
  /** The identity providers of the app's settings, by id. Default: none. */
  providers?: Record<string, FakeProvider> | undefined;
  /** Whether users may or must have a second factor. Default: `optional`. */
  secondFactor?: Factors['rule'] | undefined;
}

/** An identity provider of the app's settings. */
export interface FakeProvider {
  /** The name that `signInMethods` returns. */
  name: string;
  /** How users sign in with it: `github` accepts no ID tokens. Default: `oidc`. */
  kind?: 'oidc' | 'github' | undefined;
  /** Whether its verified emails sign in to the accounts that have them. Default: false. */
  trustsEmail?: boolean | undefined;
}

/** A request that a fake service received, or would have received if it had not been lost. */
export interface FakeRequest {
  /** The endpoint, such as `GET /me/sessions`; undefined for an unknown one. */
  readonly route: Route | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The path below the base URL with the query. */
  readonly path: string;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body; undefined without one. */
  readonly body: unknown;
  /** The HTTP status of the response; 0 when there was none, or none yet. */
  readonly status: number;
}

/** A fake ID token for `signInWithProviderA`, `signInWithProviderB`, `signInByIdToken` or `me.linkIdentity`. */
export interface IdTokenOptions {
  /** The email of the account at the provider. */
  email: string;
  /** The nonce that the client sends to the service: `raw` of `createNonce`. */
  nonce: string;
  /** The user's id at the provider. Default: derived from the email. */
  subject?: string | undefined;
  /** Default: true. */
  emailVerified?: boolean | undefined;
}

export interface FakeService {
  /** `baseUrl`, `appKey` and `fetch`, for `createClient`. */
  readonly options: { readonly baseUrl: string; readonly appKey: string; readonly fetch: typeof fetch };
  /** Every request of all clients, oldest first. */
  readonly requests: readonly FakeRequest[];
  /** The requests of one endpoint. */
  requestsTo(route: Route): readonly FakeRequest[];

  /** While true, no request reaches the service. */
  offline: boolean;
  /**
   * Plans a failure of the next `times` requests of an endpoint, or of any with `'*'`. Default of `times`: 1. A client sends
   * GET, PUT and DELETE up to three times: for the call to fail, plan three failures, or pass it `maxRetries: 0`.
   */
  fail(route: Route | '*', fault: Fault, times?: number): void;
  /** Removes all planned failures and sets `offline` to false. */
  recover(): void;

  /** The time of the service: that of the program, plus what `advance` added. */
  now(): Date;
  /** Moves the clock of the service forward; access tokens, codes and sessions expire accordingly. */
  advance(ms: number): void;

  /** The users, in the order of their creation. */
  readonly users: readonly User[];
  /** Creates a user. Throws if the email has an account. */
  addUser(user: NewUser): User;
  /** Changes a user as a backend would. Throws if there is no such user, or if the user has fewer points. */
  updateUser(email: string, change: UserChange): void;
  /** Ends all sessions of a user, as a password reset on another device does. */
  endSessions(email: string): void;
  /** The newest unused code emailed to an email, even if it has expired or was guessed too often. Throws if there is none. */
  code(email: string): string;
  /**
   * The present code of the user's authenticator app, or of the one that the user is enrolling. Each works once: `advance` by 30
   * seconds for the next. Throws if there is none.
   */
  totp(email: string): string;
  /** A new device for `passkeys(client, device)`, without a passkey; it uses the one that it has created last. */
  passkeyDevice(): NativePasskeys;
  /** Returns an ID token of a provider. */
  idToken(provider: Provider, options: IdTokenOptions): string;
  /**
   * Signs a user in at the URL that `signInWithProvider` opened, and returns the URL at which the app opens then. For a page, set
   * its address to it before `completeRedirect`.
   */
  returnFromProvider(url: string, account: Omit<IdTokenOptions, 'nonce'>): string;
  /** As `returnFromProvider`, for a user who declines. */
  cancelAtProvider(url: string): string;
  /** Makes a v1 token valid for a user's exchange. */
  addV1Token(token: string, email: string): void;

  /** Replaces the remote config. */
  setConfig(values: Record<string, unknown>): void;
  /** Declares a collection, or changes its access mode. */
  defineCollection(name: string, mode: AccessMode): void;
  /** Stores a record as a backend would; an existing one with this id is replaced. */
  addRecord(
    collection: string,
    fields: Record<string, unknown>,
    options?: { id?: string | undefined; ownerUid?: string | undefined },
  ): DataRecord<Record<string, unknown>>;
  /** All records of a collection, independently of who may read them. */
  records(collection: string): readonly DataRecord<Record<string, unknown>>[];
}

export type { AccessMode };

/**
 * A failure of one request.
 *
 * - `'offline'`: the request does not reach the service.
 * - `'lost-answer'`: the service processes the request, and the response is lost.
 * - `'silence'`: the request does not reach the service, and there is no response until the client gives up.
 * - `{ code }`: the service refuses with this error and its status; `retryAfterSeconds` adds the header `Retry-After`.
 * - `{ status, body }`: a response that is not of the service, such as a proxy's page.
 * - `{ delayMs }`: the service processes the request, and the response arrives this many milliseconds later.
 */
export type Fault =
  | 'offline'
  | 'lost-answer'
  | 'silence'
  | { code: ServerCode; retryAfterSeconds?: number | undefined }
  | { status: number; body?: string | undefined }
  | { delayMs: number };

type Profile = { [Field in keyof typeof profileFields]?: User[Field] | undefined };

/** A user that a test creates. The fields of the profile are null by default. */
export interface NewUser extends Profile {
  /** The email in lower case. */
  email: string;
  /** Default: none; the user signs in with a code or a provider. */
  password?: string | undefined;
  /** Default: false. */
  email_verified?: boolean | undefined;
  /** Custom claims of the user's access tokens. */
  claims?: Record<string, unknown> | undefined;
}

/** What a backend changes about a user. */
export interface UserChange {
  /** True ends all sessions, and the user cannot sign in. */
  disabled?: boolean | undefined;
  /** Replaces the custom claims; access tokens have them from the next refresh on. */
  claims?: Record<string, unknown> | undefined;
  /** Adds this many loyalty points; a negative number deducts them. */
  points?: number | undefined;
}
