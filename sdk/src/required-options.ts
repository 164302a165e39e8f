// What every client needs to reach the service, judged when it is made and not at its first call.
import type { ClientOptions } from './api.js';
import { FoyerError } from './errors.js';

type Required = Pick<ClientOptions, 'baseUrl' | 'appKey'>;

export function demandOptions({ baseUrl, appKey }: Required): void {
  let fault: string | undefined;
  // White space around a key is let pass: headers are sent without.
  if (!appKey?.match(/^\s*\S+\s*$/)) fault = 'appKey must be one word.';
  if (!baseUrl?.match(/\/api\/v2\/*$/)) fault = 'baseUrl must end in /api/v2.';
  if (fault) throw new FoyerError('client/invalid-argument', fault);
}
