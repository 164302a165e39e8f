// What the calls of an app send and receive. Generated from the contract by `npm run generate`. Do not edit.

/** A user of the app. */
export interface User {
  /** The user within the app; never changes. */
  uid: string;
  /** Always lower-case. */
  email: string;
  /** False after sign-up with a password. */
  email_verified: boolean;
  /** Null until one is given. */
  first_name: string | null;
  /** Null until one is given. */
  last_name: string | null;
  /** An https address, or null. */
  photo_url: string | null;
  /** When the account was made. */
  created_at: string;
}

/** The fields of the profile to change. `null` clears a field. */
export interface ProfilePatch {
  /** At most 100 characters; null or blank for none. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank for none. */
  last_name?: string | null | undefined;
  /** An https address of at most 2,048 characters; null for none. */
  photo_url?: string | null | undefined;
}

/** A new account with a password of at least 8 characters. */
export interface SignUp {
  /** Trimmed and lower-cased by the service; one address, at most 254 characters. */
  email: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password: string;
  /** At most 100 characters; null or blank for none. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank for none. */
  last_name?: string | null | undefined;
}

/** An email and its password. */
export interface PasswordCredential {
  /** Trimmed and lower-cased by the service; one address, at most 254 characters. */
  email: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password: string;
}

/** An emailed code, and the names for an account that it may create. */
export interface EmailCodeSignIn {
  /** Trimmed and lower-cased by the service; one address, at most 254 characters. */
  email: string;
  /** The six digits that were mailed. */
  code: string;
  /** At most 100 characters; null or blank for none. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank for none. */
  last_name?: string | null | undefined;
}

/** The answer is the same whether or not the email has an account. */
export interface CodeSent {
  /** Seconds until the code expires. */
  expires_in: number;
}

/** A new password, and the emailed code that allows it. */
export interface PasswordReset {
  /** Trimmed and lower-cased by the service; one address, at most 254 characters. */
  email: string;
  /** The six digits that were mailed. */
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
  /** The raw value whose SHA-256, in hex, was sent to the provider. */
  nonce: string;
}

/** An identity provider. */
export type Provider = 'provider-a' | 'provider-b';

/** The user's account at an identity provider. */
export interface Identity {
  /** Which provider. */
  provider: Provider;
  /** The email the provider gave, if any. */
  email: string | null;
  /** When it was linked. */
  linked_at: string;
}

/** A sign-in that lives on one device. */
export interface SessionInfo {
  /** The session; `sid` in its access tokens. */
  id: string;
  /** True for the session that makes this call. */
  current: boolean;
  /** How the user signed in. */
  method: 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';
  device: {
    /** What the client said of itself in `X-Client-Device`. */
    name: string | null;
    /** What the `User-Agent` header tells. */
    type: 'mobile' | 'tablet' | 'desktop' | 'unknown';
    /** From the `User-Agent`. */
    os: string | null;
    /** From the `User-Agent`. */
    browser: string | null;
    /** What the client said in `X-Client-Version`. */
    app_version: string | null;
  };
  /** Where the user signed in from. */
  ip_address: string | null;
  /** The sign-in. */
  created_at: string;
  /** The sign-in or the last refresh. */
  last_used_at: string;
  /** When the session ends if it is not refreshed before. */
  expires_at: string;
}

/** A user's balance of points, and the tier it reaches. */
export interface LoyaltyStatus {
  /** Unique in the app; never changes. */
  member_id: string;
  /** The balance of the ledger. */
  points: number;
  /** The highest tier that the points reach. */
  tier: string;
  /** Null at the top tier. */
  next_tier: {
    /** The name of the next tier. */
    tier: string;
    /** The points that are missing. */
    points_needed: number;
  } | null;
}

/** An entry of the ledger; entries are added and never changed. */
export interface LoyaltyEntry {
  /** The entry; later entries sort after earlier ones. */
  id: string;
  /** The points that were added, or taken away. */
  points: number;
  /** For the user: what the points are for. */
  description: string;
  /** When the entry was made. */
  created_at: string;
}

/** Which page of a list to read. */
export interface PageQuery {
  /** Items a page, at most 100. Default: `25`. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** A new access token. It stays inside the SDK. */
export interface AccessAnswer {
  /** A JWT (`typ: at+jwt`), verifiable with the key set. */
  access_token: string;
  /** Send the access token as `Authorization: Bearer`. */
  token_type: 'Bearer';
  /** Seconds of validity of the access token; an app setting, 300 to 86,400. */
  expires_in: number;
  /** A user of the app. */
  user: User;
}

/** A new pair of tokens, and whose they are. */
export interface TokenAnswer {
  /** A JWT (`typ: at+jwt`), verifiable with the key set. */
  access_token: string;
  /** Send the access token as `Authorization: Bearer`. */
  token_type: 'Bearer';
  /** Seconds of validity of the access token; an app setting, 300 to 86,400. */
  expires_in: number;
  /** Opaque; usable once: store the new one of each answer. */
  refresh_token: string;
  /** A user of the app. */
  user: User;
}

/** The answer to a sign-in with provider A. */
export interface ProviderATokenAnswer {
  /** A JWT (`typ: at+jwt`), verifiable with the key set. */
  access_token: string;
  /** Send the access token as `Authorization: Bearer`. */
  token_type: 'Bearer';
  /** Seconds of validity of the access token; an app setting, 300 to 86,400. */
  expires_in: number;
  /** Opaque; usable once: store the new one of each answer. */
  refresh_token: string;
  /** A user of the app. */
  user: User;
  /** True when this call made the account; the same ID token sent again finds it made. */
  is_new_user: boolean;
}

/** Who can read a file. */
export type FileVisibility = 'private' | 'public';

/** A file, without its bytes. */
export interface FileInfo {
  /** A ULID. */
  id: string;
  /** The name that the client gave, without paths and characters that no name should have. */
  name: string;
  /** What the bytes are recognised as; `application/octet-stream` where nothing is. */
  content_type: string;
  /** In bytes. */
  size: number;
  /** Of the bytes, in hex. */
  sha256: string;
  /** `private`: its owner and the backend; `public`: anybody who has the address. */
  visibility: FileVisibility;
  /** The lasting address of a public file; null for a private one. */
  public_url: string | null;
  /** The user who uploaded it; null when a secret key did. */
  owner_uid: string | null;
  /** When the upload was complete. */
  created_at: string;
}

/** Where the bytes of a file are. */
export interface FileUrl {
  /** Opens the bytes until `expires_at`, without any header; dead at once when the file is deleted. */
  url: string;
  /** From this moment `url` is answered `files/url-expired`. */
  expires_at: string;
  /** The lasting address of a public file; null for a private one. */
  public_url: string | null;
}

/** Whose token it is, and who carries the messages. */
export type PushProvider = 'fcm' | 'apns' | 'webpush';

/** What the app runs on. */
export type PushPlatform = 'ios' | 'android' | 'web';

/** The device that the app runs on. */
export interface PushRegistration {
  /** The provider's token; for Web Push the endpoint of the subscription, an https address. */
  token: string;
  /** Whose token it is, and who carries the messages. */
  provider: PushProvider;
  /** What the app runs on. */
  platform: PushPlatform;
  /** Of APNs: which of its two services knows the token. Default: `production`. */
  environment?: 'production' | 'sandbox' | undefined;
  /** Needed for Web Push, and ignored for all others. */
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
  /** What the user calls the device. */
  name?: string | undefined;
}

/** A device; its push token is never returned. */
export interface PushDevice {
  /** A ULID. */
  id: string;
  /** Whose token it is, and who carries the messages. */
  provider: PushProvider;
  /** What the app runs on. */
  platform: PushPlatform;
  /** Of APNs: which of its two services knows the token. */
  environment: 'production' | 'sandbox';
  /** As the app gave it. */
  app_version: string | null;
  /** As the app gave it. */
  locale: string | null;
  /** As the app gave it. */
  name: string | null;
  /** In order of their bytes. */
  topics: string[];
  /** Whose device it is; null while it is linked to nobody. */
  user_uid: string | null;
  /** `invalid` once the provider said that the token is no more; registering again makes it active. */
  status: 'active' | 'invalid';
  /** ISO 8601, UTC, with microseconds. */
  created_at: string;
  /** ISO 8601, UTC, with microseconds. */
  last_registered_at: string;
}
