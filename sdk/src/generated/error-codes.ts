// The error codes of the service. Generated from the contract by `npm run generate`. Do not edit.

/**
 * The codes that the service answers. A later version may add codes; unknown ones are passed
 * through.
 */
export type ServerCode =
  /** 401: The X-App-Key header is missing or unknown, or its app is disabled. */
  | 'request/invalid-app-key'
  /** 403: This app does not allow calls from the origin of this page. */
  | 'request/origin-not-allowed'
  /** 400: The body is not valid JSON. */
  | 'request/malformed-json'
  /** 400: The request is not valid HTTP. */
  | 'request/malformed-http'
  /** 408: The request did not arrive completely in time. */
  | 'request/timeout'
  /** 422: The request is not valid; `fields` lists the errors. */
  | 'request/validation-failed'
  /**
   * 415: The body must be sent as application/json in UTF-8, or as multipart/form-data for an
   * upload, and must not be compressed.
   */
  | 'request/unsupported-media-type'
  /** 413: The request is larger than this endpoint accepts. */
  | 'request/too-large'
  /** 404: There is no such endpoint. */
  | 'request/not-found'
  /**
   * 405: This endpoint does not support this method; the Allow header lists the methods that it
   * supports.
   */
  | 'request/method-not-allowed'
  /** 428: This call requires an If-Match header with the ETag of the resource that it changes. */
  | 'request/precondition-required'
  /** 429: Too many requests; try again after the seconds given in Retry-After. */
  | 'request/rate-limited'
  /** 422: This Idempotency-Key was already used with a different request. */
  | 'request/idempotency-key-reused'
  /** 409: A request with this Idempotency-Key is still in progress; retry shortly. */
  | 'request/idempotency-key-in-progress'
  /** 500: An internal error occurred. */
  | 'request/internal-error'
  /** 503: The service is overloaded or cannot reach one of its dependencies; retry shortly. */
  | 'request/unavailable'
  /** 409: An account with this email already exists. */
  | 'auth/email-already-in-use'
  /**
   * 422: The password has fewer than 8 characters or is not allowed by the app; `fields` gives the
   * reason.
   */
  | 'auth/weak-password'
  /** 401: The email or password, the passkey, or the ID token or code of the provider is wrong. */
  | 'auth/invalid-credential'
  /**
   * 401: The account at the provider has no verified email, which a new user needs; sign in with
   * another method, then link the provider.
   */
  | 'auth/email-required'
  /** 403: This account has been disabled. */
  | 'auth/user-disabled'
  /** 401: The token or ticket is missing, unknown, expired or used up, or its session has ended. */
  | 'auth/invalid-token'
  /** 401: The access token has expired; refresh it. */
  | 'auth/token-expired'
  /** 401: The session has ended; the user must sign in again. */
  | 'auth/refresh-token-revoked'
  /** 422: The code is wrong, was already used, or has had five failed attempts. */
  | 'auth/invalid-code'
  /** 422: The code is older than 10 minutes; request a new one. */
  | 'auth/code-expired'
  /** 403: This call requires a recent sign-in; reauthenticate and retry. */
  | 'auth/requires-recent-login'
  /** 403: The app has not enabled this sign-in method, or accepts no new accounts. */
  | 'auth/operation-not-allowed'
  /**
   * 409: An account with this email exists, but its email is unverified or it is linked to another
   * account at this provider; sign in with another method, then link the provider.
   */
  | 'auth/account-exists-with-different-credential'
  /** 409: This account at the provider is linked to another user. */
  | 'auth/credential-already-in-use'
  /** 409: The user has already linked an account at this provider. */
  | 'auth/provider-already-linked'
  /** 404: There is no such provider, or the user has not linked an account at it. */
  | 'auth/no-such-provider'
  /** 403: The user did not sign in at the provider, or did not allow the app to. */
  | 'auth/user-cancelled'
  /** 409: This passkey was already added to an account of the app. */
  | 'auth/passkey-already-registered'
  /** 409: The account already has the maximum number of passkeys; remove one that is not used. */
  | 'auth/too-many-passkeys'
  /** 404: The user has no passkey with this id. */
  | 'auth/passkey-not-found'
  /**
   * 409: The passkey is the only way to sign in, since the email is unverified; verify the email or
   * add another way first.
   */
  | 'auth/last-sign-in-method'
  /**
   * 403: The sign-in needs a second factor. If `fields` has a ticket, complete it at
   * /auth/second-factor with one of `fields.factors`, or enroll a factor if that is `enroll`;
   * otherwise send the second factor with this call, or reauthenticate with it.
   */
  | 'auth/second-factor-required'
  /** 404: The user has no authenticator app. */
  | 'auth/second-factor-not-enrolled'
  /** 404: The app has no user with this uid. */
  | 'auth/user-not-found'
  /** 404: The user has no active session with this id. */
  | 'auth/session-not-found'
  /** 409: The user has fewer points than the entry would deduct. */
  | 'loyalty/insufficient-points'
  /** 409: The balance would exceed the maximum of 1,000,000,000 points. */
  | 'loyalty/balance-too-high'
  /** 409: The user already has an entry with this reference and a different number of points. */
  | 'loyalty/reference-conflict'
  /** 422: A parameter is not valid; `fields` names it and gives the reason. */
  | 'config/invalid-parameter'
  /** 412: The remote config has changed since it was read; read it again and retry. */
  | 'config/version-conflict'
  /** 404: There is no such version of the remote config, or it is no longer stored. */
  | 'config/version-not-found'
  /** 404: There is no device with this id, or it belongs to another user. */
  | 'push/device-not-found'
  /** 422: The push token is not valid for this provider; `fields` gives the reason. */
  | 'push/invalid-token'
  /** 422: A topic must have 1 to 100 characters: letters, digits and `_.~%-`. */
  | 'push/invalid-topic'
  /** 409: The device is already subscribed to the maximum number of topics. */
  | 'push/too-many-topics'
  /** 422: A message requires exactly one of uids, device_ids, topic and all. */
  | 'push/invalid-target'
  /** 413: The notification and data together exceed the payload limit of the push providers. */
  | 'push/payload-too-large'
  /** 409: The app has no credentials for the push provider that this call requires. */
  | 'push/provider-not-configured'
  /** 422: A message can be scheduled for at most 30 days ahead. */
  | 'push/invalid-send-time'
  /** 409: The app already has the maximum number of scheduled messages. */
  | 'push/too-many-scheduled'
  /** 409: Only a scheduled message can be cancelled: this one has started, or was cancelled before. */
  | 'push/not-scheduled'
  /** 404: The app has no push message with this id. */
  | 'push/message-not-found'
  /** 401: The secret key is missing, unknown, expired or revoked, or was sent by a browser. */
  | 'admin/invalid-secret-key'
  /** 403: The secret key does not have the scope that this call requires. */
  | 'admin/insufficient-scope'
  /** 409: Another user of the app has this member id. */
  | 'admin/member-id-already-in-use'
  /** 422: The custom claims exceed 1,000 bytes of JSON. */
  | 'admin/claims-too-large'
  /**
   * 422: Users cannot be imported with passwords or password hashes; they sign in with an emailed
   * code or a provider, and can then set a password.
   */
  | 'admin/password-import-not-supported'
  /**
   * 503: The query did not find enough users within the time limit; narrow or remove one of the
   * filters.
   */
  | 'admin/query-timeout'
  /** 422: The name of a custom claim is reserved for standard token claims. */
  | 'admin/reserved-claim'
  /** 404: The app has no active secret key with this id. */
  | 'admin/secret-key-not-found'
  /** 409: The app already has the maximum number of active secret keys; revoke one that is not used. */
  | 'admin/too-many-secret-keys'
  /** 412: The app has changed since it was read; read it again and retry. */
  | 'admin/version-conflict'
  /** 409: The service has no mail server (SMTP_URL), so it cannot send mail. */
  | 'admin/mail-not-configured'
  /** 403: This call is only available with the app key of the dashboard (the reserved app `console`). */
  | 'console/required'
  /** 403: This call is not available for the reserved app `console`. */
  | 'console/not-available'
  /** 403: Your role in this app does not allow this call. */
  | 'console/insufficient-role'
  /** 404: There is no such app, or you are not a member of it. */
  | 'console/app-not-found'
  /** 409: Another app has this slug. */
  | 'console/slug-taken'
  /** 422: The invitation is unknown, expired, revoked, or was already accepted. */
  | 'console/invalid-invitation'
  /** 404: The app has no pending invitation with this id. */
  | 'console/invitation-not-found'
  /** 409: This email already belongs to a member of the app. */
  | 'console/already-a-member'
  /** 404: The app has no member with this uid. */
  | 'console/member-not-found'
  /** 409: The app already has the maximum number of members and pending invitations. */
  | 'console/too-many-members'
  /** 409: The last owner of this service cannot be removed or given another role. */
  | 'console/last-owner'
  /** 404: There is no such file, or the caller has no access to it. */
  | 'files/not-found'
  /** 422: The form has no file in the field `file`. */
  | 'files/missing-file'
  /** 413: The file exceeds the size limit of the app. */
  | 'files/too-large'
  /** 415: The app does not allow files of this type. */
  | 'files/type-not-allowed'
  /** 403: The file would exceed the storage quota of the user. */
  | 'files/quota-exceeded'
  /** 403: The signature of the URL is not valid. */
  | 'files/invalid-signature'
  /** 403: The URL has expired; request a new one. */
  | 'files/url-expired'
  /** 416: The file does not have the requested range. */
  | 'files/range-not-satisfiable'
  /** 404: The app has no webhook with this id, or the webhook has no such delivery. */
  | 'webhooks/not-found'
  /** 422: A webhook URL must be a public https URL without credentials; `fields` gives the reason. */
  | 'webhooks/invalid-url'
  /** 409: The app already has the maximum number of webhooks. */
  | 'webhooks/limit-reached'
  /** 409: An earlier replay of the webhook is still in progress; retry when it has finished. */
  | 'webhooks/replay-in-progress'
  /** 404: The app has no such collection. */
  | 'data/collection-not-found'
  /** 409: The app already has a collection with this name. */
  | 'data/collection-exists'
  /** 409: The app already has the maximum number of collections, set by `data.max_collections`. */
  | 'data/too-many-collections'
  /** 409: The collection has records; send `records=delete` to delete them with it. */
  | 'data/collection-not-empty'
  /** 403: The access mode of the collection does not allow this call. */
  | 'data/permission-denied'
  /** 404: There is no such record. */
  | 'data/not-found'
  /** 422: The record has fields that cannot be stored; `fields` names them. */
  | 'data/invalid-fields'
  /** 422: The query is not valid; `fields` lists the errors. */
  | 'data/invalid-query'
  /** 503: The query took longer than 5 seconds; index a field that it filters or sorts by. */
  | 'data/query-timeout'
  /** 413: The record would be larger than 1 MiB. */
  | 'data/record-too-large'
  /** 403: The record would exceed the data quota of the user, set by `data.user_quota_bytes`. */
  | 'data/quota-exceeded'
  /** 412: The record does not match If-Match or If-None-Match; read it again. */
  | 'data/precondition-failed';
