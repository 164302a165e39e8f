// What the SDK throws: one error class, told apart by `code` and recognised by a brand, so that two copies of the
// package in one program (ESM and CommonJS, say) still understand each other's errors.

/**
 * The codes the SDK itself throws: no answer came (`network`, `timeout`), the caller gave up or the client was disposed
 * of (`aborted`), the answer is not the service's (`bad-response`, a proxy's page for example), the token storage failed
 * (`storage-unavailable`), or an argument cannot be sent (`invalid-argument`).
 */
import type { ServerCode } from './generated/error-codes.js';
export type ClientCode =
  | 'client/network'
  | 'client/timeout'
  | 'client/aborted'
  | 'client/bad-response'
  | 'client/storage-unavailable'
  | 'client/invalid-argument';

/** Per-field detail: a dotted path to the sentences about it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** What is known about a failure beside its code. */
export interface FoyerErrorDetails {
  status?: number;
  fields?: FieldErrors;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/**
 * Everything the SDK throws. Branch on `code`, never on `message`.
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
  /** The brand that `isFoyerError` looks for. */
  declare readonly isFoyerError: true;
  declare readonly code: ServerCode | ClientCode | (string & {});
  /** The HTTP status; 0 when there was no answer. */
  declare readonly status: number;
  /** What is wrong with which field; empty when there is no detail. */
  declare readonly fields: FieldErrors;
  /** The service's name for the request; quote it to whoever runs the service. */
  declare readonly requestId: string | undefined;
  /** How long the service asks to wait before another try. */
  declare readonly retryAfterMs: number | undefined;

  constructor(code: FoyerError['code'], message: string, details: FoyerErrorDetails = {}) {
    super(message, details);
    const name = 'FoyerError';
    Object.assign(this, { name, isFoyerError: true, code, status: 0, fields: {} }, details);
  }
}

/** True for an error of this SDK and, when a code is given, for that code alone. */
export function isFoyerError(error: unknown): error is FoyerError;
export function isFoyerError<C extends ServerCode | ClientCode>(
  error: unknown,
  code: C,
): error is FoyerError & { readonly code: C };
export function isFoyerError(error: unknown, code?: string): boolean {
  const candidate = error as Partial<FoyerError> | null | undefined;
  return candidate?.isFoyerError === true && (!code || candidate.code === code);
}
