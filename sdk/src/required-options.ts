// Validates the connection options when a client is created, not at its first request.
import type { ClientOptions } from './api.js';
import { FoyerError } from './errors.js';

type Required = Pick<ClientOptions, 'baseUrl' | 'appKey'>;

export function requireOptions({ baseUrl, appKey }: Required): void {
  let fault: string | undefined;
  // Surrounding white space is accepted, because `Headers` trims values.
  if (!appKey?.match(/^\s*\S+\s*$/)) fault = 'appKey must be one word.';
  // Copied from the documentation.
  if (/…|\.{3}|[<>]|APP_KEY/.test(appKey))
    fault = `appKey must be your app's key, not the placeholder ${appKey}.`;
  if (!baseUrl?.match(/\/api\/v2\/*$/)) fault = 'baseUrl must end in /api/v2.';
  if (fault) throw new FoyerError('client/invalid-argument', fault);
}
