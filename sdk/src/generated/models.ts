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
  /** An https URL of at most 2,048 characters; null or blank for none. */
  photo_url?: string | null | undefined;
}

/** A new account with a password of at least 8 characters. */
export interface SignUp {
  /**
   * One email address of at most 254 characters. The service trims and lower-cases it, removes
   * invisible characters, `mailto:`, and quotation marks and angle brackets around it, accepts
   * full-width characters, and writes an international domain in its `xn--` form.
   */
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
  /**
   * One email address of at most 254 characters. The service trims and lower-cases it, removes
   * invisible characters, `mailto:`, and quotation marks and angle brackets around it, accepts
   * full-width characters, and writes an international domain in its `xn--` form.
   */
  email: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password: string;
}

/** An emailed code, and the names for an account that it may create. */
export interface EmailCodeSignIn {
  /**
   * One email address of at most 254 characters. The service trims and lower-cases it, removes
   * invisible characters, `mailto:`, and quotation marks and angle brackets around it, accepts
   * full-width characters, and writes an international domain in its `xn--` form.
   */
  email: string;
  /**
   * The emailed code of six digits. Spaces, line ends, dashes, invisible characters and punctuation
   * around it are ignored, and digits of other scripts, such as full-width or Arabic-Indic ones, are
   * accepted.
   */
  code: string;
  /** At most 100 characters; null or blank clears the name. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank clears the name. */
  last_name?: string | null | undefined;
}

/** How users sign in to the app. Password and emailed code are always available. */
export interface SignInMethods {
  /** Whether users can create accounts. */
  sign_up: 'open' | 'closed';
  /** The requirements of a new password. */
  password: {
    /** The minimum length of a new password. */
    min_characters: number;
    /** The maximum length, in UTF-8 after NFKC normalisation. */
    max_bytes: number;
    /** Whether common passwords and the name of the app are rejected. */
    refuses_common: boolean;
  };
  /** Sign-in with an emailed code. */
  email_code: {
    /** The length of an emailed code. */
    digits: number;
    /** Whether sign-in mails also have a magic link. */
    magic_link: boolean;
  };
  /** Whether passkeys are enabled. */
  passkeys: boolean;
  /** Whether users may (`optional`) or must (`required`) have a second factor. */
  second_factor: 'off' | 'optional' | 'required';
  /** The identity providers that the app has enabled. */
  providers: {
    /** The name of the provider in paths. */
    id: string;
    /** How users sign in with it; `oidc` and `github`: a provider of the settings. */
    kind: 'provider-a' | 'provider-b' | 'oidc' | 'github';
    /** The name to show. */
    name: string;
    /** The client id of a web page at the provider; null where only mobile apps use it. */
    client_id: string | null;
    /** Whether users can sign in by `POST /auth/providers/{provider}/authorize`. */
    redirect: boolean;
  }[];
}

/** The response is the same whether or not the email has an account. */
export interface CodeSent {
  /** The code's lifetime in seconds. */
  expires_in: number;
}

/** A new password, and the emailed code that allows it. */
export interface PasswordReset {
  /**
   * One email address of at most 254 characters. The service trims and lower-cases it, removes
   * invisible characters, `mailto:`, and quotation marks and angle brackets around it, accepts
   * full-width characters, and writes an international domain in its `xn--` form.
   */
  email: string;
  /**
   * The emailed code of six digits. Spaces, line ends, dashes, invisible characters and punctuation
   * around it are ignored, and digits of other scripts, such as full-width or Arabic-Indic ones, are
   * accepted.
   */
  code: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password: string;
}

/** A new password. `current_password` replaces a recent sign-in. */
export interface PasswordChange {
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  password: string;
  /** At most 1024 bytes of UTF-8 after NFKC normalisation; never trimmed. */
  current_password?: string | undefined;
}

/** The credential from provider A. */
export interface ProviderAProof {
  /** Provider A's ID token. */
  id_token: string;
  /** Equal to the ID token's `nonce` claim. */
  nonce: string;
}

/** The credential from any provider, and the names that provider B returns at the first sign-in. */
export interface ProviderSignIn {
  /** The provider's ID token. */
  id_token: string;
  /**
   * Equal to the ID token's `nonce` claim. For provider B the raw nonce, of which the claim is the
   * SHA-256 in hex.
   */
  nonce: string;
  /** At most 100 characters; null or blank clears the name. */
  first_name?: string | null | undefined;
  /** At most 100 characters; null or blank clears the name. */
  last_name?: string | null | undefined;
}

/** The begin of a sign-in by redirect. */
export interface RedirectBegun {
  /** The page of the provider; send the user there. */
  url: string;
}

/** What the user came back from a provider with, and the code verifier of the client that began. */
export interface RedirectProof {
  /** The `code` of the redirect. It is accepted once, and for 60 seconds. */
  code: string;
  /** The code verifier, whose SHA-256 the client sent to begin. */
  code_verifier: string;
}

/** The credential from provider B. */
export interface ProviderBProof {
  /** Provider B's identity token. */
  identity_token: string;
  /** Lets the service revoke the provider's tokens when the account is deleted. */
  authorization_code: string;
  /** The raw nonce; the provider received its SHA-256 in hex. */
  nonce: string;
}

/** The user's account at an identity provider. */
export interface Identity {
  /** The identity provider: `provider-a`, `provider-b`, or the id of a provider of the settings. */
  provider: string;
  /** The email returned by the provider, if any. */
  email: string | null;
  /** When the provider was linked. */
  linked_at: string;
}

/** `AuthenticationResponseJSON` of WebAuthn, from `PublicKeyCredential.toJSON()`. */
export interface PasskeyAssertion {
  /** The credential, in base64url. */
  id: string;
  /** The credential, in base64url. */
  rawId?: string | undefined;
  /** The only type. */
  type: 'public-key';
  response: {
    /** What the browser signed: type, challenge and origin. */
    clientDataJSON: string;
    /** The data of the authenticator: relying party, flags and counter. */
    authenticatorData: string;
    /** The signature. */
    signature: string;
    /** The `user.id` of the registration. */
    userHandle?: string | '' | null | undefined;
  };
}

/** `RegistrationResponseJSON` of WebAuthn, from `PublicKeyCredential.toJSON()`. */
export interface PasskeyRegistration {
  /** The credential, in base64url. */
  id: string;
  /** The credential, in base64url. */
  rawId?: string | undefined;
  /** The only type. */
  type: 'public-key';
  response: {
    /** What the browser signed: type, challenge and origin. */
    clientDataJSON: string;
    /** The new public key, in CBOR. */
    attestationObject: string;
    /** How the authenticator can be reached; unknown ones are ignored. */
    transports?: string[] | null | undefined;
  };
}

/** A challenge for `navigator.credentials.get()`. */
export interface PasskeySignInOptions {
  /**
   * `PublicKeyCredentialRequestOptionsJSON`, for
   * `PublicKeyCredential.parseRequestOptionsFromJSON()`.
   */
  public_key: {
    /** Opaque; can be used once. */
    challenge: string;
    /** In milliseconds. */
    timeout: number;
    /** The relying party: `passkeys.rp_id` of the app. */
    rpId: string;
    /** Empty, so that the authenticator offers its passkeys; with an access token, those of the user. */
    allowCredentials: {
      /** The credential, in base64url. */
      id: string;
      /** The only type. */
      type: 'public-key';
      /** How the authenticator can be reached. */
      transports: ('ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[];
    }[];
    /** The authenticator verifies the user if it can. */
    userVerification: 'preferred';
  };
  /** Seconds until the challenge expires. */
  expires_in: number;
}

/** A challenge for `navigator.credentials.create()`. */
export interface PasskeyCreationOptions {
  /**
   * `PublicKeyCredentialCreationOptionsJSON`, for
   * `PublicKeyCredential.parseCreationOptionsFromJSON()`.
   */
  public_key: {
    rp: {
      /** The relying party: `passkeys.rp_id` of the app. */
      id: string;
      /** `passkeys.rp_name` of the app. */
      name: string;
    };
    user: {
      /** The user handle: the same for each passkey of the user, and unrelated to the email. */
      id: string;
      /** The email; the authenticator shows it. */
      name: string;
      /** The name of the user, or the email. */
      displayName: string;
    };
    /** Opaque; can be used once. */
    challenge: string;
    /** The accepted algorithms. */
    pubKeyCredParams: {
      /** The only type. */
      type: 'public-key';
      /** The COSE algorithm: EdDSA, ES256 or RS256. */
      alg: -8 | -7 | -257;
    }[];
    /** In milliseconds. */
    timeout: number;
    /** The passkeys that the user has. */
    excludeCredentials: {
      /** The credential, in base64url. */
      id: string;
      /** The only type. */
      type: 'public-key';
      /** How the authenticator can be reached. */
      transports: ('ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[];
    }[];
    authenticatorSelection: {
      /** The passkey can be discovered. */
      residentKey: 'required';
      /** The same, for Level 1 of WebAuthn. */
      requireResidentKey: true;
      /** The authenticator verifies the user if it can. */
      userVerification: 'preferred';
    };
    /** Nothing is asked about the authenticator. */
    attestation: 'none';
  };
  /** Seconds until the challenge expires. */
  expires_in: number;
}

/** A passkey of a user. */
export interface Passkey {
  /** The passkey. */
  id: string;
  /** Chosen by the user, or the name of the provider. */
  name: string;
  /**
   * The password manager or device that says it stores the passkey; null if it does not say so or is
   * not known.
   */
  provider_name: string | null;
  /** Whether the passkey is synchronized or backed up, and so survives the loss of the device. */
  backed_up: boolean;
  /** When the passkey was added. */
  created_at: string;
  /** When the user last signed in or reauthenticated with it; null for never. */
  last_used_at: string | null;
}

/**
 * What remains, for `PublicKeyCredential.signalAllAcceptedCredentials()`: it lets the password
 * manager forget the passkey that was removed.
 */
export interface AcceptedPasskeys {
  /** `passkeys.rp_id` of the app; null if passkeys are off. */
  rp_id: string | null;
  /** The user handle. */
  user_id: string;
  /** The credentials that remain, in base64url. */
  credential_ids: string[];
}

/** An active session of a user on a device. */
export interface SessionInfo {
  /** The session; `sid` in its access tokens. */
  id: string;
  /** True for the session of this call. */
  current: boolean;
  /** How the user signed in. */
  method: 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange' | 'passkey' | 'provider';
  device: {
    /** The name that the client sent in `X-Client-Device`. */
    name: string | null;
    /** The device type, from the `User-Agent` header. */
    type: 'mobile' | 'tablet' | 'desktop' | 'unknown';
    /** Operating system, from `User-Agent`. */
    os: string | null;
    /** Browser, from `User-Agent`. */
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
  /** Opaque. Single-use; replace it with the one in each response. */
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
  /** Opaque. Single-use; replace it with the one in each response. */
  refresh_token: string;
  /** A user of the app. */
  user: User;
  /** True if this call created the account; false if the same ID token is sent again. */
  is_new_user: boolean;
}

/** The user's second factors. Passkeys have a list of their own. */
export interface Factors {
  /**
   * The rule of the app: `off` if users cannot have a second factor, `required` if every sign-in
   * needs one.
   */
  rule: 'off' | 'optional' | 'required';
  /** The authenticator app; null if there is none. */
  totp: {
    /** When the authenticator app was confirmed. */
    enrolled_at: string;
  } | null;
  /** The number of recovery codes that still work. */
  recovery_codes_left: number;
}

/** The secret of a new authenticator app; shown once. */
export interface TotpEnrollment {
  /** The secret in base32, to type into an authenticator app. */
  secret: string;
  /** The same as `otpauth://` URI, to show as a QR code. */
  uri: string;
}

/** New recovery codes. */
export interface RecoveryCodes {
  /** The new recovery codes, shown once; earlier ones no longer work. */
  recovery_codes: string[];
}

/** The response that the first call would have returned without a second factor. */
export interface SecondFactorAnswer {
  /** A JWT (`typ: at+jwt`) that can be verified with the key set. */
  access_token: string;
  /** Send the access token as `Authorization: Bearer`. */
  token_type: 'Bearer';
  /** The lifetime of the access token in seconds; an app setting, 300 to 86,400. */
  expires_in: number;
  /** Opaque. Single-use; replace it with the one in each response. */
  refresh_token: string;
  /** A user of the app. */
  user: User;
  /** Present where the first call returns it: true if that call created the account. */
  is_new_user?: boolean | undefined;
}

/** The response that the first call would have returned, and the recovery codes. */
export interface EnrolledAnswer {
  /** A JWT (`typ: at+jwt`) that can be verified with the key set. */
  access_token: string;
  /** Send the access token as `Authorization: Bearer`. */
  token_type: 'Bearer';
  /** The lifetime of the access token in seconds; an app setting, 300 to 86,400. */
  expires_in: number;
  /** Opaque. Single-use; replace it with the one in each response. */
  refresh_token: string;
  /** A user of the app. */
  user: User;
  /** Present where the first call returns it: true if that call created the account. */
  is_new_user?: boolean | undefined;
  /** The new recovery codes, shown once; earlier ones no longer work. */
  recovery_codes: string[];
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

/** The latest export of the data of a user. */
export interface UserExport {
  /**
   * `none`: there is no export, or it has expired. `pending`: it is being written. `ready`: read it
   * with `file_id`.
   */
  status: 'none' | 'pending' | 'ready';
  /** Null for `none`. */
  requested_at: string | null;
  /** The private file of the user; `GET /files/{id}/url` returns its URL. Null unless `ready`. */
  file_id: string | null;
  /** The size of the file in bytes. Null unless `ready`. */
  size: number | null;
  /** When the file is deleted. Null unless `ready`. */
  expires_at: string | null;
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
  app_version?: string | undefined;
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
   * subscription did not answer 3 messages in a row over at least 24 hours. Registering it again
   * makes it active.
   */
  status: 'active' | 'invalid';
  /** ISO 8601, UTC, with microseconds. */
  created_at: string;
  /** ISO 8601, UTC, with microseconds. */
  last_registered_at: string;
}
