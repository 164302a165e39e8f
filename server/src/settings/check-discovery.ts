// Checks whether the keys of a provider of the settings can be found and read. No message contains text of the provider.
import {
  connectionFailure,
  DiscoveryError,
  discover,
  discoveryUrlOf,
  ForbiddenUrlError,
  readDiscoveredKeys,
} from '../../engines/safe-fetch/index.js';
import type { Deps } from '../deps.js';
import { type CheckStep, failed, passed, skipped } from './provider-settings-rules.js';

const discoveryName = 'Discovery document';
const keysName = 'Keys of the provider';

export async function checkDiscovery(
  deps: Pick<Deps, 'ssrfSafeFetch'>,
  issuer: string,
): Promise<CheckStep[]> {
  let jwksUrl: string;
  try {
    ({ jwksUrl } = await discover(deps, issuer));
  } catch (error) {
    const advice = `Open ${discoveryUrlOf(issuer)}: its "issuer" must be ${issuer}, with the same slash at its end.`;
    return [
      failed(discoveryName, `${reasonOf(error)}. ${advice}`),
      skipped(keysName, 'Solve the problem above first.'),
    ];
  }
  const discovered = passed(discoveryName, `It names the issuer ${issuer}.`);
  try {
    const { keys } = await readDiscoveredKeys(deps, jwksUrl);
    return [discovered, passed(keysName, `The service can read them: ${keys.length}.`)];
  } catch (error) {
    const advice = 'No ID token can be verified. Try again later, or ask the provider.';
    return [discovered, failed(keysName, `${reasonOf(error)}. ${advice}`)];
  }
}

/** A sentence about the URL of the step, without its full stop. */
function reasonOf(error: unknown): string {
  if (error instanceof DiscoveryError) return capitalized(error.message);
  if (error instanceof ForbiddenUrlError) return `The URL ${error.message}`;
  const isSlow = error instanceof Error && error.name === 'TimeoutError';
  return isSlow ? 'There was no response in time' : capitalized(connectionFailure(error));
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
