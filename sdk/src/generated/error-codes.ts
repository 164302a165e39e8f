// The error codes of the service. Generated from the contract by `npm run generate`. Do not edit.

/**
 * The codes that the service answers. A later version may add codes; unknown ones are passed
 * through.
 */
export type ServerCode =
  /** 401: The X-App-Key header is missing, unknown, or belongs to an app that is switched off. */
  | 'request/invalid-app-key'
  /** 403: This app does not allow calls from the origin of this page. */
  | 'request/origin-not-allowed'
  /** 400: The body is not valid JSON. */
  | 'request/malformed-json'
  /** 400: The request is not valid HTTP. */
  | 'request/malformed-http'
  /** 408: The request did not arrive completely in time. */
  | 'request/timeout'
  /** 422: The request breaks the contract; `fields` says where. */
  | 'request/validation-failed'
  /**
   * 415: The body must be sent as application/json in UTF-8, an upload as multipart/form-data, and
   * neither compressed.
   */
  | 'request/unsupported-media-type'
  /** 413: The request is larger than this endpoint accepts. */
  | 'request/too-large'
  /** 404: There is no such endpoint. */
  | 'request/not-found'
  /** 405: This endpoint does not answer to this method; the Allow header lists those it does. */
  | 'request/method-not-allowed'
  /** 428: This change needs the If-Match header with the ETag of what it changes. */
  | 'request/precondition-required'
  /** 429: Too many requests; try again after the seconds given in Retry-After. */
  | 'request/rate-limited'
  /** 422: This Idempotency-Key was sent before, with another request. */
  | 'request/idempotency-key-reused'
  /** 409: The first request with this Idempotency-Key is still running; try again shortly. */
  | 'request/idempotency-key-in-progress'
  /** 500: Something went wrong on our side. */
  | 'request/internal-error'
  /** 503: The service is busy or a part of it cannot be reached; try again shortly. */
  | 'request/unavailable'
  /** 409: An account with this email already exists. */
  | 'auth/email-already-in-use'
  /**
   * 422: The password has fewer than 8 characters or is one that the app refuses; `fields` says
   * which.
   */
  | 'auth/weak-password'
  /** 401: The email or the password is wrong. */
  | 'auth/invalid-credential'
  /** 403: This account has been disabled. */
  | 'auth/user-disabled'
  /** 401: The token is missing, unknown, or belongs to a session that has ended. */
  | 'auth/invalid-token'
  /** 401: The access token has expired; refresh it. */
  | 'auth/token-expired'
  /** 401: The session has ended; the user has to sign in again. */
  | 'auth/refresh-token-revoked'
  /** 422: The code is wrong, was used, or has had five wrong guesses. */
  | 'auth/invalid-code'
  /** 422: The code is older than 10 minutes; send a new one. */
  | 'auth/code-expired'
  /** 403: This needs a recent sign-in; reauthenticate and repeat the call. */
  | 'auth/requires-recent-login'
  /** 403: The app has not switched this way of signing in on. */
  | 'auth/operation-not-allowed'
  /**
   * 409: An account with this email exists, but its email is unverified or it is linked to somebody
   * else at this provider; sign in to it the usual way, then link the provider.
   */
  | 'auth/account-exists-with-different-credential'
  /** 409: This account at the provider belongs to another user. */
  | 'auth/credential-already-in-use'
  /** 409: The user has an account at this provider linked already. */
  | 'auth/provider-already-linked'
  /** 404: The user has no account at this provider linked. */
  | 'auth/no-such-provider'
  /** 404: The app has no user with this uid. */
  | 'auth/user-not-found'
  /** 404: The user has no live session with this id. */
  | 'auth/session-not-found'
  /** 409: The user has fewer points than are to be taken away. */
  | 'loyalty/insufficient-points'
  /** 409: The balance would be greater than a balance may be: 1,000,000,000 points. */
  | 'loyalty/balance-too-high'
  /** 409: The user has an entry with this reference already, with other points. */
  | 'loyalty/reference-conflict'
  /** 422: A parameter breaks the rules; `fields` says which and why. */
  | 'config/invalid-parameter'
  /** 412: The remote config has changed since it was read; read it again and repeat the change. */
  | 'config/version-conflict'
  /** 404: There is no such version of the remote config, or it is no longer kept. */
  | 'config/version-not-found'
  /** 404: There is no device with this id, or it belongs to a user who does not call. */
  | 'push/device-not-found'
  /** 422: The push token cannot be one of this provider; `fields` says why. */
  | 'push/invalid-token'
  /** 422: A topic has 1 to 100 letters, digits or characters of `_.~%-`. */
  | 'push/invalid-topic'
  /** 409: The device has as many topics as a device may have. */
  | 'push/too-many-topics'
  /** 422: A message needs exactly one of uids, device_ids, topic and all. */
  | 'push/invalid-target'
  /** 413: Notification and data together have more bytes than every provider carries. */
  | 'push/payload-too-large'
  /** 409: The app has no credentials for the push provider that this needs. */
  | 'push/provider-not-configured'
  /** 404: The app has no push message with this id. */
  | 'push/message-not-found'
  /** 401: The secret key is missing, unknown, expired or revoked, or was sent by a browser. */
  | 'admin/invalid-secret-key'
  /** 403: The secret key lacks the scope that this call needs. */
  | 'admin/insufficient-scope'
  /** 409: Another user of the app has this member id. */
  | 'admin/member-id-already-in-use'
  /** 422: The custom claims have more than 1,000 bytes as JSON. */
  | 'admin/claims-too-large'
  /**
   * 422: Users cannot be imported with passwords or their hashes; they sign in with a mailed code or
   * a provider, and may then set one.
   */
  | 'admin/password-import-not-supported'
  /** 503: These filters together find too few users in the time there is; narrow or drop one of them. */
  | 'admin/query-timeout'
  /** 422: A custom claim has a name that tokens use themselves. */
  | 'admin/reserved-claim'
  /** 404: There is no such file, or it is not yours to see. */
  | 'files/not-found'
  /** 422: The form has no file in its field `file`. */
  | 'files/missing-file'
  /** 413: The file is larger than the app allows. */
  | 'files/too-large'
  /** 415: The app does not allow files of this type. */
  | 'files/type-not-allowed'
  /** 403: With this file, the files of the user would be larger than the app allows. */
  | 'files/quota-exceeded'
  /** 403: The signature of the address is wrong. */
  | 'files/invalid-signature'
  /** 403: The address has expired; ask for a new one. */
  | 'files/url-expired'
  /** 416: The file has no such range. */
  | 'files/range-not-satisfiable'
  /** 404: The app has no webhook with this id, or the webhook no such delivery. */
  | 'webhooks/not-found'
  /**
   * 422: Webhooks go to public https addresses without credentials only; `fields` says what is
   * wrong.
   */
  | 'webhooks/invalid-url'
  /** 409: The app has as many webhooks as it may have. */
  | 'webhooks/limit-reached'
  /** 409: An earlier replay of the webhook still makes its deliveries; ask again when it is done. */
  | 'webhooks/replay-in-progress'
  /** 404: The app has declared no such collection. */
  | 'data/collection-not-found'
  /** 409: The app has a collection of this name. */
  | 'data/collection-exists'
  /** 409: The app has as many collections as its setting `data.max_collections` allows. */
  | 'data/too-many-collections'
  /** 409: The collection has records; say `records=delete` to remove them with it. */
  | 'data/collection-not-empty'
  /** 403: The access mode of the collection does not allow this to whoever sent the request. */
  | 'data/permission-denied'
  /** 404: There is no such record. */
  | 'data/not-found'
  /** 422: The record holds what cannot be stored; `fields` says where. */
  | 'data/invalid-fields'
  /** 422: The query breaks the contract; `fields` says where. */
  | 'data/invalid-query'
  /** 503: The query took longer than 5 seconds; index a field that it narrows down or sorts by. */
  | 'data/query-timeout'
  /** 413: The record would be larger than 1 MiB. */
  | 'data/record-too-large'
  /** 412: The record is not as If-Match or If-None-Match demands; read it again. */
  | 'data/precondition-failed';
