// What calls take and give, as the service's contract has it. Fields of the user, the devices and the lists keep their
// names on the wire; what a call merely carries (a token, a proof) is named as in JavaScript. Times are strings with
// microseconds.

/** An account of the app. */
export interface User {
  /** A ULID; never changes. */
  uid: string;
  email: string;
  /** False after sign-up with a password. */
  email_verified: boolean;
  first_name: string | null;
  last_name: string | null;
  photo_url: string | null;
  /** ISO 8601, UTC, with microseconds. */
  created_at: string;
}

/** What `signUp` sends. The password needs at least 8 characters; the names may be left out. */
export interface SignUp {
  email: string;
  password: string;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
}

/** An email and its password. */
export interface PasswordCredential {
  email: string;
  password: string;
}

/** A mailed code, and the names for an account that it may make. */
export interface EmailCodeSignIn {
  email: string;
  /** Six digits. */
  code: string;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
}

/** The answer to every call that mails a code; it is the same for every email. */
export interface CodeSent {
  /** Seconds until the code expires. */
  expires_in: number;
}

/** What the app has of provider A. */
export interface ProviderAProof {
  /** The ID token that the provider's SDK gave. */
  idToken: string;
  /** The nonce that the provider was given; the ID token repeats it. */
  nonce: string;
}

/** What the app has of provider B. */
export interface ProviderBProof {
  identityToken: string;
  /** Lets the service revoke the provider's tokens when the account is deleted. */
  authorizationCode: string;
  /** The raw nonce, whose SHA-256 the provider was given. */
  nonce: string;
}

/** The provider gives the names once, at the first sign-in: send them along then. */
export interface ProviderBSignIn extends ProviderBProof {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
}

/** What proves an account at each provider. */
export interface ProviderProofs {
  'provider-a': ProviderAProof;
  'provider-b': ProviderBProof;
}

export type Provider = keyof ProviderProofs;

/** An account at a provider that the user has linked. */
export interface Identity {
  provider: Provider;
  /** The email that the provider gave, if any. */
  email: string | null;
  linked_at: string;
}

/** One proof that it is still the same user: the password, a code from `emailCode.send`, or a linked provider's token. */
export type SignInProof =
  | { password: string }
  | { code: string }
  | { providerA: ProviderAProof }
  | { providerB: ProviderBProof };

/** A new password, and the mailed code that allows it. */
export interface PasswordReset {
  email: string;
  /** Six digits. */
  code: string;
  password: string;
}

export interface PasswordChange {
  /** The new password, of at least 8 characters. */
  password: string;
  /** Stands in for a recent sign-in. */
  currentPassword?: string | undefined;
}

/** The fields of the profile to change; `null` clears a field, an absent field stays as it is. */
export interface ProfilePatch {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  /** An https address. */
  photo_url?: string | null | undefined;
}

/** A live session of the user: a device that is signed in. */
export interface SessionInfo {
  id: string;
  /** True for the session that made the call. */
  current: boolean;
  /** How the user signed in. */
  method: 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';
  device: {
    /** What the client said of itself in `X-Client-Device`. */
    name: string | null;
    type: 'mobile' | 'tablet' | 'desktop' | 'unknown';
    os: string | null;
    browser: string | null;
    /** What the client said in `X-Client-Version`. */
    app_version: string | null;
  };
  ip_address: string | null;
  created_at: string;
  /** The sign-in or the last refresh. */
  last_used_at: string;
  /** When the session ends if it is not used before. */
  expires_at: string;
}

/** The user's points, and the tier that they reach. */
export interface LoyaltyStatus {
  /** Unique in the app; never changes. */
  member_id: string;
  points: number;
  tier: string;
  /** `null` at the top tier. */
  next_tier: { tier: string; points_needed: number } | null;
}

/** Points that were added, or taken away. */
export interface LoyaltyEntry {
  id: string;
  /** Below zero when they were taken away. */
  points: number;
  description: string;
  created_at: string;
}

/** Which part of a list to read. */
export interface PageQuery {
  /** Items a page: 25 when absent, at most 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
}

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** Pass it as `cursor` to read on; `null` on the last page. */
  next_cursor: string | null;
}

/** The answer to a reauthentication: the session goes on with its refresh token. It stays inside the SDK. */
export interface AccessAnswer {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds of validity of the access token, counted from the answer. */
  expires_in: number;
  user: User;
}

/** The answer that starts or continues a session. It stays inside the SDK. */
export interface TokenAnswer extends AccessAnswer {
  /** Usable once. */
  refresh_token: string;
}

/** The answer to a sign-in with provider A. */
export interface ProviderATokenAnswer extends TokenAnswer {
  is_new_user: boolean;
}
