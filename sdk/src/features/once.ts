// One request for a credential that is used twice at once: by a double click, by effects that run twice, or by a link that is
// opened twice. The service accepts a code or a provider's token once.
import type { CallOptions } from '../api.js';
import type { Core } from '../session/core.js';

/** Joins the pending call with the same route and body, unless either call has an abort signal. */
export function once<T>(
  { pending }: Core,
  [route, body, options]: [route: string, body: object, options?: CallOptions, ...unknown[]],
  work: () => Promise<T>,
): Promise<T> {
  if (options?.signal) return work();
  const key = route + JSON.stringify(body);
  const result = pending.get(key) ?? work().finally(() => pending.delete(key));
  pending.set(key, result);
  return result as Promise<T>;
}
