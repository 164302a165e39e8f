// The form of an error: the envelope of the catalogue, or one sentence in v1.
import { type ErrorCode, v1ErrorOf } from '@foyer/contract';
import type { ApiError } from '../lib/api-error.js';
import { v1Sentence } from './v1-sentence.js';

/** Marks a v1 request, whose errors differ; set before anything can be refused. */
export type ApiVersion = 'v1' | undefined;

/** Errors whose fields are more specific than their message. */
const explained = new Set<ErrorCode>(['request/validation-failed', 'auth/weak-password']);

export type WrittenError = { status: number; body: object };

export function writtenError(refusal: ApiError, requestId: string, version: ApiVersion): WrittenError {
  const { code, status, fields } = refusal;
  if (version === 'v1') {
    const own = v1ErrorOf(code);
    const detail = explained.has(code) ? v1Sentence(fields) : undefined;
    return { status: own.status, body: { message: withRequest(refusal, detail ?? own.message, requestId) } };
  }
  const message = withRequest(refusal, refusal.message, requestId);
  return { status, body: { error: { code, message, fields } } };
}

function withRequest({ code }: ApiError, message: string, requestId: string): string {
  return code === 'request/internal-error' ? `${message} Request ${requestId}.` : message;
}
