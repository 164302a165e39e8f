// Sends one request to the service and parses its response: URL, headers, time limit. Callers add tokens and retries.

import type { CallOptions, ClientOptions } from './api.js';
import { bounded } from './bounded.js';
import type { AttachHeaders } from './device-headers.js';
import { dataOf, requestIdOf } from './envelope.js';
import { FoyerError, isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { Route } from './generated/routes.js';
import { type RequestInput, urlOf } from './request-url.js';
import { stopwatch } from './stopwatch.js';

/** Sends one request and returns the `data` of the response, or throws a `FoyerError`. */
export type Send<R extends string = Route> = <T>(
  route: R,
  input?: RequestInput<R>,
  call?: CallOptions,
  bearer?: string,
) => Promise<T>;

export function createSend<R extends string = Route>(
  options: ClientOptions,
  fetchNow: typeof fetch,
  emit: Emit,
  attachHeaders?: AttachHeaders,
): Send<R> {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  return async <T>(route: R, input: RequestInput<R> = {}, call: CallOptions = {}, bearer?: string) => {
    const [method, path] = route.split(' ') as [string, string];
    const init: RequestInit = { method };
    let url: string;
    let storeHeaders: ReturnType<AttachHeaders> | undefined;
    // Rejects an unsendable request before anything is sent.
    try {
      const headers = new Headers({ ...options.headers, ...call.headers });
      headers.set('X-App-Key', options.appKey);
      headers.set('Accept', 'application/json');
      if (bearer) headers.set('Authorization', `Bearer ${bearer}`);
      if (input.body) {
        headers.set('Content-Type', 'application/json');
        init.body = JSON.stringify(input.body);
      }
      init.headers = headers;
      storeHeaders = attachHeaders?.(path, input.body, headers);
      url = baseUrl + urlOf(path, input);
    } catch (cause) {
      throw new FoyerError('client/invalid-argument', `The call is invalid: ${cause}`, { cause });
    }
    const elapsedMs = stopwatch();
    let response: Response | undefined;
    try {
      return await bounded(
        async (signal) => {
          response = await fetchNow(url, { ...init, signal });
          storeHeaders?.(response.headers);
          return dataOf(response, await response.text()) as T;
        },
        call.timeoutMs ?? options.timeoutMs ?? 15_000,
        call.signal,
      );
    } catch (cause) {
      const error = isFoyerError(cause)
        ? cause
        : new FoyerError('client/network', 'The service cannot be reached.', { cause });
      error.message += ` (${method} ${baseUrl}${path})`;
      throw error;
    } finally {
      emit({
        type: 'request',
        method,
        path,
        status: response?.status ?? 0,
        durationMs: elapsedMs(),
        requestId: requestIdOf(response),
      });
    }
  };
}
