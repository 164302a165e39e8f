// Validates the connection options when a client is created, not at its first request.
import type { ClientOptions } from '../api.js';
import { FoyerError } from '../errors.js';

export function requireOptions({ baseUrl, appKey }: Pick<ClientOptions, 'baseUrl' | 'appKey'>): void {
  // A placeholder was copied from the documentation. Surrounding white space is accepted, because `Headers` trims values.
  if (!appKey?.match(/^\s*(?!.*(…|\.{3}|APP_KEY))[^\s<>]+\s*$/))
    throw new FoyerError('client/invalid-argument', `appKey must not be ${appKey}.`);
  if (!baseUrl?.match(/\/api\/v2\/*$/))
    throw new FoyerError('client/invalid-argument', 'baseUrl must end in /api/v2.');
}
