// Parses the service's response envelope: `{"data": …}` or `{"error": {code, message, fields}}`.
import { type FieldErrors, FoyerError } from './errors.js';

interface Envelope {
  data?: unknown;
  error?: { code?: unknown; message?: unknown; fields?: FieldErrors };
}

/** Returns the `data` of the response (undefined for 204); throws a `FoyerError` for anything else. */
export function dataOf(response: Response, text: string): unknown {
  const { status, ok } = response;
  if (status === 204) return undefined;
  const envelope = parsed(text);
  if (ok && envelope?.data !== undefined) return envelope.data;
  const details = { status, requestId: requestIdOf(response), retryAfterMs: retryAfterMsOf(response) };
  const error = ok ? undefined : envelope?.error;
  if (typeof error?.code === 'string') {
    throw new FoyerError(error.code, String(error.message), { ...details, fields: error.fields ?? {} });
  }
  throw badResponse(details);
}

export function badResponse(details: { status?: number }): FoyerError {
  return new FoyerError('client/bad-response', 'Not a service response.', details);
}

/** The error code in a response body, if the body is the service's envelope. */
export function errorCodeIn(text: string): unknown {
  return parsed(text)?.error?.code;
}

export function requestIdOf(response: Response | undefined): string | undefined {
  return response?.headers.get('X-Request-Id') ?? undefined;
}

/** Accepts seconds only: an HTTP date would have to be compared with the device's clock. */
function retryAfterMsOf(response: Response): number | undefined {
  const seconds = /^\d{1,9}$/.exec(response.headers.get('Retry-After') ?? '');
  return seconds ? Number(seconds) * 1_000 : undefined;
}

function parsed(text: string): Envelope | null | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
