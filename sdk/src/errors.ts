// What the SDK throws: one error class, told apart by `code` and recognised by a brand, so that two copies of the
// package in one program (ESM and CommonJS, say) still understand each other's errors.

/** The codes the service answers with. A later service may add codes; an unknown one is passed through as it is. */
export type ServerCode =
  | 'request/invalid-app-key'
  | 'request/origin-not-allowed'
  | 'request/malformed-json'
  | 'request/malformed-http'
  | 'request/timeout'
  | 'request/validation-failed'
  | 'request/unsupported-media-type'
  | 'request/too-large'
  | 'request/not-found'
  | 'request/method-not-allowed'
  | 'request/precondition-required'
  | 'request/rate-limited'
  | 'request/idempotency-key-reused'
  | 'request/idempotency-key-in-progress'
  | 'request/internal-error'
  | 'request/unavailable'
  | 'auth/email-already-in-use'
  | 'auth/weak-password'
  | 'auth/invalid-credential'
  | 'auth/user-disabled'
  | 'auth/invalid-token'
  | 'auth/token-expired'
  | 'auth/refresh-token-revoked'
  | 'auth/invalid-code'
  | 'auth/code-expired'
  | 'auth/requires-recent-login'
  | 'auth/operation-not-allowed'
  | 'auth/account-exists-with-different-credential'
  | 'auth/credential-already-in-use'
  | 'auth/provider-already-linked'
  | 'auth/no-such-provider'
  | 'auth/user-not-found'
  | 'auth/session-not-found'
  | 'loyalty/insufficient-points'
  | 'loyalty/balance-too-high'
  | 'loyalty/reference-conflict'
  | 'config/invalid-parameter'
  | 'config/version-conflict'
  | 'config/version-not-found'
  | 'push/device-not-found'
  | 'push/invalid-token'
  | 'push/invalid-topic'
  | 'push/too-many-topics'
  | 'push/invalid-target'
  | 'push/payload-too-large'
  | 'push/message-not-found'
  | 'push/provider-not-configured'
  | 'admin/invalid-secret-key'
  | 'admin/insufficient-scope'
  | 'admin/member-id-already-in-use'
  | 'admin/claims-too-large'
  | 'admin/password-import-not-supported'
  | 'admin/query-timeout'
  | 'admin/reserved-claim'
  | 'files/not-found'
  | 'files/missing-file'
  | 'files/too-large'
  | 'files/type-not-allowed'
  | 'files/quota-exceeded'
  | 'files/invalid-signature'
  | 'files/url-expired'
  | 'files/range-not-satisfiable'
  | 'webhooks/not-found'
  | 'webhooks/invalid-url'
  | 'webhooks/limit-reached'
  | 'webhooks/replay-in-progress'
  | 'data/collection-not-found'
  | 'data/collection-exists'
  | 'data/too-many-collections'
  | 'data/collection-not-empty'
  | 'data/permission-denied'
  | 'data/not-found'
  | 'data/invalid-fields'
  | 'data/invalid-query'
  | 'data/query-timeout'
  | 'data/record-too-large'
  | 'data/precondition-failed';

/**
 * The codes the SDK itself throws: no answer came (`network`, `timeout`), the caller gave up or the client was disposed
 * of (`aborted`), the answer is not the service's (`bad-response`, a proxy's page for example), the token storage failed
 * (`storage-unavailable`), or an argument cannot be sent (`invalid-argument`).
 */
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
