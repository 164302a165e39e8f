// The metadata of an endpoint: who may call it, how calls are rate limited, and every error it can return. The guard
// enforces it, the OpenAPI document includes it, and the tests check every endpoint against it.
import type { AppRoute } from '@ts-rest/core';
import * as z from 'zod';
import type { AuditAction } from './audit-actions.js';
import type { ErrorCode } from './errors.js';
import type { RateLimitPolicy } from './limits.js';
import type { ProofHeader } from './proof-headers.js';
import { type Role, roleHasScope, roleIncludes, roles } from './roles.js';
import type { SecretKeyScope } from './scopes.js';

/**
 * The callers of an endpoint: everyone without an app key (`public`), any client of the app (`app-key`), any client,
 * with or without an access token (`optional-user`), a user of the app with an active session (`signed-in`), or the
 * backend of the app with a secret key (`admin`). With the suffix `-or-admin`, a secret key may be sent in place of the
 * access token.
 *
 * A team member is a user of the reserved app `console`. The member's access token is accepted in place of a secret
 * key, with the app key of the app that the call acts on; `member` accepts no secret key. `console` calls are made with
 * the app key of `console` itself, or by anyone with that key (`console-app-key`).
 */
export type EndpointAuth =
  | 'public'
  | 'app-key'
  | 'optional-user'
  | 'optional-user-or-admin'
  | 'signed-in'
  | 'signed-in-or-admin'
  | 'admin'
  | 'member'
  | 'console'
  | 'console-app-key';

/**
 * How calls are rate limited: `auth` for calls that verify a password or code, `exchange` for calls that verify a token
 * of another service or a passkey, `code-send` for calls that mail a code, `refresh` by session, `admin` and `push-send` by secret key
 * or member, `upload` by user, `client` for all others (by app and user, or by app and IP address without a user); `none` for
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

export type EndpointMetadata = Demands & (ForClients | ForBackends | ForMembers);

type Demands = {
  rateLimit: EndpointRateLimit;
  /** Further policies that apply to some of the calls. */
  alsoLimitedBy?: readonly RateLimitPolicy[];
  /** The call requires a sign-in or reauthentication within the last few minutes, unless it is made with a secret key. */
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
  /** The call may read many rows, like a page of a list. */
  readsManyRows?: boolean;
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
  auth: Exclude<EndpointAuth, 'admin' | 'member' | 'console'>;
  scope?: SecretKeyScope;
  orScope?: undefined;
  alsoScope?: undefined;
  role?: undefined;
  /** The action that a call with a secret key or of a team member records, where the endpoint accepts those; or every call. */
  audit?: AuditAction | null;
};

type ForBackends = {
  auth: 'admin';
  /** The scope that the secret key must have. */
  scope: SecretKeyScope;
  /** A key with this scope may call as well; the operation checks which of the two its input requires. */
  orScope?: SecretKeyScope;
  /** A scope that the key must have in addition, because the call reveals what the other one does not name. */
  alsoScope?: SecretKeyScope;
  role?: undefined;
  /** The action that a successful call records in the audit log; null for a call that changes nothing. */
  audit: AuditAction | null;
};

type ForMembers = {
  auth: 'member' | 'console';
  scope?: undefined;
  orScope?: undefined;
  alsoScope?: undefined;
  /**
   * The role that the member needs in the app that the call acts on: the `app_id` of the path, else the app of
   * `X-App-Key`. Null if any member of that app may call; a `console` call without a role acts on no app, and every team
   * account may make it.
   */
  role: Role | null;
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

/** True when the body is a form without a file, as browsers send it from another site. */
export function hasUrlForm(route: AppRoute): boolean {
  return 'contentType' in route && route.contentType === 'application/x-www-form-urlencoded';
}

/**
 * Calls of backends that may read or write many rows; those of one app run a few at a time. `read` for a page of a list and
 * for what says so, `write` for a large body.
 */
export function bulkOf(route: AppRoute): 'read' | 'write' | null {
  const { auth, bodyBytes, readsManyRows } = metadataOf(route);
  if (auth !== 'admin') return null;
  if (bodyBytes !== undefined) return 'write';
  const isList = route.query instanceof z.ZodObject && 'limit' in route.query.shape;
  return isList || readsManyRows ? 'read' : null;
}

/** Returns the credentials that the call accepts, and whether it requires one. */
export function credentialsOf(auth: EndpointAuth): {
  user: boolean;
  secretKey: boolean;
  member: boolean;
  demanded: boolean;
} {
  const secretKey = auth.endsWith('admin');
  const member = secretKey || auth === 'member' || auth === 'console';
  return {
    user: auth.startsWith('optional-user') || auth.startsWith('signed-in'),
    secretKey,
    member,
    demanded: auth.startsWith('signed-in') || (member && !auth.startsWith('optional-user')),
  };
}

/** The roles of team members that may call the endpoint, from least to most; null if every member may. */
export function rolesOf({ scope, orScope, role }: EndpointMetadata): readonly Role[] | null {
  if (scope === undefined) return role ? roles.filter((each) => roleIncludes(each, role)) : null;
  const scopes = orScope === undefined ? [scope] : [scope, orScope];
  return roles.filter((each) => scopes.some((one) => roleHasScope(each, one)));
}

/** The first scope that a secret key with these scopes lacks for the endpoint; null if it may call. */
export function missingScope(
  held: readonly string[],
  { scope, orScope, alsoScope }: Pick<EndpointMetadata, 'scope' | 'orScope' | 'alsoScope'>,
): SecretKeyScope | null {
  if (scope !== undefined && !held.includes(scope) && !(orScope && held.includes(orScope))) return scope;
  return alsoScope !== undefined && !held.includes(alsoScope) ? alsoScope : null;
}

/** True if the endpoint cannot be called with the app key of the reserved app `console`. */
export function isClosedToConsole(route: AppRoute): boolean {
  return /^\/(admin|data|files|push|me\/export)(\/|$)/.test(route.path);
}

/**
 * Every code this endpoint can return: its own and those that follow from who may call, the body and the rate limits.
 */
export function errorsOf(route: AppRoute): ErrorCode[] {
  const { auth, role, rateLimit, recentSignIn, idempotencyKey, errors } = metadataOf(route);
  const codes = new Set<ErrorCode>(errors);
  if (auth !== 'public') codes.add('request/invalid-app-key').add('request/origin-not-allowed');
  const credentials = credentialsOf(auth);
  if (credentials.user || credentials.member) codes.add('auth/invalid-token').add('auth/token-expired');
  const hidesApp = auth === 'console' && route.path.includes('/:app_id');
  if (hidesApp) codes.add('console/app-not-found');
  // Every member has at least the role `viewer`; other accounts get `console/app-not-found`.
  const needsRole =
    auth === 'console' ? role !== null && !(hidesApp && role === 'viewer') : credentials.member;
  if (needsRole) codes.add('console/insufficient-role');
  // The team may need a second factor.
  if (credentials.member) codes.add('auth/second-factor-required');
  if (recentSignIn) codes.add('auth/requires-recent-login');
  if (credentials.secretKey) codes.add('admin/invalid-secret-key').add('admin/insufficient-scope');
  if (auth.startsWith('console')) codes.add('console/required');
  if (isClosedToConsole(route)) codes.add('console/not-available');
  if (idempotencyKey) {
    codes.add('request/idempotency-key-reused').add('request/idempotency-key-in-progress');
  }
  if (hasBody(route)) {
    codes.add('request/unsupported-media-type').add('request/too-large');
    if (!hasUrlForm(route)) codes.add('request/malformed-json');
  }
  if (hasForm(route)) codes.add('request/unsupported-media-type');
  if (rateLimit !== 'none') codes.add('request/rate-limited');
  // A query with U+0000 or invalid percent-encoding is rejected on every endpoint.
  codes.add('request/validation-failed');
  return [...codes.add('request/internal-error').add('request/unavailable')];
}
