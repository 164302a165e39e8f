// Sends one request to the service and parses its response: URL, headers, time limit. Callers add tokens and retries.

import type { CallOptions, ClientOptions } from './api.js';
import { bounded } from './bounded.js';
import type { Sender } from './core.js';
import { dataOf, requestIdOf } from './envelope.js';
import { FoyerError, isFoyerError } from './errors.js';
import type { Route } from './generated/routes.js';
import { type RequestInput, urlOf } from './request-url.js';
import { stopwatch } from './stopwatch.js';

export function createSender(options: ClientOptions): Sender {
  const { onEvent } = options;
  return {
    options,
    // Resolved at each call, so that a polyfill or a test can replace the global later.
    fetchNow: options.fetch ?? ((input, init) => fetch(input, init)),
    /** An error in the app's event handler must not affect the SDK. Listener errors are logged when there is no handler. */
    emit(event) {
      try {
        if (onEvent) onEvent(event);
        else if (event.type === 'listener-error') console.error(event.error);
      } catch (error) {
        console.error(error);
      }
    },
  };
}

/** Sends one request and returns the `data` of the response, or throws a `FoyerError`. */
export async function send<T, R extends string = Route>(
  sender: Sender,
  route: R,
  input: RequestInput<R> = {},
  call: CallOptions = {},
  bearer?: string,
): Promise<T> {
  const { options, emit, flows = {} } = sender;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const [method, path] = route.split(' ') as [string, string];
  const init: RequestInit = { method };
  let url: string;
  let flow: string;
  // Rejects an unsendable request before anything is sent.
  try {
    const email = (input.body as { email?: string } | undefined)?.email?.trim().toLowerCase();
    // `/auth/email-code/send` and `/verify`, or `/auth/password/forgot` and `/reset`, with the email. Email verification
    // has no flow: its code is bound to the signed-in user.
    flow = path.replace(/\w+$/, '') + email;
    init.headers = new Headers(options.headers);
    const own = {
      'X-App-Key': options.appKey,
      Accept: 'application/json',
      Authorization: bearer && `Bearer ${bearer}`,
      'Content-Type': input.body && 'application/json',
      // These prevent account lockout by someone who only knows the email.
      'X-Code-Flow': email && flows[flow],
      'X-Device-Token': /sign-in|verify|reset|reauth/.test(path) && sender.device,
    };
    // One by one, because names may differ in case only.
    for (const [name, value] of [...Object.entries(call.headers ?? {}), ...Object.entries(own)])
      if (value) init.headers.set(name, value);
    init.body = JSON.stringify(input.body);
    url = baseUrl + urlOf(path, input);
  } catch (cause) {
    throw new FoyerError('client/invalid-argument', `The call is invalid: ${cause}`, { cause });
  }
  const elapsedMs = stopwatch();
  let response: Response | undefined;
  try {
    return await bounded(
      async (signal) => {
        response = await sender.fetchNow(url, { ...init, signal });
        flows[flow] = response.headers.get('X-Code-Flow') ?? flows[flow];
        sender.device = response.headers.get('X-Device-Token') ?? sender.device;
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
}
