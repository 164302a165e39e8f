// `fetch` for the app's own backend, authenticated as the user, with the same refresh rules as the service's API.
import type { Client } from '../api.js';
import { FoyerError } from '../errors.js';
import { errorCodeIn } from '../http/envelope.js';
import { sentOnce, withBearer } from '../session/bearer.js';
import { type Core, coreOf } from '../session/core.js';
import { isTokenRefusal } from '../session/refresh.js';

/**
 * Returns a `fetch` for the app's own backend, with the user's access token as bearer token. The token is refreshed before it
 * expires, and again when the backend answers 401 with `auth/token-expired` or `auth/invalid-token` in the service's
 * envelope or with `WWW-Authenticate: Bearer error="invalid_token"`; the request is then retried once. A body that
 * can be read only once (a stream) is not retried: the call rejects with the code. A backend that refuses the new token
 * too is not asked with another before that one expires. In all other respects it behaves as `fetch`. Call only URLs
 * that may receive the token.
 *
 * @example
 * const backend = authorizedFetch(client);
 * const response = await backend('https://api.example.com/orders');
 */
export function authorizedFetch(client: Client): typeof fetch {
  const core = coreOf(client);
  return (input, init) => fetchAsUser(core, input, init);
}

/** @internal */
export function fetchAsUser(
  core: Core,
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const request = (input as Partial<Request>).headers ? (input as Request) : undefined;
  let isRetry = false;
  const send = async (token: string) => {
    const headers = new Headers(init.headers ?? request?.headers);
    headers.set('Authorization', `Bearer ${token}`);
    // The body of a `Request` can be read only once.
    const response = await core.fetchNow(request?.clone() ?? input, { ...init, headers });
    const code = await refusalIn(response);
    // A backend that refuses new tokens too would cost a refresh for each request.
    if (isRetry && code) core.refused = token;
    if (!code || core.refused === token) return response;
    isRetry = true;
    response.body?.cancel().catch(() => {});
    throw new FoyerError(code, 'A stream cannot be retried.', { status: response.status });
  };
  return withBearer(core, init.signal ?? request?.signal, isReadOnce(init.body) ? sentOnce(send) : send);
}

/** The token refusal in a backend's 401, if any: from the service's envelope or RFC 6750 section 3.1. */
async function refusalIn(response: Response) {
  if (response.status !== 401) return undefined;
  if (/\binvalid_token\b/.test(response.headers.get('WWW-Authenticate') ?? '')) return 'auth/invalid-token';
  const code = errorCodeIn(await response.clone().text());
  return isTokenRefusal(code) ? code : undefined;
}

function isReadOnce(body: unknown): boolean {
  const stream = body as Partial<ReadableStream & AsyncIterable<unknown>> | null | undefined;
  return !!(stream?.getReader || stream?.[Symbol.asyncIterator]);
}
