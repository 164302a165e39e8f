// What an endpoint declares beside its shapes: who may call it, how calls are counted, and every error it can answer.
// The guard enforces it, the OpenAPI document prints it, and the tests walk it.
import type { AppRoute } from '@ts-rest/core';
import type { AuditAction } from './audit-actions.js';
import type { ErrorCode } from './errors.js';
import type { ProofHeader } from './proof-headers.js';

/**
 * Who may call: anybody (`public`, no app key), any client of the app (`app-key`), any client and knowing its user where
 * it sends an access token (`optional-user`), a user of the app with a live session (`signed-in`), or the app's own
 * backend with a secret key (`admin`). Where it ends in `-or-admin`, a secret key may be sent in the token's place.
 */
export type EndpointAuth =
  | 'public'
  | 'app-key'
  | 'optional-user'
  | 'optional-user-or-admin'
  | 'signed-in'
  | 'signed-in-or-admin'
  | 'admin';

/**
 * How calls are counted: `auth` proves a password or code, `exchange` proves another service's token, `code-send` mails
 * a code, `refresh` counts by session, `admin` and `push-send` by secret key, `upload` by user, `client` is everything
 * else (app and user, else app and IP); `none` is for public documents and the bytes of files.
 */
export type EndpointRateLimit =
  | 'auth'
  | 'exchange'
  | 'code-send'
  | 'refresh'
  | 'client'
  | 'upload'
  | 'admin'
  | 'push-send'
  | 'none';

/** What a secret key may be allowed to do. */
export const secretKeyScopes = [
  'users:read',
  'users:write',
  'tokens:verify',
  'push:read',
  'push:send',
  'data:read',
  'data:write',
  'data:manage',
  'files:read',
  'files:write',
  'config:read',
  'config:write',
  'loyalty:read',
  'loyalty:write',
  'webhooks:manage',
  'settings:manage',
  'audit:read',
  'migration:read',
] as const;
export type SecretKeyScope = (typeof secretKeyScopes)[number];

export type EndpointMetadata = Demands & (ForClients | ForBackends);

type Demands = {
  rateLimit: EndpointRateLimit;
  /** The call demands a sign-in, or a reauthentication, of the last few minutes. */
  recentSignIn?: boolean;
  /** An `Idempotency-Key` is heeded: the call may be repeated, and happens once. */
  idempotencyKey?: boolean;
  /** The largest body, where it is not `limits.bodyBytes`. */
  bodyBytes?: number;
  /** The most values in the JSON of the body, where it is not `limits.bodyValues`. */
  bodyValues?: number;
  /** The most keys of objects in the body, where fewer than its values. */
  bodyKeys?: number;
  /** The code that a body with more values or keys is answered with, where it is not `request/validation-failed`. */
  bodyValuesError?: ErrorCode;
  /** The body is kept: its numbers are judged as they were written, before reading has rounded them. */
  exactNumbers?: boolean;
  /** The code that a body which breaks the contract is answered with, where it is not `request/validation-failed`. */
  bodyError?: ErrorCode;
  /** Its successful answers carry an `ETag`. */
  etag?: boolean;
  /** The headers of `proof-headers.ts` that it reads. */
  readsHeaders?: readonly ProofHeader[];
  /** Those that its successful answers carry. */
  answersHeaders?: readonly ProofHeader[];
  /** The codes of this endpoint's own; `errorsOf` adds those that follow from the rest. */
  errors: readonly ErrorCode[];
};

type ForClients = {
  auth: Exclude<EndpointAuth, 'admin'>;
  scope?: SecretKeyScope;
  audit?: AuditAction | null;
};

type ForBackends = {
  auth: 'admin';
  /** What a secret key needs for the call. */
  scope: SecretKeyScope;
  /** The entry that a successful call writes into the audit log; null for one that changes nothing. */
  audit: AuditAction | null;
};

/** The metadata of a route, or what all routes of a group share; `contract.ts` checks that both together are complete. */
export function meta<const Metadata extends Partial<EndpointMetadata>>(metadata: Metadata): Metadata {
  return metadata;
}

export function metadataOf(route: AppRoute): EndpointMetadata {
  return route.metadata as EndpointMetadata;
}

/** True when the endpoint reads a JSON body. */
export function hasBody(route: AppRoute): boolean {
  return route.method !== 'GET' && 'body' in route && typeof route.body === 'object' && !hasForm(route);
}

/** True when the endpoint reads a form with a file, which is streamed and never held whole. */
export function hasForm(route: AppRoute): boolean {
  return 'contentType' in route && route.contentType === 'multipart/form-data';
}

/** Whose credential the call may carry, and whether it may do without one. */
export function credentialsOf(auth: EndpointAuth): { user: boolean; secretKey: boolean; demanded: boolean } {
  return {
    user: auth.startsWith('optional-user') || auth.startsWith('signed-in'),
    secretKey: auth.endsWith('admin'),
    demanded: auth.startsWith('signed-in') || auth === 'admin',
  };
}

/** Every code this endpoint can answer: its own and those that follow from who may call, the body and the limits. */
export function errorsOf(route: AppRoute): ErrorCode[] {
  const { auth, rateLimit, recentSignIn, idempotencyKey, errors } = metadataOf(route);
  const codes = new Set<ErrorCode>(errors);
  if (auth !== 'public') codes.add('request/invalid-app-key').add('request/origin-not-allowed');
  const credentials = credentialsOf(auth);
  if (credentials.user) codes.add('auth/invalid-token').add('auth/token-expired');
  if (recentSignIn) codes.add('auth/requires-recent-login');
  if (credentials.secretKey) codes.add('admin/invalid-secret-key').add('admin/insufficient-scope');
  if (idempotencyKey) {
    codes.add('request/idempotency-key-reused').add('request/idempotency-key-in-progress');
  }
  if (hasBody(route)) {
    codes.add('request/malformed-json').add('request/unsupported-media-type').add('request/too-large');
  }
  if (hasForm(route)) codes.add('request/unsupported-media-type');
  if (rateLimit !== 'none') codes.add('request/rate-limited');
  // U+0000 or broken percent-encoding is refused in any query.
  codes.add('request/validation-failed');
  return [...codes.add('request/internal-error').add('request/unavailable')];
}
