// The SDK's one error class. `isFoyerError` checks a brand, not the class, so that two copies of the package in one
// program (ESM and CommonJS, for example) recognize each other's errors.
import type { ServerCode } from './generated/error-codes.js';

/**
 * The codes that the SDK itself throws: no response (`network`, `timeout`), aborted by the caller or by `dispose`
 * (`aborted`), a response that is not the service's, such as a proxy's page (`bad-response`), an unavailable token
 * storage (`storage-unavailable`), a call that requires a signed-in user (`signed-out`), an invalid argument
 * (`invalid-argument`), or a passkey that the user or the browser refuses (`passkey-…`).
 */
export type ClientCode =
  | 'client/network'
  | 'client/timeout'
  | 'client/aborted'
  | 'client/bad-response'
  | 'client/storage-unavailable'
  | 'client/signed-out'
  | 'client/invalid-argument'
  | 'client/passkey-cancelled'
  | 'client/passkey-unsupported'
  | 'client/passkey-wrong-domain'
  | 'client/passkey-failed';

/** Error messages by field; nested fields have dotted paths. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The optional properties of a `FoyerError`. */
export interface FoyerErrorDetails {
  /** The HTTP status; 0 without a response. */
  status?: number;
  /** Validation messages by field. */
  fields?: FieldErrors;
  /** The service's id of the request. */
  requestId?: string | undefined;
  /** Milliseconds to wait before a retry. */
  retryAfterMs?: number | undefined;
  /** What caused the error. */
  cause?: unknown;
}

/**
 * The error class of the SDK. Branch on `code`, never on `message`, which is for logs: it contains the code, what happened
 * and, after a request, its method and URL.
 *
 * @example
 * try {
 *   await client.auth.signIn({ email, password });
 * } catch (error) {
 *   if (isFoyerError(error, 'auth/invalid-credential')) return 'Wrong email or password.';
 *   throw error;
 * }
 */
export class FoyerError extends Error {
  /** The brand that `isFoyerError` checks. */
  declare readonly isFoyerError: true;
  /** The code of the service, or of the SDK. */
  declare readonly code: ServerCode | ClientCode | (string & {});
  /** The HTTP status; 0 when there was no response. */
  declare readonly status: number;
  /** Validation messages by field; empty when there are none. */
  declare readonly fields: FieldErrors;
  /** The service's id of the request (`X-Request-Id`), for support requests to the service's operator. */
  declare readonly requestId: string | undefined;
  /** Milliseconds to wait before a retry, from the `Retry-After` header. */
  declare readonly retryAfterMs: number | undefined;

  constructor(code: FoyerError['code'], message?: string, details: FoyerErrorDetails = {}) {
    super(message ? `${code}: ${message}` : code, details);
    const name = 'FoyerError';
    Object.assign(this, { name, isFoyerError: true, code, status: 0, fields: {} }, details);
  }
}

/** True for a `FoyerError`, and when `code` is given, only for that code. */
export function isFoyerError(error: unknown): error is FoyerError;
export function isFoyerError<C extends ServerCode | ClientCode>(
  error: unknown,
  code: C,
): error is FoyerError & { readonly code: C };
export function isFoyerError(error: unknown, code?: string): boolean {
  const candidate = error as Partial<FoyerError> | null | undefined;
  return candidate?.isFoyerError === true && (!code || candidate.code === code);
}
