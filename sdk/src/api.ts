// The public shape of the client on one page: its options, its groups of calls, and what they promise.
import type { SdkEvent } from './events.js';
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
  Provider,
  ProviderAProof,
  SessionInfo,
  SignUp,
  User,
} from './generated/models.js';
import type { Page, ProviderBSignIn, ProviderProofs, SignInProof } from './models.js';
import type { SignInLink } from './sign-in-link.js';
import type { Maybe, TokenStorage } from './storage.js';
import type { V1Migration } from './v1-migration.js';

export interface ClientOptions {
  /** The service's address with its version, such as `https://accounts.example.com/api/v2`. */
  baseUrl: string;
  /** The app's public key, sent with every call. */
  appKey: string;
  /** Where the refresh token is kept: `webStorage()` in browsers and `memoryStorage()` elsewhere when absent. */
  storage?: TokenStorage | undefined;
  /** For an app that has a v1 release: the v1 token that it left behind is exchanged at the start, once. */
  migrateV1?: V1Migration | undefined;
  /** Used in place of the platform's `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Sent with every call to the service, `X-Client-Version` for example. */
  headers?: Record<string, string> | undefined;
  /** How long one try of a call may take: 15,000 when absent. (A refresh has limits of its own.) */
  timeoutMs?: number | undefined;
  /** How often a call that is safe to repeat is repeated after no answer, 408, 429 or 5xx: 2 when absent. */
  maxRetries?: number | undefined;
  /** How long before its expiry an access token is renewed: 60,000 when absent, at most a fifth of its life. */
  refreshMarginMs?: number | undefined;
  /** Told what the SDK does, for logs and metrics. Events never hold a token, a password or an email. */
  onEvent?: ((event: SdkEvent) => void) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Gives up the call at once with `client/aborted`; the service may have acted all the same. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  headers?: Record<string, string> | undefined;
}

/** Options of a call that is safe to repeat. */
export interface RepeatableCallOptions extends CallOptions {
  maxRetries?: number | undefined;
}

export type AuthState =
  /** The storage has not been read yet, or cannot be read now (a locked keychain). */
  | { readonly status: 'loading' }
  /**
   * `user` is `null` after a start until the first answer brings it. `online` is false while the service cannot be
   * reached: the session is kept all the same.
   */
  | {
      readonly status: 'signedIn';
      readonly uid: string;
      readonly user: User | null;
      readonly online: boolean;
    }
  /**
   * `user`: signed out here. `deleted`: the account was deleted here. `revoked`: the session was ended elsewhere.
   * `other-context`: another tab or process that shares the storage signed out. `migration-rejected`: the service refused
   * the v1 token. No reason: nobody was signed in.
   */
  | { readonly status: 'signedOut'; readonly reason?: SignOutReason };

export type SignOutReason = 'user' | 'deleted' | 'revoked' | 'other-context' | 'migration-rejected';

/** What signing in gives. Tokens stay inside the SDK. */
export interface Session {
  readonly user: User;
}

export interface ProviderASession extends Session {
  /** True when this sign-in made the account. */
  readonly isNewUser: boolean;
}

/** A list, read page by page: await it for one page, iterate over it for all items. Nothing is sent before that. */
export interface PageList<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {
  /** The first `limit` items, from as many pages as that takes. */
  toArray(options: { limit: number }): Promise<T[]>;
}

export interface Auth {
  /** The same object until something changes. */
  readonly state: AuthState;
  /** False when the session will be lost with the page or process. */
  readonly persistent: boolean;
  /**
   * Calls `listener` once with the current state, then after each change; a renewed token is not a change. Returns the
   * function that ends it. Listeners may call the client: nothing waits for them.
   */
  onStateChange(listener: (state: AuthState, previous: AuthState) => void): () => void;
  /**
   * The state once the storage was read and a v1 token, where there is one, exchanged; no other network. Rejects with
   * `client/storage-unavailable` when it cannot be read.
   */
  ready(): Promise<AuthState>;
  /** A valid access token, for a socket for example. Rejects with `auth/invalid-token` when nobody is signed in. */
  getAccessToken(options?: {
    forceRefresh?: boolean | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<string>;
  /** Makes an account and signs it in. */
  signUp(account: SignUp, options?: CallOptions): Promise<Session>;
  signIn(credential: PasswordCredential, options?: CallOptions): Promise<Session>;
  /**
   * Finds the account by the provider's own id, else by verified email, else makes it. Rejects with
   * `auth/account-exists-with-different-credential` when the email's account is unverified: sign in to it the usual way,
   * then `me.linkIdentity`.
   */
  signInWithProviderA(proof: ProviderAProof, options?: CallOptions): Promise<ProviderASession>;
  /** As with provider A. */
  signInWithProviderB(proof: ProviderBSignIn, options?: CallOptions): Promise<Session>;
  /** Signing in with a code by mail; the first one makes the account. */
  readonly emailCode: {
    send(email: string, options?: CallOptions): Promise<CodeSent>;
    /**
     * While a session is held its bearer goes along, by which the service tells the account's owner from somebody who
     * planted a password on the owner's unverified email.
     */
    verify(code: EmailCodeSignIn, options?: CallOptions): Promise<Session>;
    /** What `verify` needs, from the link of a sign-in mail; `null` for every other address. Sends nothing. */
    parseLink(url: string | null | undefined): SignInLink | null;
  };
  /** For somebody who forgot the password. */
  readonly password: {
    forgot(email: string, options?: CallOptions): Promise<CodeSent>;
    /**
     * Sets the password and ends every session of the account; it does not sign in. If the session held was one of
     * them, the state is `signedOut` with `revoked` when this resolves, or after the next call if the service could not
     * be asked.
     */
    reset(reset: PasswordReset, options?: CallOptions): Promise<void>;
  };
  /** Proving the user's email. */
  readonly verification: {
    send(options?: CallOptions): Promise<CodeSent>;
    /** Takes the code of `verification.send`, or the one that `me.changeEmail` sent to the new address. */
    confirm(code: string, options?: CallOptions): Promise<User>;
  };
  /** Renews the sign-in time of this session, for calls that demand a recent sign-in. */
  reauthenticate(proof: SignInProof, options?: CallOptions): Promise<void>;
  /**
   * Runs `work`; if it rejects with `auth/requires-recent-login`, asks the user for a proof, reauthenticates with it and
   * runs `work` once more. When `ask` gives `null`, the rejection stands.
   *
   * @example
   * await client.auth.withRecentSignIn(
   *   () => client.me.delete(),
   *   async () => ({ password: await askForPassword() }),
   * );
   */
  withRecentSignIn<T>(work: () => Promise<T>, ask: () => Maybe<SignInProof | null>): Promise<T>;
  /**
   * Signs out here at once, network or not, then tells the service. `remote` is true when the service confirmed that
   * the session (with `everywhere`, every session of the user) has ended.
   */
  signOut(options?: { everywhere?: boolean | undefined } & CallOptions): Promise<{ remote: boolean }>;
}

export interface Me {
  get(options?: RepeatableCallOptions): Promise<User>;
  update(patch: ProfilePatch, options?: CallOptions): Promise<User>;
  /** Deletes the account. The state is `signedOut` with `deleted` then. Needs a recent sign-in. */
  delete(options?: RepeatableCallOptions): Promise<void>;
  /** Ends every other session. Needs `currentPassword` or a recent sign-in. */
  changePassword(change: PasswordChange, options?: CallOptions): Promise<void>;
  /** Mails a code to the new address, for `auth.verification.confirm`. Needs a recent sign-in. */
  changeEmail(email: string, options?: CallOptions): Promise<CodeSent>;
  /** The accounts at providers that the user has linked. */
  identities(options?: RepeatableCallOptions): PageList<Identity>;
  /** Needs a recent sign-in. */
  linkIdentity<P extends Provider>(
    provider: P,
    proof: ProviderProofs[P],
    options?: CallOptions,
  ): Promise<Identity>;
  /** The last one can go too: a code by mail always remains. Needs a recent sign-in. */
  unlinkIdentity(provider: Provider, options?: RepeatableCallOptions): Promise<void>;
  /** The user's points and tier. */
  loyalty(options?: RepeatableCallOptions): Promise<LoyaltyStatus>;
  /** Where the points come from and went, newest first. */
  loyaltyHistory(query?: PageQuery, options?: RepeatableCallOptions): PageList<LoyaltyEntry>;
  /** The devices where the user is signed in, the one used last first. */
  sessions(query?: PageQuery, options?: RepeatableCallOptions): PageList<SessionInfo>;
  /** Signs one device out. */
  endSession(id: string, options?: RepeatableCallOptions): Promise<void>;
}

export interface Client {
  readonly auth: Auth;
  readonly me: Me;
  /**
   * `fetch` for the app's own backend, with the user's access token as bearer. The token is renewed when it is due, and
   * once more when the backend answers 401 with `auth/token-expired` or `auth/invalid-token` in the service's envelope
   * or with `WWW-Authenticate: Bearer error="invalid_token"`; the request is then repeated once. A body that can be
   * read only once (a stream) is never repeated: the call rejects with the code. Everything else is as with `fetch`.
   * Call only addresses that may see the token.
   */
  fetch(input: string, init?: RequestInit): Promise<Response>;
  /** Ends all listeners and refuses further calls. The session stays in the storage. */
  dispose(): void;
}
