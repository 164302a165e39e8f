// The errors of v1: only `{"message": …}`, without a code. They are the errors of the catalogue; some have a different
// status or message, because v1 always had it or because the catalogue names a feature that only v2 has.
import * as z from 'zod';
import { textUpTo } from './answer-values.js';
import { type ErrorCode, errorCatalogue } from './errors.js';

export type V1ErrorText = { status: number; message: string };

const own: Partial<Record<ErrorCode, Partial<V1ErrorText>>> = {
  'request/validation-failed': { message: 'The request is not valid.' },
  'request/unsupported-media-type': { message: 'The body must be sent as application/json in UTF-8.' },
  'auth/email-already-in-use': { status: 422 },
  'auth/weak-password': { message: 'The password must have at least 8 characters.' },
  'auth/invalid-credential': { message: 'The email or the password is wrong.' },
  'auth/invalid-token': { message: 'The token is missing, unknown, expired or signed out.' },
  'auth/second-factor-required': {
    message:
      'This account needs a second factor, which this version of the app cannot ask for; please update the app.',
  },
  'auth/operation-not-allowed': { message: 'This app does not accept new accounts.' },
};

/** The response to every call after the shutdown date of the app. */
export const v1SwitchedOff: V1ErrorText = {
  status: 410,
  message: 'This version of the API has been switched off; please update the app.',
};

/** The status and message of an error in v1. */
export function v1ErrorOf(code: ErrorCode): V1ErrorText {
  const { status, message } = errorCatalogue[code];
  return { status, message, ...own[code] };
}

export const V1Error = z
  .object({
    message: textUpTo(1_000).meta({
      description: 'One sentence that describes the error.',
      example: 'The email must be an email address.',
    }),
  })
  .meta({ id: 'Error', description: 'The error. v1 has no error codes: branch on the status.' });
