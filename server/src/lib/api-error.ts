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
    this.fields = details.fields ?? {};
    this.headers = { ...details.headers };
    if (details.retryAfterSeconds !== undefined) {
      this.headers['Retry-After'] = String(Math.max(1, Math.ceil(details.retryAfterSeconds)));
    }
  }
}
