// The catalogue of the error codes of v2, with the HTTP status and the message of each. Messages are for developers; programs
// must not parse them.
import * as z from 'zod';
import { listUpTo, textUpTo } from './answer-values.js';

export const errorCatalogue = {
  'request/invalid-app-key': {
    status: 401,
    message: 'The X-App-Key header is missing or unknown, or its app is disabled.',
  },
  'request/origin-not-allowed': {
    status: 403,
    message: 'This app does not allow calls from the origin of this page.',
  },
  'request/malformed-json': { status: 400, message: 'The body is not valid JSON.' },
  'request/malformed-http': { status: 400, message: 'The request is not valid HTTP.' },
  'request/timeout': { status: 408, message: 'The request did not arrive completely in time.' },
  'request/validation-failed': {
    status: 422,
    message: 'The request is not valid; `fields` lists the errors.',
  },
  'request/unsupported-media-type': {
    status: 415,
    message:
      'The body must be sent as application/json in UTF-8, or as multipart/form-data for an upload, and must not ' +
      'be compressed.',
  },
  'request/too-large': { status: 413, message: 'The request is larger than this endpoint accepts.' },
  'request/not-found': { status: 404, message: 'There is no such endpoint.' },
  'request/method-not-allowed': {
    status: 405,
    message:
      'This endpoint does not support this method; the Allow header lists the methods that it supports.',
  },
  'request/precondition-required': {
    status: 428,
    message: 'This call requires an If-Match header with the ETag of the resource that it changes.',
  },
  'request/rate-limited': {
    status: 429,
    message: 'Too many requests; try again after the seconds given in Retry-After.',
  },
  'request/idempotency-key-reused': {
    status: 422,
    message: 'This Idempotency-Key was already used with a different request.',
  },
  'request/idempotency-key-in-progress': {
    status: 409,
    message: 'A request with this Idempotency-Key is still in progress; retry shortly.',
  },
  'request/internal-error': { status: 500, message: 'An internal error occurred.' },
  'request/unavailable': {
    status: 503,
    message: 'The service is overloaded or cannot reach one of its dependencies; retry shortly.',
  },

  'auth/email-already-in-use': { status: 409, message: 'An account with this email already exists.' },
  'auth/weak-password': {
    status: 422,
    message:
      'The password has fewer than 8 characters or is not allowed by the app; `fields` gives the reason.',
  },
  'auth/invalid-credential': {
    status: 401,
    message: 'The email or password, the passkey, or the ID token or code of the provider is wrong.',
  },
  'auth/email-required': {
    status: 401,
    message:
      'The account at the provider has no verified email, which a new user needs; sign in with another method, then ' +
      'link the provider.',
  },
  'auth/user-disabled': { status: 403, message: 'This account has been disabled.' },
  'auth/invalid-token': {
    status: 401,
    message: 'The token or ticket is missing, unknown, expired or used up, or its session has ended.',
  },
  'auth/token-expired': { status: 401, message: 'The access token has expired; refresh it.' },
  'auth/refresh-token-revoked': {
    status: 401,
    message: 'The session has ended; the user must sign in again.',
  },
  'auth/invalid-code': {
    status: 422,
    message: 'The code is wrong, was already used, or has had five failed attempts.',
  },
  'auth/code-expired': { status: 422, message: 'The code is older than 10 minutes; request a new one.' },
  'auth/requires-recent-login': {
    status: 403,
    message: 'This call requires a recent sign-in; reauthenticate and retry.',
  },
  'auth/operation-not-allowed': {
    status: 403,
    message: 'The app has not enabled this sign-in method, or accepts no new accounts.',
  },
  'auth/account-exists-with-different-credential': {
    status: 409,
    message:
      'An account with this email exists, but its email is unverified or it is linked to another account at this ' +
      'provider; sign in with another method, then link the provider.',
  },
  'auth/credential-already-in-use': {
    status: 409,
    message: 'This account at the provider is linked to another user.',
  },
  'auth/provider-already-linked': {
    status: 409,
    message: 'The user has already linked an account at this provider.',
  },
  'auth/no-such-provider': {
    status: 404,
    message: 'There is no such provider, or the user has not linked an account at it.',
  },
  'auth/user-cancelled': {
    status: 403,
    message: 'The user did not sign in at the provider, or did not allow the app to.',
  },
  'auth/passkey-already-registered': {
    status: 409,
    message: 'This passkey was already added to an account of the app.',
  },
  'auth/too-many-passkeys': {
    status: 409,
    message: 'The account already has the maximum number of passkeys; remove one that is not used.',
  },
  'auth/passkey-not-found': { status: 404, message: 'The user has no passkey with this id.' },
  'auth/last-sign-in-method': {
    status: 409,
    message:
      'The passkey is the only way to sign in, since the email is unverified; verify the email or add another way first.',
  },
  'auth/second-factor-required': {
    status: 403,
    message:
      'The sign-in needs a second factor. If `fields` has a ticket, complete it at /auth/second-factor with one of ' +
      '`fields.factors`, or enroll a factor if that is `enroll`; otherwise send the second factor with this call, or ' +
      'reauthenticate with it.',
  },
  'auth/second-factor-not-enrolled': { status: 404, message: 'The user has no authenticator app.' },
  'auth/user-not-found': { status: 404, message: 'The app has no user with this uid.' },
  'auth/session-not-found': { status: 404, message: 'The user has no active session with this id.' },

  'loyalty/insufficient-points': {
    status: 409,
    message: 'The user has fewer points than the entry would deduct.',
  },
  'loyalty/balance-too-high': {
    status: 409,
    message: 'The balance would exceed the maximum of 1,000,000,000 points.',
  },
  'loyalty/reference-conflict': {
    status: 409,
    message: 'The user already has an entry with this reference and a different number of points.',
  },

  'config/invalid-parameter': {
    status: 422,
    message: 'A parameter is not valid; `fields` names it and gives the reason.',
  },
  'config/version-conflict': {
    status: 412,
    message: 'The remote config has changed since it was read; read it again and retry.',
  },
  'config/version-not-found': {
    status: 404,
    message: 'There is no such version of the remote config, or it is no longer stored.',
  },

  'push/device-not-found': {
    status: 404,
    message: 'There is no device with this id, or it belongs to another user.',
  },
  'push/invalid-token': {
    status: 422,
    message: 'The push token is not valid for this provider; `fields` gives the reason.',
  },
  'push/invalid-topic': {
    status: 422,
    message: 'A topic must have 1 to 100 characters: letters, digits and `_.~%-`.',
  },
  'push/too-many-topics': {
    status: 409,
    message: 'The device is already subscribed to the maximum number of topics.',
  },
  'push/invalid-target': {
    status: 422,
    message: 'A message requires exactly one of uids, device_ids, topic and all.',
  },
  'push/payload-too-large': {
    status: 413,
    message: 'The notification and data together exceed the payload limit of the push providers.',
  },
  'push/provider-not-configured': {
    status: 409,
    message: 'The app has no credentials for the push provider that this call requires.',
  },
  'push/invalid-send-time': {
    status: 422,
    message: 'A message can be scheduled for at most 30 days ahead.',
  },
  'push/too-many-scheduled': {
    status: 409,
    message: 'The app already has the maximum number of scheduled messages.',
  },
  'push/not-scheduled': {
    status: 409,
    message: 'Only a scheduled message can be cancelled: this one has started, or was cancelled before.',
  },
  'push/message-not-found': { status: 404, message: 'The app has no push message with this id.' },

  'admin/invalid-secret-key': {
    status: 401,
    message: 'The secret key is missing, unknown, expired or revoked, or was sent by a browser.',
  },
  'admin/insufficient-scope': {
    status: 403,
    message: 'The secret key does not have the scope that this call requires.',
  },
  'admin/member-id-already-in-use': {
    status: 409,
    message: 'Another user of the app has this member id.',
  },
  'admin/claims-too-large': {
    status: 422,
    message: 'The custom claims exceed 1,000 bytes of JSON.',
  },
  'admin/password-import-not-supported': {
    status: 422,
    message:
      'Users cannot be imported with passwords or password hashes; they sign in with an emailed code or a ' +
      'provider, and can then set a password.',
  },
  'admin/query-timeout': {
    status: 503,
    message:
      'The query did not find enough users within the time limit; narrow or remove one of the filters.',
  },
  'admin/reserved-claim': {
    status: 422,
    message: 'The name of a custom claim is reserved for standard token claims.',
  },

  'admin/secret-key-not-found': { status: 404, message: 'The app has no active secret key with this id.' },
  'admin/too-many-secret-keys': {
    status: 409,
    message: 'The app already has the maximum number of active secret keys; revoke one that is not used.',
  },
  'admin/version-conflict': {
    status: 412,
    message: 'The app has changed since it was read; read it again and retry.',
  },
  'admin/mail-not-configured': {
    status: 409,
    message: 'The service has no mail server (SMTP_URL), so it cannot send mail.',
  },

  'console/required': {
    status: 403,
    message: 'This call is only available with the app key of the dashboard (the reserved app `console`).',
  },
  'console/not-available': {
    status: 403,
    message: 'This call is not available for the reserved app `console`.',
  },
  'console/insufficient-role': {
    status: 403,
    message: 'Your role in this app does not allow this call.',
  },
  'console/app-not-found': { status: 404, message: 'There is no such app, or you are not a member of it.' },
  'console/slug-taken': { status: 409, message: 'Another app has this slug.' },
  'console/invalid-invitation': {
    status: 422,
    message: 'The invitation is unknown, expired, revoked, or was already accepted.',
  },
  'console/invitation-not-found': { status: 404, message: 'The app has no pending invitation with this id.' },
  'console/already-a-member': { status: 409, message: 'This email already belongs to a member of the app.' },
  'console/member-not-found': { status: 404, message: 'The app has no member with this uid.' },
  'console/too-many-members': {
    status: 409,
    message: 'The app already has the maximum number of members and pending invitations.',
  },
  'console/last-owner': {
    status: 409,
    message: 'The last owner of this service cannot be removed or given another role.',
  },

  'files/not-found': { status: 404, message: 'There is no such file, or the caller has no access to it.' },
  'files/missing-file': { status: 422, message: 'The form has no file in the field `file`.' },
  'files/too-large': { status: 413, message: 'The file exceeds the size limit of the app.' },
  'files/type-not-allowed': { status: 415, message: 'The app does not allow files of this type.' },
  'files/quota-exceeded': {
    status: 403,
    message: 'The file would exceed the storage quota of the user.',
  },
  'files/invalid-signature': { status: 403, message: 'The signature of the URL is not valid.' },
  'files/url-expired': { status: 403, message: 'The URL has expired; request a new one.' },
  'files/range-not-satisfiable': { status: 416, message: 'The file does not have the requested range.' },

  'webhooks/not-found': {
    status: 404,
    message: 'The app has no webhook with this id, or the webhook has no such delivery.',
  },
  'webhooks/invalid-url': {
    status: 422,
    message: 'A webhook URL must be a public https URL without credentials; `fields` gives the reason.',
  },
  'webhooks/limit-reached': { status: 409, message: 'The app already has the maximum number of webhooks.' },
  'webhooks/replay-in-progress': {
    status: 409,
    message: 'An earlier replay of the webhook is still in progress; retry when it has finished.',
  },
  'data/collection-not-found': { status: 404, message: 'The app has no such collection.' },
  'data/collection-exists': { status: 409, message: 'The app already has a collection with this name.' },
  'data/too-many-collections': {
    status: 409,
    message: 'The app already has the maximum number of collections, set by `data.max_collections`.',
  },
  'data/collection-not-empty': {
    status: 409,
    message: 'The collection has records; send `records=delete` to delete them with it.',
  },
  'data/permission-denied': {
    status: 403,
    message: 'The access mode of the collection does not allow this call.',
  },
  'data/not-found': { status: 404, message: 'There is no such record.' },
  'data/invalid-fields': {
    status: 422,
    message: 'The record has fields that cannot be stored; `fields` names them.',
  },
  'data/invalid-query': { status: 422, message: 'The query is not valid; `fields` lists the errors.' },
  'data/query-timeout': {
    status: 503,
    message: 'The query took longer than 5 seconds; index a field that it filters or sorts by.',
  },
  'data/record-too-large': { status: 413, message: 'The record would be larger than 1 MiB.' },
  'data/quota-exceeded': {
    status: 403,
    message: 'The record would exceed the data quota of the user, set by `data.user_quota_bytes`.',
  },
  'data/precondition-failed': {
    status: 412,
    message: 'The record does not match If-Match or If-None-Match; read it again.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

/** An error code, such as `auth/invalid-credential`. Clients branch on the code, never on the message. */
export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

/** The messages for each invalid field, by dotted path (`notification.title`); `{}` when there are none. */
export const ErrorFields = z.record(z.string(), listUpTo(100, textUpTo(1_000))).meta({
  description: 'The messages for each invalid field, by dotted path; empty when there are no details.',
});

const ErrorDetail = z
  .object({
    code: z.enum(errorCodes).meta({ description: 'Stable: branch on the code, not on the message.' }),
    message: textUpTo(1_000).meta({ description: 'For developers and logs; may change.' }),
    fields: ErrorFields,
  })
  .meta({ id: 'Error', description: 'The error.' });

/** The envelope of every error response of v2. */
export const ErrorEnvelope = z.object({ error: ErrorDetail });
