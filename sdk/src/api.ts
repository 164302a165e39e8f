// The public types of the client: its options and the methods of each namespace.
import type { SdkEvent } from './events.js';
import type { SignInLink } from './features/sign-in-link.js';
import type { V1Exchange } from './features/v1-migration.js';
import type {
  CodeSent,
  EmailCodeSignIn,
  Identity,
  LoyaltyEntry,
  LoyaltyStatus,
  PageQuery,
  PasswordChange,
  PasswordCredential,
  PasswordReset,
  ProfilePatch,
  ProviderAProof,
  RedirectProof,
  SessionInfo,
  SignUp,
  User,
} from './generated/models.js';
import type { Page, Provider, ProviderBSignIn, ProviderProofs, SignInProof } from './models.js';
import type { Maybe, TokenStorage } from './session/storage.js';

export interface ClientOptions {
  /** Base URL of the service including the version, for example `https://accounts.example.com/api/v2`. */
  baseUrl: string;
  /** The app's public key, sent with every request. */
  appKey: string;
  /**
   * Storage of the refresh token. Default: `webStorage()` in browsers, and `memoryStorage()` with a warning elsewhere;
   * `@foyer/sdk/storage` and `@foyer/sdk/expo` have others.
   */
  storage?: TokenStorage | undefined;
  /**
   * Called once with a function `wake`, to be called when the app or the network is back: `foreground(AppState)` of
   * `@foyer/sdk/expo`. Stop when `signal` aborts, at `dispose`. Browsers need none.
   */
  wakeOn?: ((wake: () => void, signal: AbortSignal) => void) | undefined;
  /** For an app with a v1 release: `v1Migration({ read, clear })` exchanges its stored v1 token for a session. */
  migrateV1?: V1Exchange | undefined;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch | undefined;
  /**
   * Headers sent with every request to the service: `X-Client-Device` and `X-Client-Version` appear in the list of sessions, and
   * may have any characters.
   */
  headers?: Record<string, string> | undefined;
  /**
   * Time limit of one attempt of a request, in milliseconds. Default: 15,000. Token refreshes have their own limits.
   */
  timeoutMs?: number | undefined;
  /** Maximum retries of an idempotent request after a network failure, 408, 429 or 5xx. Default: 2. */
  maxRetries?: number | undefined;
  /**
   * Renews an access token this many milliseconds before it expires. Default: 60,000; at most a fifth of its lifetime.
   */
  refreshMarginMs?: number | undefined;
  /** Where the access token is kept across page loads: `inSessionStorage()`. Default: in memory only. */
  keepAccessToken?: AccessTokenCache | undefined;
  /** Receives the SDK's events, for logs and metrics. Events never contain a token, a password or an email. */
  onEvent?: ((event: SdkEvent) => void) | undefined;
}

/** The result of `inSessionStorage`, for the option `keepAccessToken`. */
export type AccessTokenCache = (client: object) => {
  /** Stores the access token of a session. */
  save(session: object): void;
  /** Gives a session its access token; removes that of another session, of an earlier refresh, or expired. */
  load(session: object): void;
  /** Removes the access token. */
  clear(): void;
};

/** Options of one request. */
export interface CallOptions {
  /** Aborts the request with `client/aborted`. The service may have processed it. */
  signal?: AbortSignal | undefined;
  /** Time limit of one attempt, in milliseconds. Default: that of the client. */
  timeoutMs?: number | undefined;
  /** Headers of this request, in addition to those of the client. */
  headers?: Record<string, string> | undefined;
}

/** Options of an idempotent request. */
export interface RepeatableCallOptions extends CallOptions {
  /** Maximum retries after a network failure, 408, 429 or 5xx. Default: that of the client. */
  maxRetries?: number | undefined;
}

export type AuthState =
  /** The storage has not been read yet, or is unavailable (a locked keychain). */
  | { readonly status: 'loading' }
  /**
   * `user` is `null` after startup until a response contains it. `online` is false while the service is unreachable
   * or refuses refreshes with 429; the session persists.
   */
  | {
      readonly status: 'signedIn';
      readonly uid: string;
      readonly user: User | null;
      readonly online: boolean;
    }
  /**
   * `user`: the user signed out on this client. `deleted`: the account was deleted on this client. `revoked`: the
   * session was revoked elsewhere. `other-context`: another tab or process that shares the storage signed out.
   * `migration-rejected`: the service rejected the v1 token. No reason: there was no session.
   */
  | { readonly status: 'signedOut'; readonly reason?: SignOutReason };

export type SignOutReason = 'user' | 'deleted' | 'revoked' | 'other-context' | 'migration-rejected';

/** The result of a sign-in. Tokens stay inside the SDK. */
export interface Session {
  /** The signed-in user. */
  readonly user: User;
}

export interface ProviderASession extends Session {
  /** True when this sign-in created the account. */
  readonly is_new_user: boolean;
}

/** A paginated list: await it for one page, or iterate over all items. No request is sent before that. */
export interface PageList<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {
  /** Returns the first `limit` items, fetching as many pages as necessary. */
  toArray(options: { limit: number }): Promise<T[]>;
}

export interface Auth {
  /** The current state. The object's identity is stable until the state changes. */
  readonly state: AuthState;
  /** False when the session does not outlive the page or process. */
  readonly persistent: boolean;
  /**
   * Calls `listener` once with the current state, then after each change; a token refresh is not a change. Returns the
   * unsubscribe function. Listeners may call the client; the SDK does not await them.
   */
  onStateChange(listener: (state: AuthState, previous: AuthState) => void): () => void;
  /**
   * Resolves with the state once the storage is read and a v1 token, if any, is exchanged; sends no other request.
   * Rejects with `client/storage-unavailable` when the storage cannot be read.
   */
  ready(): Promise<AuthState>;
  /** Returns a valid access token, for example for a WebSocket. Rejects with `client/signed-out` when signed out. */
  getAccessToken(options?: {
    forceRefresh?: boolean | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<string>;
  /** Creates an account and signs in to it. */
  signUp(account: SignUp, options?: CallOptions): Promise<Session>;
  /** Signs in with email and password. Rejects with `auth/invalid-credential` when either is wrong. */
  signIn(credential: PasswordCredential, options?: CallOptions): Promise<Session>;
  /**
   * Finds the account by the provider's user id, then by verified email, and otherwise creates it. Rejects with
   * `auth/account-exists-with-different-credential` when the account's email is unverified: sign in with an existing
   * method, then call `me.linkIdentity`.
   */
  signInWithProviderA(proof: ProviderAProof, options?: CallOptions): Promise<ProviderASession>;
  /** Same account resolution as `signInWithProviderA`. */
  signInWithProviderB(proof: ProviderBSignIn, options?: CallOptions): Promise<Session>;
  /** Sign-in with an emailed code. The first sign-in creates the account. */
  readonly emailCode: {
    /** Emails a code and a sign-in link, whether or not the account exists. */
    send(email: string, options?: CallOptions): Promise<CodeSent>;
    /**
     * When signed in, the request includes the access token, so that the service can distinguish the account's owner
     * from an attacker who set a password on the owner's unverified email.
     */
    verify(code: EmailCodeSignIn, options?: CallOptions): Promise<Session>;
    /** Parses the link of a sign-in email into the input of `verify`; `null` for any other URL. Sends no request. */
    parseLink(url: string | null | undefined): SignInLink | null;
  };
  /** Password reset. */
  readonly password: {
    /** Emails a reset code if the account exists; the response does not reveal whether it does. */
    forgot(email: string, options?: CallOptions): Promise<CodeSent>;
    /**
     * Sets the password and revokes every session of the account; it does not sign in. If the current session was
     * revoked, the state is `signedOut` with reason `revoked` when this resolves, or after the next request if the
     * service was unreachable.
     */
    reset(reset: PasswordReset, options?: CallOptions): Promise<void>;
  };
  /** Email verification. */
  readonly verification: {
    /** Emails a verification code to the signed-in user. */
    send(options?: CallOptions): Promise<CodeSent>;
    /** Accepts the code that was requested last, by `verification.send` or, mailed to the new email, by `me.changeEmail`. */
    confirm(code: string, options?: CallOptions): Promise<User>;
  };
  /** Renews the authentication time of the current session, for methods that require a recent sign-in. */
  reauthenticate(proof: SignInProof, options?: CallOptions): Promise<void>;
  /**
   * Runs `work`. If it rejects with `auth/requires-recent-login`, calls `ask` for a credential, reauthenticates with it
   * and runs `work` once more. When `ask` returns `null`, the original rejection is thrown.
   *
   * @example
   * await client.auth.withRecentSignIn(
   *   () => client.me.delete(),
   *   async () => ({ password: await askForPassword() }),
   * );
   */
  withRecentSignIn<T>(work: () => Promise<T>, ask: () => Maybe<SignInProof | null>): Promise<T>;
  /**
   * Signs out locally at once, also when offline, then revokes the session at the service. `remote` is true when the
   * service confirmed that the session (with `everywhere`, every session of the user) is revoked; otherwise the SDK
   * revokes this session at the next chance.
   */
  signOut(options?: { everywhere?: boolean | undefined } & CallOptions): Promise<{ remote: boolean }>;
}

export interface Me {
  /** Fetches the signed-in user. */
  get(options?: RepeatableCallOptions): Promise<User>;
  /** Updates the given fields of the profile. */
  update(patch: ProfilePatch, options?: CallOptions): Promise<User>;
  /** Deletes the account; the state is then `signedOut` with reason `deleted`. Requires a recent sign-in. */
  delete(options?: RepeatableCallOptions): Promise<void>;
  /** Changes the password and revokes every other session. Requires `current_password`, or a recent sign-in, as of a user with a second factor. */
  changePassword(change: PasswordChange, options?: CallOptions): Promise<void>;
  /** Emails a code to the new email, for `auth.verification.confirm`. Requires a recent sign-in. */
  changeEmail(email: string, options?: CallOptions): Promise<CodeSent>;
  /** The user's linked provider accounts. */
  identities(options?: RepeatableCallOptions): PageList<Identity>;
  /** Links a provider account. Requires a recent sign-in. */
  linkIdentity<P extends Provider>(
    provider: P,
    proof: (P extends keyof ProviderProofs ? ProviderProofs[P] : ProviderAProof) | RedirectProof,
    options?: CallOptions,
  ): Promise<Identity>;
  /** Unlinks a provider account, the last one included: sign-in by emailed code remains. Requires a recent sign-in. */
  unlinkIdentity(provider: Provider, options?: RepeatableCallOptions): Promise<void>;
  /** The user's points and tier. */
  loyalty(options?: RepeatableCallOptions): Promise<LoyaltyStatus>;
  /** The user's ledger entries, newest first. */
  loyaltyHistory(query?: PageQuery, options?: RepeatableCallOptions): PageList<LoyaltyEntry>;
  /** The user's sessions, most recently used first. */
  sessions(query?: PageQuery, options?: RepeatableCallOptions): PageList<SessionInfo>;
  /** Revokes one session. */
  endSession(id: string, options?: RepeatableCallOptions): Promise<void>;
}

/** `Claims` is the type of the custom claims that the app's backend sets; see `claims(client)`. */
export interface Client<Claims extends object = object> {
  /** Sign-up, sign-in, sign-out and the state. */
  readonly auth: Auth;
  /** The signed-in user's profile, account and devices. */
  readonly me: Me;
  /**
   * Removes all listeners. Further sign-ins and authenticated calls reject with `client/aborted`; the stored session
   * remains.
   */
  dispose(): void;
  /** Carries the type of the claims; never present. */
  readonly claimsType?: Claims;
}
