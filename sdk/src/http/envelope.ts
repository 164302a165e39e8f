// Parses the service's response envelope: `{"data": …}` or `{"error": {code, message, fields}}`.
import { type FieldErrors, FoyerError } from '../errors.js';
import { parsed } from './json.js';

interface Envelope {
  data?: unknown;
  error?: { code?: unknown; message?: unknown; fields?: FieldErrors };
}

/** The routes that answer 204. An empty answer to any other is a proxy's. */
const withoutContent = /opics.|lift|reset|out|revoke|password$|DELETE(?!.+e.p)/;

/** Returns the `data` of the response (undefined for 204); throws a `FoyerError` for anything else. */
export function dataOf(response: Response, text: string, route: string): unknown {
  const { status, ok } = response;
  if (status === 204 && withoutContent.test(route)) return undefined;
  const { data, error } = parsed<Envelope>(text);
  if (ok && data !== undefined) return data;
  const details = { status, requestId: requestIdOf(response) };
  // A proxy's `Retry-After` is about the proxy.
  if (ok || typeof error?.code !== 'string') throw badResponse(details);
  throw new FoyerError(error.code, String(error.message), {
    ...details,
    retryAfterMs: retryAfterMsOf(response),
    fields: error.fields ?? {},
  });
}

export function badResponse(details: { status?: number } = { status: 200 }): FoyerError {
  return new FoyerError('client/bad-response', 'Bad response', details);
}

/** The error code in a response body, if the body is the service's envelope. */
export function errorCodeIn(text: string): unknown {
  return parsed<Envelope>(text).error?.code;
}

export function requestIdOf(response: Response | undefined): string | undefined {
  return response?.headers.get('X-Request-Id') ?? undefined;
}

/** Accepts seconds only: an HTTP date would have to be compared with the device's clock. */
function retryAfterMsOf({ headers }: Response): number | undefined {
  const seconds = headers.get('Retry-After');
  return /^\d{1,9}$/.test(seconds!) ? 1_000 * +seconds! : undefined;
}
