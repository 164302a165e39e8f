// Requests with the secret key, and their retry rules.
import { FoyerError } from '../errors.js';
import { isTransient, wasDeleted, withRetries } from '../http/retry.js';
import { send } from '../http/send.js';
import type { Sender } from '../session/core.js';
import type { CallSpec, Perform } from './typed-client.js';

/** @internal */
export function createAdminCall(sender: Sender, secretKey: string | undefined): Perform {
  return async (spec, input, { idempotencyKey, ...call }) => {
    if (!secretKey) throw new FoyerError('client/invalid-argument', 'This call requires secretKey.');
    let answered = new Headers();
    const observed: Sender = {
      ...sender,
      async fetchNow(url, init) {
        const response = await sender.fetchNow(url, init);
        answered = response.headers;
        return response;
      },
    };
    // Keyed by lower-case name, to find those that decide about retries.
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(call.headers ?? {})) headers[name.toLowerCase()] = value;
    const key = spec.once && (idempotencyKey ?? headers['idempotency-key'] ?? crypto.randomUUID());
    if (key) headers['idempotency-key'] = key;
    const data = await withRetries<unknown>(
      sender,
      (previous) =>
        send<unknown, string>(observed, spec.route, input, { ...call, headers }, secretKey).catch((error) => {
          if (wasDeleted(spec.route, error, previous)) return undefined;
          throw error;
        }),
      call.maxRetries ?? sender.options.maxRetries ?? 2,
      call.signal,
      key || isRepeatable(spec, headers) ? mayBeRepeated : wasNotBegun,
    );
    return { data, headers: answered };
  };
}

/**
 * A conditional write is not repeated: after a lost response its condition would be evaluated against the first
 * attempt's own write.
 */
function isRepeatable({ route, safe }: CallSpec, headers: Record<string, string>): boolean {
  if (Object.keys(headers).some((name) => /^if-(none-)?match$/.test(name))) return false;
  return safe === true || /^(GET|PUT|DELETE) |^POST .*\/query$/.test(route);
}

function mayBeRepeated(error: FoyerError): boolean {
  return isTransient(error) || error.code === 'request/idempotency-key-in-progress';
}

/** A rate-limited request was rejected before it was processed. */
function wasNotBegun({ status }: FoyerError): boolean {
  return status === 429;
}
