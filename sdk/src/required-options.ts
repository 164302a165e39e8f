// Validates the connection options when a client is created, not at its first request.
import type { ClientOptions } from './api.js';
import { FoyerError } from './errors.js';

type Checked = Pick<ClientOptions, 'baseUrl' | 'appKey' | 'keepAccessToken' | 'migrateV1'>;

export function requireOptions({ baseUrl, appKey, keepAccessToken, migrateV1 }: Checked): void {
  // A placeholder was copied from the documentation. Surrounding white space is accepted, because `Headers` trims values.
  if (!appKey?.match(/^\s*(?!.*(…|\.{3}|APP_KEY))[^\s<>]+\s*$/))
    throw new FoyerError('client/invalid-argument', `appKey must be your app's key, not ${appKey}.`);
  if (!baseUrl?.match(/\/api\/v2\/*$/))
    throw new FoyerError('client/invalid-argument', 'baseUrl must end in /api/v2.');
  for (const made of [keepAccessToken, migrateV1])
    if (made && !made.call) throw new FoyerError('client/invalid-argument', 'keepAccessToken or migrateV1.');
}
