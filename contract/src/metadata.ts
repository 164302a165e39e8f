// The metadata of an endpoint: who may call it, how calls are rate limited, and every error it can return. The guard
// enforces it, the OpenAPI document includes it, and the tests check every endpoint against it.
import type { AppRoute } from '@ts-rest/core';
import type { AuditAction } from './audit-actions.js';
import type { ErrorCode } from './errors.js';
import type { ProofHeader } from './proof-headers.js';

/**
 * Who may call: everyone without an app key (`public`), any client of the app (`app-key`), any client, with or without
 * an access token (`optional-user`), a user of the app with an active session (`signed-in`), or the backend of the app
 * with a secret key (`admin`). With the suffix `-or-admin`, a secret key may be sent in place of the access token.
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
 * How calls are rate limited: `auth` for calls that verify a password or code, `exchange` for calls that verify a token
 * of another service, `code-send` for calls that mail a code, `refresh` by session, `admin` and `push-send` by secret
 * key, `upload` by user, `client` for all others (by app and user, or by app and IP address without a user); `none` for
 * public documents and the bytes of files.
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

/** The scopes of secret keys. */
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
  /** The call requires a sign-in or reauthentication within the last few minutes. */
  recentSignIn?: boolean;
  /** The endpoint supports `Idempotency-Key`: a repeated request takes effect once. */
  idempotencyKey?: boolean;
  /** The maximum size of the body, where it is not `limits.bodyBytes`. */
  bodyBytes?: number;
  /** The maximum number of values in the JSON of the body, where it is not `limits.bodyValues`. */
  bodyValues?: number;
  /** The maximum number of object keys in the body, where it is lower than that of its values. */
  bodyKeys?: number;
  /** The code returned for a body with too many values or keys, where it is not `request/validation-failed`. */
  bodyValuesError?: ErrorCode;
  /** The body is stored: its numbers are validated as written, before parsing rounds them. */
  exactNumbers?: boolean;
  /** The code returned for a body that does not match its schema, where it is not `request/validation-failed`. */
  bodyError?: ErrorCode;
  /** Successful responses have an `ETag`. */
  etag?: boolean;
  /** The headers of `proof-headers.ts` that the endpoint reads. */
  readsHeaders?: readonly ProofHeader[];
  /** The headers of `proof-headers.ts` in its successful responses. */
  answersHeaders?: readonly ProofHeader[];
  /** The codes specific to this endpoint; `errorsOf` adds those that follow from the other metadata. */
  errors: readonly ErrorCode[];
};

type ForClients = {
  auth: Exclude<EndpointAuth, 'admin'>;
  scope?: SecretKeyScope;
  audit?: AuditAction | null;
};

type ForBackends = {
  auth: 'admin';
  /** The scope that the secret key must have. */
  scope: SecretKeyScope;
  /** The action that a successful call records in the audit log; null for a call that changes nothing. */
  audit: AuditAction | null;
};

/**
 * The metadata of a route, or the part that all routes of a group share; `contract.ts` checks that the two together are
 * complete.
 */
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

/** True when the endpoint reads a form with a file, which is streamed and never buffered whole. */
export function hasForm(route: AppRoute): boolean {
  return 'contentType' in route && route.contentType === 'multipart/form-data';
}

/** Which credentials the call accepts, and whether it requires one. */
export function credentialsOf(auth: EndpointAuth): { user: boolean; secretKey: boolean; demanded: boolean } {
  return {
    user: auth.startsWith('optional-user') || auth.startsWith('signed-in'),
    secretKey: auth.endsWith('admin'),
    demanded: auth.startsWith('signed-in') || auth === 'admin',
  };
}

/**
 * Every code this endpoint can return: its own and those that follow from who may call, the body and the rate limits.
 */
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
  // A query with U+0000 or invalid percent-encoding is rejected on every endpoint.
  codes.add('request/validation-failed');
  return [...codes.add('request/internal-error').add('request/unavailable')];
}
