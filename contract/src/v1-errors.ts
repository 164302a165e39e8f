// The errors of v1: `{"message": …}` alone, without a code. They are the errors of the catalogue, with a status or a
// sentence of their own where v1 has always had another, or where the catalogue speaks of what only v2 has.
import { z } from 'zod';
import { textUpTo } from './answer-values.js';
import { type ErrorCode, errorCatalogue } from './errors.js';

export type V1ErrorText = { status: number; message: string };

const own: Partial<Record<ErrorCode, Partial<V1ErrorText>>> = {
  'request/validation-failed': { message: 'The request is not valid.' },
  'request/unsupported-media-type': { message: 'The body must be sent as application/json in UTF-8.' },
  'auth/email-already-in-use': { status: 422 },
  'auth/weak-password': { message: 'The password must have at least 8 characters.' },
  'auth/invalid-token': { message: 'The token is missing, unknown, expired or signed out.' },
  'auth/operation-not-allowed': { message: 'This app takes no new accounts.' },
};

/** After the shutdown date of the app, whatever was asked for. */
export const v1SwitchedOff: V1ErrorText = {
  status: 410,
  message: 'This version of the API has been switched off; please update the app.',
};

/** What an error of the catalogue is in v1. */
export function v1ErrorOf(code: ErrorCode): V1ErrorText {
  const { status, message } = errorCatalogue[code];
  return { status, message, ...own[code] };
}

export const V1Error = z
  .object({
    message: textUpTo(1_000).meta({
      description: 'One sentence that says what is wrong.',
      example: 'The email must be an email address.',
    }),
  })
  .meta({ id: 'Error', description: 'What went wrong. v1 has no error codes: go by the status.' });
