// A refusal: thrown anywhere, answered by the error handler in the envelope of the catalogue.
import { type ErrorCode, errorCatalogue } from '@foyer/contract';

export type ErrorDetails = {
  fields?: Record<string, string[]>;
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  /** For the operator's log; never sent. */
  cause?: unknown;
};

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Record<string, string[]>;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(errorCatalogue[code].message, { cause: details.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.fields = bounded(details.fields ?? {});
    this.headers = { ...details.headers };
    if (details.retryAfterSeconds !== undefined) {
      this.headers['Retry-After'] = String(Math.max(1, Math.ceil(details.retryAfterSeconds)));
    }
  }
}

/** A request may have thousands of faults, or names of a hundred kilobytes: enough of them are answered to find the cause. */
const most = { fields: 100, nameCharacters: 300, sentences: 10, sentenceCharacters: 1_000 };

function bounded(fields: Record<string, string[]>): Record<string, string[]> {
  // Built from entries, so that a name such as __proto__ is a field and nothing else.
  return Object.fromEntries(
    Object.entries(fields)
      .slice(0, most.fields)
      .map(([name, sentences]) => [
        cut(name, most.nameCharacters),
        sentences.slice(0, most.sentences).map((sentence) => cut(sentence, most.sentenceCharacters)),
      ]),
  );
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`;
}
