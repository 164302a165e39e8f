// `fetch` for the app's own backend, authenticated as the user, with the same refresh rules as the service's API.

import { withBearer } from './bearer.js';
import type { Core } from './core.js';
import { errorCodeIn } from './envelope.js';
import { FoyerError } from './errors.js';
import { isTokenRefusal } from './refresh.js';

export function authorizedFetch(core: Core, input: string, init: RequestInit = {}): Promise<Response> {
  let isRetry = false;
  const send = async (token: string) => {
    // Builds each attempt from the URL and options: the body of a `Request` can be read only once.
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${token}`);
    const response = await core.fetchNow(input, { ...init, headers });
    const code = !isRetry && (await refusalIn(response));
    if (!code) return response;
    isRetry = true;
    response.body?.cancel().catch(() => {});
    throw new FoyerError(code, 'A stream cannot be retried.', { status: response.status });
  };
  return withBearer(core, init.signal ?? undefined, send, !isReadOnce(init.body));
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
