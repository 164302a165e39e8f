// The catalogue: every error code the v2 API can answer, with its status, the sentence clients get and what it means.
// Codes and statuses: specification "Errors" and the conventions of the API; messages are for developers, never parsed.
import { z } from 'zod';
import { listUpTo, textUpTo } from './answer-values.js';

export const errorCatalogue = {
  'request/invalid-app-key': {
    status: 401,
    message: 'The X-App-Key header is missing, unknown, or belongs to an app that is switched off.',
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
    message: 'The request breaks the contract; `fields` says where.',
  },
  'request/unsupported-media-type': {
    status: 415,
    message:
      'The body must be sent as application/json in UTF-8, an upload as multipart/form-data, and neither compressed.',
  },
  'request/too-large': { status: 413, message: 'The request is larger than this endpoint accepts.' },
  'request/not-found': { status: 404, message: 'There is no such endpoint.' },
  'request/method-not-allowed': {
    status: 405,
    message: 'This endpoint does not answer to this method; the Allow header lists those it does.',
  },
  'request/precondition-required': {
    status: 428,
    message: 'This change needs the If-Match header with the ETag of what it changes.',
  },
  'request/rate-limited': {
    status: 429,
    message: 'Too many requests; try again after the seconds given in Retry-After.',
  },
  'request/idempotency-key-reused': {
    status: 422,
    message: 'This Idempotency-Key was sent before, with another request.',
  },
  'request/idempotency-key-in-progress': {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running; try again shortly.',
  },
  'request/internal-error': { status: 500, message: 'Something went wrong on our side.' },
  'request/unavailable': {
    status: 503,
    message: 'The service is busy or a part of it cannot be reached; try again shortly.',
  },

  'auth/email-already-in-use': { status: 409, message: 'An account with this email already exists.' },
  'auth/weak-password': {
    status: 422,
    message: 'The password has fewer than 8 characters or is one that the app refuses; `fields` says which.',
  },
  'auth/invalid-credential': { status: 401, message: 'The email or the password is wrong.' },
  'auth/user-disabled': { status: 403, message: 'This account has been disabled.' },
  'auth/invalid-token': {
    status: 401,
    message: 'The token is missing, unknown, or belongs to a session that has ended.',
  },
  'auth/token-expired': { status: 401, message: 'The access token has expired; refresh it.' },
  'auth/refresh-token-revoked': {
    status: 401,
    message: 'The session has ended; the user has to sign in again.',
  },
  'auth/invalid-code': {
    status: 422,
    message: 'The code is wrong, was used, or has had five wrong guesses.',
  },
  'auth/code-expired': { status: 422, message: 'The code is older than 10 minutes; send a new one.' },
  'auth/requires-recent-login': {
    status: 403,
    message: 'This needs a recent sign-in; reauthenticate and repeat the call.',
  },
  'auth/operation-not-allowed': {
    status: 403,
    message: 'The app has not switched this way of signing in on.',
  },
  'auth/account-exists-with-different-credential': {
    status: 409,
    message:
      'An account with this email exists, but its email is unverified or it is linked to somebody else at this provider; sign in to it the usual way, then link the provider.',
  },
  'auth/credential-already-in-use': {
    status: 409,
    message: 'This account at the provider belongs to another user.',
  },
  'auth/provider-already-linked': {
    status: 409,
    message: 'The user has an account at this provider linked already.',
  },
  'auth/no-such-provider': { status: 404, message: 'The user has no account at this provider linked.' },
  'auth/user-not-found': { status: 404, message: 'The app has no user with this uid.' },
  'auth/session-not-found': { status: 404, message: 'The user has no live session with this id.' },

  'loyalty/insufficient-points': {
    status: 409,
    message: 'The user has fewer points than are to be taken away.',
  },
  'loyalty/balance-too-high': {
    status: 409,
    message: 'The balance would be greater than a balance may be: 1,000,000,000 points.',
  },
  'loyalty/reference-conflict': {
    status: 409,
    message: 'The user has an entry with this reference already, with other points.',
  },

  'config/invalid-parameter': {
    status: 422,
    message: 'A parameter breaks the rules; `fields` says which and why.',
  },
  'config/version-conflict': {
    status: 412,
    message: 'The remote config has changed since it was read; read it again and repeat the change.',
  },
  'config/version-not-found': {
    status: 404,
    message: 'There is no such version of the remote config, or it is no longer kept.',
  },

  'push/device-not-found': {
    status: 404,
    message: 'There is no device with this id, or it belongs to a user who does not call.',
  },
  'push/invalid-token': {
    status: 422,
    message: 'The push token cannot be one of this provider; `fields` says why.',
  },
  'push/invalid-topic': {
    status: 422,
    message: 'A topic has 1 to 100 letters, digits or characters of `_.~%-`.',
  },
  'push/too-many-topics': { status: 409, message: 'The device has as many topics as a device may have.' },
  'push/invalid-target': {
    status: 422,
    message: 'A message needs exactly one of uids, device_ids, topic and all.',
  },
  'push/payload-too-large': {
    status: 413,
    message: 'Notification and data together have more bytes than every provider carries.',
  },
  'push/provider-not-configured': {
    status: 409,
    message: 'The app has no credentials for the push provider that this needs.',
  },
  'push/message-not-found': { status: 404, message: 'The app has no push message with this id.' },

  'admin/invalid-secret-key': {
    status: 401,
    message: 'The secret key is missing, unknown, expired or revoked, or was sent by a browser.',
  },
  'admin/insufficient-scope': {
    status: 403,
    message: 'The secret key lacks the scope that this call needs.',
  },
  'admin/member-id-already-in-use': {
    status: 409,
    message: 'Another user of the app has this member id.',
  },
  'admin/claims-too-large': {
    status: 422,
    message: 'The custom claims have more than 1,000 bytes as JSON.',
  },
  'admin/password-import-not-supported': {
    status: 422,
    message:
      'Users cannot be imported with passwords or their hashes; they sign in with a mailed code or a provider, and may then set one.',
  },
  'admin/query-timeout': {
    status: 503,
    message: 'These filters together find too few users in the time there is; narrow or drop one of them.',
  },
  'admin/reserved-claim': {
    status: 422,
    message: 'A custom claim has a name that tokens use themselves.',
  },

  'files/not-found': { status: 404, message: 'There is no such file, or it is not yours to see.' },
  'files/missing-file': { status: 422, message: 'The form has no file in its field `file`.' },
  'files/too-large': { status: 413, message: 'The file is larger than the app allows.' },
  'files/type-not-allowed': { status: 415, message: 'The app does not allow files of this type.' },
  'files/quota-exceeded': {
    status: 403,
    message: 'With this file, the files of the user would be larger than the app allows.',
  },
  'files/invalid-signature': { status: 403, message: 'The signature of the address is wrong.' },
  'files/url-expired': { status: 403, message: 'The address has expired; ask for a new one.' },
  'files/range-not-satisfiable': { status: 416, message: 'The file has no such range.' },

  'webhooks/not-found': {
    status: 404,
    message: 'The app has no webhook with this id, or the webhook no such delivery.',
  },
  'webhooks/invalid-url': {
    status: 422,
    message: 'Webhooks go to public https addresses without credentials only; `fields` says what is wrong.',
  },
  'webhooks/limit-reached': { status: 409, message: 'The app has as many webhooks as it may have.' },
  'webhooks/replay-in-progress': {
    status: 409,
    message: 'An earlier replay of the webhook still makes its deliveries; ask again when it is done.',
  },
  'data/collection-not-found': { status: 404, message: 'The app has declared no such collection.' },
  'data/collection-exists': { status: 409, message: 'The app has a collection of this name.' },
  'data/too-many-collections': {
    status: 409,
    message: 'The app has as many collections as its setting `data.max_collections` allows.',
  },
  'data/collection-not-empty': {
    status: 409,
    message: 'The collection has records; say `records=delete` to remove them with it.',
  },
  'data/permission-denied': {
    status: 403,
    message: 'The access mode of the collection does not allow this to whoever sent the request.',
  },
  'data/not-found': { status: 404, message: 'There is no such record.' },
  'data/invalid-fields': {
    status: 422,
    message: 'The record holds what cannot be stored; `fields` says where.',
  },
  'data/invalid-query': { status: 422, message: 'The query breaks the contract; `fields` says where.' },
  'data/query-timeout': {
    status: 503,
    message: 'The query took longer than 5 seconds; index a field that it narrows down or sorts by.',
  },
  'data/record-too-large': { status: 413, message: 'The record would be larger than 1 MiB.' },
  'data/precondition-failed': {
    status: 412,
    message: 'The record is not as If-Match or If-None-Match demands; read it again.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

/** A code of the catalogue, such as `auth/invalid-credential`. Clients branch on it, never on the message. */
export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

/** Per-field detail: a dotted path (`notification.title`) to the sentences about it; `{}` when there is none. */
export const ErrorFields = z
  .record(z.string(), listUpTo(100, textUpTo(1_000)))
  .meta({ description: 'What is wrong with which field, by dotted path; empty when there is no detail.' });

const ErrorDetail = z
  .object({
    code: z.enum(errorCodes).meta({ description: 'Stable; the one part of an error to branch on.' }),
    message: textUpTo(1_000).meta({ description: 'For developers and logs; may change.' }),
    fields: ErrorFields,
  })
  .meta({ id: 'Error', description: 'What went wrong.' });

/** The envelope of every error answer of v2. */
export const ErrorEnvelope = z.object({ error: ErrorDetail });
