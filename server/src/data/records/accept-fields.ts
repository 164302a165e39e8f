// Fields as a client sent them, or as a merge has made them: accepted, or refused with what is wrong.
import { ApiError } from '../../lib/api-error.js';
import { judgeFields } from './fields-rules.js';
import type { Fields } from './merge-rules.js';
import { inexactNumber } from './number-rules.js';

/** `text` is the body that the fields came in. */
export type SentFields = { fields: Fields; text: string };

export function acceptFields(fields: Fields): { kept: string; bytes: number } {
  const verdict = judgeFields(fields);
  if (verdict === 'too-large') throw new ApiError('data/record-too-large');
  if ('invalid' in verdict) throw refusal(verdict.invalid.path, verdict.invalid.sentence);
  return verdict;
}

export function acceptSent({ fields, text }: SentFields): { kept: string; bytes: number } {
  const inexact = inexactNumber(text);
  if (inexact !== null) {
    throw refusal(inexact, 'must be a finite number that, if an integer, is kept exactly');
  }
  return acceptFields(fields);
}

function refusal(path: string, sentence: string): ApiError {
  return new ApiError('data/invalid-fields', { fields: { [path]: [sentence] } });
}
