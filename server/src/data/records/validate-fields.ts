// Validates the fields of a request, or the result of a merge; refuses with the first violation.
import { inexactNumber } from '../../../engines/document-query/index.js';
import { ApiError } from '../../lib/api-error.js';
import type { Fields } from '../../lib/json-rules.js';
import { checkFields } from './fields-rules.js';

/** `text` is the raw request body, in which numbers are checked before JSON.parse rounds them. */
export type SentFields = { fields: Fields; text: string };

export function validateFields(fields: Fields): { json: string; bytes: number } {
  const verdict = checkFields(fields);
  if (verdict === 'too-large') throw new ApiError('data/record-too-large');
  if ('invalid' in verdict) throw refusal(verdict.invalid.path, verdict.invalid.sentence);
  return verdict;
}

export function validateSentFields({ fields, text }: SentFields): { json: string; bytes: number } {
  const inexact = inexactNumber(text);
  if (inexact !== null) {
    throw refusal(inexact, 'must be a finite number and, if an integer, exactly representable');
  }
  return validateFields(fields);
}

function refusal(path: string, sentence: string): ApiError {
  return new ApiError('data/invalid-fields', { fields: { [path]: [sentence] } });
}
