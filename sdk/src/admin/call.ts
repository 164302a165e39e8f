// Calls with the secret key, and when they may be sent again.
import type { RequestInput } from '../address.js';
import type { ClientOptions, RepeatableCallOptions } from '../api.js';
import { FoyerError } from '../errors.js';
import type { Emit } from '../events.js';
import type { SecretKeyRoute } from '../generated/routes.js';
import { createSend } from '../http.js';
import { mayPass, wasDeleted, withRetries } from '../retry.js';

/** Options of a call that makes something. */
export interface OnceOptions extends RepeatableCallOptions {
  /**
   * The service does what the key names once, and answers every call with it alike, for 24 hours. Made by chance for
   * each call when absent, which covers its repeats; give one that you keep (an order's number) to cover your own.
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
export function createAdminCall(
  options: ClientOptions,
  secretKey: string | undefined,
  fetchNow: typeof fetch,
  emit: Emit,
): AdminCall {
  return async <T>(
    route: SecretKeyRoute,
    input: RequestInput<SecretKeyRoute> = {},
    { idempotencyKey, ...call }: OnceOptions = {},
    onAnswer: (response: Response) => void = () => {},
  ) => {
    if (!secretKey) throw new FoyerError('client/invalid-argument', 'This call needs the secretKey.');
    const send = createSend<SecretKeyRoute>(
      options,
      async (url, init) => {
        const response = await fetchNow(url, init);
        onAnswer(response);
        return response;
      },
      emit,
    );
    const key = heedsKey(route) ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
    const headers = { ...call.headers, ...(key && { 'Idempotency-Key': key }) };
    return withRetries<T>(
      (previous) =>
        send<T>(route, input, { ...call, headers }, secretKey).catch((error) => {
          if (wasDeleted(route, error, previous)) return undefined as T;
          throw error;
        }),
      {
        maxRetries: call.maxRetries ?? options.maxRetries ?? 2,
        signal: call.signal,
        emit,
        when: key || isRepeatable(route, headers) ? mayBeRepeated : wasNotBegun,
      },
    );
  };
}

/** Every POST under /admin but this one, which changes nothing. */
function heedsKey(route: SecretKeyRoute): boolean {
  return route.startsWith('POST /admin/') && route !== 'POST /admin/tokens/verify';
}

/** After a lost answer a condition would be judged by what the first try has written. */
function isRepeatable(route: SecretKeyRoute, headers: Record<string, string>): boolean {
  if (Object.keys(headers).some((name) => /^if-(none-)?match$/i.test(name))) return false;
  return /^(GET|PUT|DELETE) |^POST (\/admin\/tokens\/verify|.*\/query)$/.test(route);
}

function mayBeRepeated(error: FoyerError): boolean {
  return mayPass(error) || error.code === 'request/idempotency-key-in-progress';
}

/** A call over the rate limit was refused before anything was done. */
function wasNotBegun({ status }: FoyerError): boolean {
  return status === 429;
}
