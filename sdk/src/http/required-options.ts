// Validates the connection options when a client is created, not at its first request.
import type { ClientOptions } from '../api.js';
import { FoyerError } from '../errors.js';

export function requireOptions({ baseUrl, appKey }: Pick<ClientOptions, 'baseUrl' | 'appKey'>): void {
  // A placeholder was copied from the documentation. Surrounding white space is accepted, because `Headers` trims values.
  if (!appKey?.match(/^\s*(?!.*(…|\.{3}|APP_KEY))[^\s<>]+\s*$/))
    throw new FoyerError('client/invalid-argument', `appKey must not be ${appKey}.`);
  if (!baseUrl?.match(/\/api\/v2\/*\s*$/))
    throw new FoyerError('client/invalid-argument', 'baseUrl must end in /api/v2.');
}

/** Without a slash at the end, and without white space: an option that was read from a file may end with a line break. */
export function baseUrlOf({ baseUrl }: Pick<ClientOptions, 'baseUrl'>): string {
  return baseUrl.trim().replace(/\/+$/, '');
}
