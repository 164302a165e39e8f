// `fetch` for the app's own backend, authenticated as the user, with the same refresh rules as the service's API.

import type { Bearer } from './active-session.js';
import type { Client } from './api.js';
import { errorCodeIn } from './envelope.js';
import { FoyerError } from './errors.js';
import { isTokenRefusal } from './refresh.js';
import type { SessionStore } from './session-store.js';

export function createAuthorizedFetch(sessionStore: SessionStore, fetchNow: typeof fetch): Client['fetch'] {
  return async (input, init = {}) => {
    const signal = init.signal ?? undefined;
    // Builds each attempt from the URL and options: the body of a `Request` can be read only once.
    const sendAs = ({ token }: Bearer) => {
      const headers = new Headers(init.headers);
      headers.set('Authorization', `Bearer ${token}`);
      return fetchNow(input, { ...init, headers });
    };
    const bearer = await sessionStore.bearer({ signal });
    const response = await sendAs(bearer);
    const code = await refusalIn(response);
    if (!code) return response;

    response.body?.cancel().catch(() => {});
    const renewed = await sessionStore.bearer({ signal, refused: bearer });
    if (isReadOnce(init.body)) {
      throw new FoyerError(code, 'A stream cannot be retried.', {
        status: response.status,
      });
    }
    return sendAs(renewed);
  };
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
