// Requests with the secret key, and their retry rules.

import type { PageList, RepeatableCallOptions } from '../api.js';
import type { Sender } from '../core.js';
import { FoyerError } from '../errors.js';
import type { PageQuery } from '../generated/models.js';
import type { SecretKeyRoute } from '../generated/routes.js';
import { send } from '../http.js';
import type { Page } from '../models.js';
import { createPageList } from '../page-list.js';
import type { RequestInput } from '../request-url.js';
import { isTransient, wasDeleted, withRetries } from '../retry.js';

/** Options of a request with an idempotency key. */
export interface OnceOptions extends RepeatableCallOptions {
  /**
   * The service processes a key once and repeats the response for 24 hours. Default: a random key for each call, which
   * covers its retries; pass a stable one, such as an order number, to cover your own retries.
   */
  idempotencyKey?: string | undefined;
}

/** @internal */
export type AdminCall = <T, R extends SecretKeyRoute = SecretKeyRoute>(
  route: R,
  input?: RequestInput<R>,
  options?: OnceOptions,
  onAnswer?: (response: Response) => void,
) => Promise<T>;

/** @internal */
export function createAdminCall(sender: Sender, secretKey: string | undefined): AdminCall {
  return async <T>(
    route: SecretKeyRoute,
    input: RequestInput<SecretKeyRoute> = {},
    { idempotencyKey, ...call }: OnceOptions = {},
    onAnswer: (response: Response) => void = () => {},
  ) => {
    if (!secretKey) throw new FoyerError('client/invalid-argument', 'This call requires secretKey.');
    const observed: Sender = {
      ...sender,
      async fetchNow(url, init) {
        const response = await sender.fetchNow(url, init);
        onAnswer(response);
        return response;
      },
    };
    // By lower-case name, to find those that decide about retries.
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(call.headers ?? {})) headers[name.toLowerCase()] = value;
    const key = acceptsIdempotencyKey(route)
      ? (idempotencyKey ?? headers['idempotency-key'] ?? crypto.randomUUID())
      : undefined;
    if (key) headers['idempotency-key'] = key;
    return withRetries<T>(
      sender,
      (previous) =>
        send<T, SecretKeyRoute>(observed, route, input, { ...call, headers }, secretKey).catch((error) => {
          if (wasDeleted(route, error, previous)) return undefined as T;
          throw error;
        }),
      call.maxRetries ?? sender.options.maxRetries ?? 2,
      call.signal,
      key || isRepeatable(route, headers) ? mayBeRepeated : wasNotBegun,
    );
  };
}

/** @internal */
export function listPages<T>(
  call: AdminCall,
  route: SecretKeyRoute,
  { query, ...input }: Pick<RequestInput<SecretKeyRoute>, 'params'> & { query?: PageQuery | undefined },
  options?: RepeatableCallOptions,
): PageList<T> {
  return createPageList((page) => call<Page<T>>(route, { ...input, query: page }, options), query);
}

const readOnly: readonly SecretKeyRoute[] = [
  'POST /admin/tokens/verify',
  'POST /admin/settings/preview-mail',
  'POST /admin/settings/check-provider',
];

/** Every POST under /admin except those that are read-only. */
function acceptsIdempotencyKey(route: SecretKeyRoute): boolean {
  return route.startsWith('POST /admin/') && !readOnly.includes(route);
}

/** After a lost response a condition would be evaluated against the first attempt's own write. */
function isRepeatable(route: SecretKeyRoute, headers: Record<string, string>): boolean {
  if (Object.keys(headers).some((name) => /^if-(none-)?match$/.test(name))) return false;
  return readOnly.includes(route) || /^(GET|PUT|DELETE) |^POST .*\/query$/.test(route);
}

function mayBeRepeated(error: FoyerError): boolean {
  return isTransient(error) || error.code === 'request/idempotency-key-in-progress';
}

/** A rate-limited request was rejected before it was processed. */
function wasNotBegun({ status }: FoyerError): boolean {
  return status === 429;
}
