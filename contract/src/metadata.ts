// What an endpoint declares beside its shapes: who may call it, how calls are counted, and every error it can answer.
// The guard enforces it, the OpenAPI document prints it, and the tests walk it.
import type { AppRoute } from '@ts-rest/core';
import type { ErrorCode } from './errors.js';

/**
 * Who may call: anybody (`public`, no app key), any client of the app (`app-key`), any client and knowing its user where
 * it sends an access token (`optional-user`), a user of the app with a live session (`signed-in`), or the app's own
 * backend with a secret key (`admin`).
 */
export type EndpointAuth = 'public' | 'app-key' | 'optional-user' | 'signed-in' | 'admin';

/**
 * How calls are counted: `auth` proves a password or code, `exchange` proves another service's token, `code-send` mails
 * a code, `refresh` counts by session, `admin` by secret key, `client` is everything else (app and user, else app and
 * IP); `none` is for cacheable public documents.
 */
export type EndpointRateLimit = 'auth' | 'exchange' | 'code-send' | 'refresh' | 'client' | 'admin' | 'none';

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

export type EndpointMetadata = {
  auth: EndpointAuth;
  rateLimit: EndpointRateLimit;
  /** The call demands a sign-in, or a reauthentication, of the last few minutes. */
  recentSignIn?: boolean;
  /** What a secret key needs for an `admin` call. */
  scope?: SecretKeyScope;
  /** The codes of this endpoint's own; `errorsOf` adds those that follow from the rest. */
  errors: readonly ErrorCode[];
};

export function meta(metadata: EndpointMetadata): EndpointMetadata {
  return metadata;
}

export function metadataOf(route: AppRoute): EndpointMetadata {
  return route.metadata as EndpointMetadata;
}

/** True when the endpoint reads a JSON body. */
export function hasBody(route: AppRoute): boolean {
  return route.method !== 'GET' && 'body' in route && typeof route.body === 'object';
}

/** Every code this endpoint can answer: its own and those that follow from who may call, the body and the limits. */
export function errorsOf(route: AppRoute): ErrorCode[] {
  const { auth, rateLimit, recentSignIn, errors } = metadataOf(route);
  const codes = new Set<ErrorCode>(errors);
  if (auth !== 'public') codes.add('request/invalid-app-key').add('request/origin-not-allowed');
  if (auth === 'signed-in' || auth === 'optional-user') {
    codes.add('auth/invalid-token').add('auth/token-expired');
  }
  if (recentSignIn) codes.add('auth/requires-recent-login');
  if (auth === 'admin') codes.add('admin/invalid-secret-key').add('admin/insufficient-scope');
  if (hasBody(route)) {
    codes.add('request/malformed-json').add('request/unsupported-media-type').add('request/too-large');
  }
  if (rateLimit !== 'none') codes.add('request/rate-limited');
  // U+0000 or broken percent-encoding is refused in any query.
  codes.add('request/validation-failed');
  return [...codes.add('request/internal-error').add('request/unavailable')];
}
