// The catalogue: every error code the v2 API can answer, with its status, the sentence clients get and what it means.
// Codes and statuses: specification "Errors" and the conventions of the API; messages are for developers, never parsed.
import { z } from 'zod';

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
    message: 'The body must be sent as application/json in UTF-8.',
  },
  'request/too-large': { status: 413, message: 'The request is larger than this endpoint accepts.' },
  'request/not-found': { status: 404, message: 'There is no such endpoint.' },
  'request/method-not-allowed': {
    status: 405,
    message: 'This endpoint does not answer to this method; the Allow header lists those it does.',
  },
  'request/rate-limited': {
    status: 429,
    message: 'Too many requests; try again after the seconds given in Retry-After.',
  },
  'request/internal-error': { status: 500, message: 'Something went wrong on our side.' },
  'request/unavailable': {
    status: 503,
    message: 'The service is busy or a part of it cannot be reached; try again shortly.',
  },

  'auth/email-already-in-use': { status: 409, message: 'An account with this email already exists.' },
  'auth/weak-password': { status: 422, message: 'The password must have at least 8 characters.' },
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
  'auth/session-not-found': { status: 404, message: 'The user has no live session with this id.' },

  'admin/invalid-secret-key': {
    status: 401,
    message: 'The secret key is missing, unknown, expired or revoked, or was sent by a browser.',
  },
  'admin/insufficient-scope': {
    status: 403,
    message: 'The secret key lacks the scope that this call needs.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

/** A code of the catalogue, such as `auth/invalid-credential`. Clients branch on it, never on the message. */
export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

/** Per-field detail: a dotted path (`notification.title`) to the sentences about it; `{}` when there is none. */
export const ErrorFields = z
  .record(z.string(), z.array(z.string()))
  .meta({ description: 'What is wrong with which field, by dotted path; empty when there is no detail.' });

const ErrorDetail = z
  .object({
    code: z.enum(errorCodes).meta({ description: 'Stable; the one part of an error to branch on.' }),
    message: z.string().meta({ description: 'For developers and logs; may change.' }),
    fields: ErrorFields,
  })
  .meta({ id: 'Error', description: 'What went wrong.' });

/** The envelope of every error answer of v2. */
export const ErrorEnvelope = z.object({ error: ErrorDetail });
