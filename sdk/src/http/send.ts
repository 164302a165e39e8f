// Sends one request to the service and parses its response: URL, headers, time limit. Callers add tokens and retries.
import type { CallOptions, ClientOptions } from '../api.js';
import { FoyerError, isFoyerError } from '../errors.js';
import type { Route } from '../generated/routes.js';
import type { Sender } from '../session/core.js';
import { bounded } from './bounded.js';
import { dataOf, requestIdOf } from './envelope.js';
import { type RequestInput, urlOf } from './request-url.js';
import { baseUrlOf } from './required-options.js';
import { stopwatch } from './stopwatch.js';

export function createSender(options: ClientOptions): Sender {
  const { onEvent } = options;
  return {
    options,
    // Resolved at each call, so that a polyfill or a test can replace the global later, and called without a receiver: browsers and
    // workerd refuse to run their own `fetch` as a method of another object.
    fetchNow: (input, init) => (options.fetch ?? fetch)(input, init),
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
  const baseUrl = baseUrlOf(options);
  const [method, path] = route.split(' ') as [string, string];
  const init: RequestInit = { method };
  let url: string;
  let flow: string;
  // Rejects an unsendable request before anything is sent.
  try {
    const email = (input.body as { email?: string } | undefined)?.email?.trim().toLowerCase();
    // `/auth/email-code/send` and `/verify`, or `/auth/password/forgot` and `/reset`, share the flow of an email. The
    // confirmation of an email has that of the last code, which may be for the user's email or for a new one.
    flow = email ? path.replace(/\w+$/, '') + email : path;
    init.headers = new Headers();
    const own = {
      'X-App-Key': options.appKey,
      Accept: 'application/json',
      Authorization: bearer && `Bearer ${bearer}`,
      'Content-Type': input.body && 'application/json',
      // These prevent account lockout by someone who only knows the email; the flow also tells the codes of a user apart.
      'X-Code-Flow': flows[flow],
      'X-Device-Token': /auth/.test(path) && sender.device,
    };
    // One by one, because names may differ in case only.
    for (const headers of [options.headers, call.headers, own])
      for (const [name, value] of Object.entries(headers ?? {}))
        if (value) init.headers.set(name, /^x-client-/i.test(name) ? percentEncoded(value) : value);
    init.body = JSON.stringify(input.body);
    url = baseUrl + urlOf(path, input);
  } catch (cause) {
    throw new FoyerError('client/invalid-argument', `${cause}`, { cause });
  }
  const elapsedMs = stopwatch();
  let response: Response | undefined;
  try {
    return await bounded(
      async (signal) => {
        response = await sender.fetchNow(url, { ...init, signal });
        const sent = response.headers.get('X-Code-Flow');
        if (sent) flows[flow] = flows['/auth/email/verification/confirm'] = sent;
        sender.device = response.headers.get('X-Device-Token') ?? sender.device;
        return dataOf(response, await response.text(), route) as T;
      },
      call.timeoutMs ?? options.timeoutMs ?? 15_000,
      call.signal,
    );
  } catch (cause) {
    const error = isFoyerError(cause) ? cause : new FoyerError('client/network', `${cause}`, { cause });
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

/**
 * The name of a device may be "Ada’s iPhone", which no header holds; the service decodes it. What is encoded remains: a backend
 * passes on what the browser has sent. Half of an emoji, as of a name that was cut, cannot be encoded.
 */
function percentEncoded(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, '').replace(/%(?![\dA-F]{2})|[^ -~]+/g, encodeURIComponent);
}
