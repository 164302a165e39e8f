// What every client needs to reach the service, judged when it is made and not at its first call.
import type { ClientOptions } from './api.js';
import { FoyerError } from './errors.js';

type Required = Pick<ClientOptions, 'baseUrl' | 'appKey'>;

export function demandOptions(options: Required): void {
  // White space around a key is let pass: headers are sent without.
  for (const [name, form] of Object.entries({ baseUrl: /\/api\/v2\/*$/, appKey: /^\s*\S+\s*$/ })) {
    if (!options[name as keyof Required]?.match(form)) {
      throw new FoyerError('client/invalid-argument', `${name} is missing or not like ${form}.`);
    }
  }
}
