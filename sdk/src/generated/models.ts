// What the calls of an app send and receive. Generated from the contract by `npm run generate`. Do not edit.

/** A user of the app. */
export interface User {
  /** The user's id within the app; never changes. */
  uid: string;
  /** Always in lower case. */
  email: string;
  /** False after sign-up with a password. */
  email_verified: boolean;
  /** Null until it is set. */
  first_name: string | null;
  /** Null until it is set. */
  last_name: string | null;
  /** An https URL, or null. */
  photo_url: string | null;
  /** When the account was created. */
  created_at: string;
}

/** The fields of the profile to change. `null` clears a field. */
export interface ProfilePatch {
  /** At most 100 characters; null or blank clears the name. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank clears the name. */
  last_name?: string | null | undefined;
  /** An https URL of at most 2,048 characters; null for none. */
  photo_url?: string | null | undefined;
}

/** A new account with a password of at least 8 characters. */
export interface SignUp {
  /** One email address of at most 254 characters; the service trims and lower-cases it. */
  email: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password: string;
  /** At most 100 characters; null or blank clears the name. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank clears the name. */
  last_name?: string | null | undefined;
}

/** An email and its password. */
export interface PasswordCredential {
  /** One email address of at most 254 characters; the service trims and lower-cases it. */
  email: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password: string;
}

/** An emailed code, and the names for an account that it may create. */
export interface EmailCodeSignIn {
  /** One email address of at most 254 characters; the service trims and lower-cases it. */
  email: string;
  /** The emailed code of six digits. */
  code: string;
  /** At most 100 characters; null or blank clears the name. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank clears the name. */
  last_name?: string | null | undefined;
}

/** The response is the same whether or not the email has an account. */
export interface CodeSent {
  /** Seconds until the code expires. */
  expires_in: number;
}

/** A new password, and the emailed code that allows it. */
export interface PasswordReset {
  /** One email address of at most 254 characters; the service trims and lower-cases it. */
  email: string;
  /** The emailed code of six digits. */
  code: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password: string;
}

/** A new password. `currentPassword` replaces a recent sign-in. */
export interface PasswordChange {
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  currentPassword?: string | undefined;
}

/** The credential from provider A. */
export interface ProviderAProof {
  /** Provider A's ID token. */
  idToken: string;
  /** Equal to the ID token's `nonce` claim. */
  nonce: string;
}

/** The credential from provider B. */
export interface ProviderBProof {
  /** Provider B's identity token. */
  identityToken: string;
  /** Lets the service revoke the provider's tokens when the account is deleted. */
  authorizationCode: string;
  /** The raw nonce; the provider received its SHA-256 in hex. */
  nonce: string;
}

/** An identity provider. */
export type Provider = 'provider-a' | 'provider-b';

/** The user's account at an identity provider. */
export interface Identity {
  /** The identity provider. */
  provider: Provider;
  /** The email returned by the provider, if any. */
  email: string | null;
  /** When the provider was linked. */
  linked_at: string;
}

/** An active session of a user on a device. */
export interface SessionInfo {
  /** The session; `sid` in its access tokens. */
  id: string;
  /** True for the session of this call. */
  current: boolean;
  /** How the user signed in. */
  method: 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';
  device: {
    /** The name that the client sent in `X-Client-Device`. */
    name: string | null;
    /** The device type, from the `User-Agent` header. */
    type: 'mobile' | 'tablet' | 'desktop' | 'unknown';
    /** From the `User-Agent` header. */
    os: string | null;
    /** From the `User-Agent` header. */
    browser: string | null;
    /** The version that the client sent in `X-Client-Version`. */
    app_version: string | null;
  };
  /** The IP address of the sign-in. */
  ip_address: string | null;
  /** The time of the sign-in. */
  created_at: string;
  /** The time of the sign-in or the last refresh. */
  last_used_at: string;
  /** When the session expires unless it is refreshed. */
  expires_at: string;
}

/** The points balance of a user and the tier that it reaches. */
export interface LoyaltyStatus {
  /** Unique in the app. Only the team of the app can change it. */
  member_id: string;
  /** The balance of the ledger. */
  points: number;
  /** The highest tier that the balance reaches. */
  tier: string;
  /** Null at the highest tier. */
  next_tier: {
    /** The name of the next tier. */
    tier: string;
    /** The number of points missing to the next tier. */
    points_needed: number;
  } | null;
}

/** An entry of the ledger; entries are immutable. */
export interface LoyaltyEntry {
  /**
   * The entry. The order of the history is that of the balance; ids of concurrent entries may sort
   * differently.
   */
  id: string;
  /** The points that were added; negative if they were deducted. */
  points: number;
  /** The reason for the points, for the user. */
  description: string;
  /** When the entry was created. */
  created_at: string;
}

/** Which page of a list to read. */
export interface PageQuery {
  /** The page size, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/** A new access token. It stays inside the SDK. */
export interface AccessAnswer {
  /** A JWT (`typ: at+jwt`) that can be verified with the key set. */
  access_token: string;
  /** Send the access token as `Authorization: Bearer`. */
  token_type: 'Bearer';
  /** The lifetime of the access token in seconds; an app setting, 300 to 86,400. */
  expires_in: number;
  /** A user of the app. */
  user: User;
}

/** A new access token and refresh token, and their user. */
export interface TokenAnswer {
  /** A JWT (`typ: at+jwt`) that can be verified with the key set. */
  access_token: string;
  /** Send the access token as `Authorization: Bearer`. */
  token_type: 'Bearer';
  /** The lifetime of the access token in seconds; an app setting, 300 to 86,400. */
  expires_in: number;
  /** Opaque; can be used once: store the new one of each token answer. */
  refresh_token: string;
  /** A user of the app. */
  user: User;
}

/** The answer to a sign-in with provider A. */
export interface ProviderATokenAnswer {
  /** A JWT (`typ: at+jwt`) that can be verified with the key set. */
  access_token: string;
  /** Send the access token as `Authorization: Bearer`. */
  token_type: 'Bearer';
  /** The lifetime of the access token in seconds; an app setting, 300 to 86,400. */
  expires_in: number;
  /** Opaque; can be used once: store the new one of each token answer. */
  refresh_token: string;
  /** A user of the app. */
  user: User;
  /** True if this call created the account; false if the same ID token is sent again. */
  is_new_user: boolean;
}

/** Who can read a file. */
export type FileVisibility = 'private' | 'public';

/** The metadata of a file. */
export interface FileInfo {
  /** A ULID. */
  id: string;
  /** The name sent by the client, without paths and unsafe characters. */
  name: string;
  /** The type detected from the bytes; `application/octet-stream` if it is not recognised. */
  content_type: string;
  /** The size in bytes. */
  size: number;
  /** The SHA-256 of the bytes, in hex. */
  sha256: string;
  /**
   * `private`: accessible to its owner and the backend; `public`: accessible to anyone who has the
   * URL.
   */
  visibility: FileVisibility;
  /** The permanent URL of a public file; null for a private one. */
  public_url: string | null;
  /** The user who uploaded the file; null if it was uploaded with a secret key. */
  owner_uid: string | null;
  /** When the upload was complete. */
  created_at: string;
}

/** The URLs for the bytes of a file. */
export interface FileUrl {
  /**
   * Returns the bytes until `expires_at`, without any header; stops working when the file is
   * deleted.
   */
  url: string;
  /** After this time `url` returns `files/url-expired`. */
  expires_at: string;
  /** The permanent URL of a public file; null for a private one. */
  public_url: string | null;
}

/** The push provider that issued the token and delivers the messages. */
export type PushProvider = 'fcm' | 'apns' | 'webpush';

/** The platform of the app. */
export type PushPlatform = 'ios' | 'android' | 'web';

/** The device that the app runs on. */
export interface PushRegistration {
  /** The provider's token; for Web Push the endpoint of the subscription, an https URL. */
  token: string;
  /** The push provider that issued the token and delivers the messages. */
  provider: PushProvider;
  /** The platform of the app. */
  platform: PushPlatform;
  /** The APNs environment of the token. Default: `production`. */
  environment?: 'production' | 'sandbox' | undefined;
  /** Required for Web Push, ignored otherwise. */
  keys?:
    | {
        /** The public key of the subscription, base64url. */
        p256dh: string;
        /** The secret of the subscription, base64url. */
        auth: string;
      }
    | undefined;
  /** The version of the app. */
  appVersion?: string | undefined;
  /** A language tag. */
  locale?: string | undefined;
  /** The name of the device, as chosen by the user. */
  name?: string | undefined;
}

/** A device; its push token is never returned. */
export interface PushDevice {
  /** A ULID. */
  id: string;
  /** The push provider that issued the token and delivers the messages. */
  provider: PushProvider;
  /** The platform of the app. */
  platform: PushPlatform;
  /** The APNs environment of the token. */
  environment: 'production' | 'sandbox';
  /** As sent by the app. */
  app_version: string | null;
  /** As sent by the app. */
  locale: string | null;
  /** As sent by the app. */
  name: string | null;
  /** Sorted by bytes. */
  topics: string[];
  /** The user of the device; null if it is linked to no user. */
  user_uid: string | null;
  /**
   * `invalid` after the provider rejected the token, or after the endpoint of a Web Push
   * subscription did not answer 3 messages in a row within 24 hours or more. Registering it again
   * makes it active.
   */
  status: 'active' | 'invalid';
  /** ISO 8601, UTC, with microseconds. */
  created_at: string;
  /** ISO 8601, UTC, with microseconds. */
  last_registered_at: string;
}
