// What goes over the wire, as the service's contract has it: snake_case, times as strings with microseconds.

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

/** The answer that starts or continues a session. It stays inside the SDK. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds of validity of the access token, counted from the answer. */
  expires_in: number;
  /** Usable once. */
  refresh_token: string;
  user: User;
}
