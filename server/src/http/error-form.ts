// The form of an error: the envelope of the catalogue, or one sentence in v1.
import { type ErrorCode, v1ErrorOf } from '@foyer/contract';
import type { ApiError } from '../lib/api-error.js';

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

// A Map, since clients choose the names: a plain object has `constructor` and `__proto__`.
const parts = new Map([
  ['body', 'body'],
  ['query', 'query'],
  ['path', 'address'],
]);
const maxNameCharacters = 60;

/** v1 errors have no fields: one sentence for the first invalid one; undefined if there is none. */
export function v1Sentence(fields: Record<string, string[]>): string | undefined {
  const [name, [problem] = []] = Object.entries(fields)[0] ?? [];
  if (name === undefined || problem === undefined) return undefined;
  return `The ${parts.get(name) ?? shown(name)} ${inWords(problem)}.`;
}

/** Clients choose names; control characters and line breaks are removed. */
function shown(name: string): string {
  const line = name
    .slice(0, maxNameCharacters)
    .toWellFormed()
    .replaceAll(/[_\s\p{Cc}]+/gu, ' ');
  return line.trim() === '' ? 'field' : line.trim();
}

/** Messages about one field are appended to its name; messages about several fields are not. */
function inWords(problem: string): string {
  return /^(must|is|has) /.test(problem) ? problem : 'is not valid';
}
