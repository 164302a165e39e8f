// An error of the catalogue: thrown anywhere, sent by the error handler.
import { type ErrorCode, errorCatalogue } from '@foyer/contract';

export type ErrorDetails = {
  fields?: Record<string, string[]>;
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  /** Goes to the operator's log; never sent. */
  cause?: unknown;
  /** Goes to the audit entry of the refusal; never sent. */
  auditDetails?: Record<string, string>;
};

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Record<string, string[]>;
  readonly headers: Record<string, string>;
  readonly auditDetails: Record<string, string>;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(errorCatalogue[code].message, { cause: details.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.fields = bounded(details.fields ?? {});
    this.headers = { ...details.headers };
    this.auditDetails = { ...details.auditDetails };
    if (details.retryAfterSeconds !== undefined) {
      this.headers['Retry-After'] = String(Math.max(1, Math.ceil(details.retryAfterSeconds)));
    }
  }
}

/** A request may have thousands of invalid fields, or names of a hundred kilobytes. */
const max = { fields: 100, nameCharacters: 300, sentences: 10, sentenceCharacters: 1_000 };

function bounded(fields: Record<string, string[]>): Record<string, string[]> {
  // fromEntries, so that __proto__ becomes an own field.
  return Object.fromEntries(
    Object.entries(fields)
      .slice(0, max.fields)
      .map(([name, sentences]) => [
        truncate(name, max.nameCharacters),
        sentences.slice(0, max.sentences).map((sentence) => truncate(sentence, max.sentenceCharacters)),
      ]),
  );
}

function truncate(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`;
}
