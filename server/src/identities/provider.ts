// The two identity providers: issuers and keys (configuration of the process), and client ids (settings of the app).
import { providers } from '@foyer/contract';
import type { ProviderName, Providers } from '../deps.js';
import type { Config } from '../env.js';
import type { Clock } from '../lib/clock.js';
import type { Fetch } from '../lib/http/provider-call.js';
import { providerKeys } from '../lib/http/provider-keys.js';
import type { Logger } from '../lib/logger.js';
import type { App } from '../model/app.js';
import type { SessionMethod } from '../model/session.js';

export function identityProviders(
  config: Pick<Config, 'providerA' | 'providerB'>,
  deps: { fetch: Fetch; clock: Clock; logger: Logger },
): Providers {
  const { providerA, providerB } = config;
  return {
    'provider-a': { issuers: providerA.issuers, keys: providerKeys(deps, providerA.jwksUrl) },
    'provider-b': { issuers: providerB.issuers, keys: providerKeys(deps, providerB.jwksUrl) },
  };
}

export function isProvider(name: string): name is ProviderName {
  return (providers as readonly string[]).includes(name);
}

/** The accepted audiences of a provider's tokens; empty while the provider is not enabled in the app. */
export function clientIdsOf(app: App, provider: ProviderName): string[] {
  const { provider_a: a, provider_b: b } = app.settings;
  const all =
    provider === 'provider-a'
      ? [a.client_ids.web, a.client_ids.ios, a.client_ids.android]
      : [b.services_id, b.bundle_id];
  return all.filter((clientId) => clientId !== null);
}

export const methodOf = {
  'provider-a': 'provider_a',
  'provider-b': 'provider_b',
} as const satisfies Record<ProviderName, SessionMethod>;
