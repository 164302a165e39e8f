// What an endpoint declares beside its shapes: who may call it, how calls are counted, and every error it can answer.
// The guard enforces it, the OpenAPI document prints it, and the tests walk it.
import type { AppRoute } from '@ts-rest/core';
import type { ErrorCode } from './errors.js';

/**
 * Who may call: anybody (`public`, no app key), any client of the app (`app-key`), or a user of the app with a
 * live session (`signed-in`).
 */
export type EndpointAuth = 'public' | 'app-key' | 'signed-in';

/**
 * How calls are counted: `auth` proves a password or code, `refresh` counts by session, `client` is everything else
 * (app and user, else app and IP); `none` is for cacheable public documents.
 */
export type EndpointRateLimit = 'auth' | 'refresh' | 'client' | 'none';

export type EndpointMetadata = {
  auth: EndpointAuth;
  rateLimit: EndpointRateLimit;
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
  const { auth, rateLimit, errors } = metadataOf(route);
  const codes = new Set<ErrorCode>(errors);
  if (auth !== 'public') codes.add('request/invalid-app-key').add('request/origin-not-allowed');
  if (auth === 'signed-in') codes.add('auth/invalid-token').add('auth/token-expired');
  if (hasBody(route)) {
    codes.add('request/malformed-json').add('request/unsupported-media-type').add('request/too-large');
  }
  if (rateLimit !== 'none') codes.add('request/rate-limited');
  // U+0000 or broken percent-encoding is refused in any query.
  codes.add('request/validation-failed');
  return [...codes.add('request/internal-error').add('request/unavailable')];
}
