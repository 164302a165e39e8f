// The identity providers of an app: the two built-in ones, whose issuers and keys are configuration of the process, and those of
// the setting `providers`.
import { type AppSettings, providers } from '@foyer/contract';
import {
  discoverKeys,
  type Fetch,
  type ProviderKeys,
  providerKeys,
  type SsrfSafeFetch,
} from '../../engines/safe-fetch/index.js';
import type { Deps, Provider, ProviderName, Providers } from '../deps.js';
import type { Config } from '../env.js';
import { ApiError } from '../lib/api-error.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import type { App } from '../model/app.js';
import type { SessionMethod } from '../model/session.js';
import { authorizationServers } from './authorization-server.js';

type ProviderConfig = Pick<Config, 'providerA' | 'providerB'>;

/** The keys of an issuer take at most 128 KiB. */
const rememberedIssuers = 200;

export function identityProviders(
  config: ProviderConfig,
  deps: { fetch: Fetch; ssrfSafeFetch: SsrfSafeFetch; clock: Clock; logger: Logger },
): Providers {
  const { providerA, providerB } = config;
  const known = new Map<string, ProviderKeys>();

  /** The same for all apps with this issuer; the one that was used longest ago is dropped first. */
  function keysOf(issuer: string): ProviderKeys {
    const keys = known.get(issuer) ?? providerKeys(deps, issuer, () => discoverKeys(deps, issuer));
    known.delete(issuer);
    known.set(issuer, keys);
    const [oldest] = known.keys();
    if (known.size > rememberedIssuers && oldest !== undefined) known.delete(oldest);
    return keys;
  }

  return {
    'provider-a': { issuers: providerA.issuers, keys: providerKeys(deps, providerA.jwksUrl) },
    'provider-b': { issuers: providerB.issuers, keys: providerKeys(deps, providerB.jwksUrl) },
    ofIssuer: (issuer) => ({ issuers: [issuer], keys: keysOf(issuer) }),
    serverOf: authorizationServers(deps),
  };
}

export function isBuiltIn(id: string): id is ProviderName {
  return (providers as readonly string[]).includes(id);
}

/** A provider of the settings, if the app has one with this id. */
export function providerSettingsOf({ settings }: App, id: string): AppSettings['providers'][string] | null {
  return Object.hasOwn(settings.providers, id) ? (settings.providers[id] ?? null) : null;
}

/** Throws `auth/no-such-provider`. */
export function requireKnownProvider(app: App, id: string): void {
  if (!isBuiltIn(id) && !providerSettingsOf(app, id)) throw new ApiError('auth/no-such-provider');
}

/** What ID tokens of a provider are checked against. */
export type AppProvider = Provider & {
  clientIds: string[];
  /** The client sent the provider the SHA-256 of the nonce. */
  hashesNonce: boolean;
  /** Whether a verified email of the provider counts as verified here. */
  trustsEmail: boolean;
  /** Whether a user without an email that counts as verified can create an account, whose email is then unverified. */
  createsUnverified: boolean;
  /** Names a user of the provider for good. */
  subjectOf(sub: string): string;
};

/**
 * Throws `auth/no-such-provider`, or `auth/operation-not-allowed` while a built-in provider is off, and for GitHub, which issues
 * no ID tokens.
 */
export function requireProvider(deps: Pick<Deps, 'providers'>, app: App, id: string): AppProvider {
  if (isBuiltIn(id)) {
    const clientIds = clientIdsOf(app, id);
    if (clientIds.length === 0) throw new ApiError('auth/operation-not-allowed');
    return {
      ...deps.providers[id],
      clientIds,
      hashesNonce: id === 'provider-b',
      trustsEmail: trustsEmailOf(app, id),
      createsUnverified: false,
      subjectOf: (sub) => sub,
    };
  }
  const settings = providerSettingsOf(app, id);
  if (!settings) throw new ApiError('auth/no-such-provider');
  const { kind, issuer, client_ids: clientIds } = settings;
  if (kind === 'github') throw new ApiError('auth/operation-not-allowed');
  return {
    ...deps.providers.ofIssuer(issuer),
    clientIds,
    hashesNonce: false,
    trustsEmail: trustsEmailOf(app, id),
    createsUnverified: true,
    subjectOf: (sub) => subjectAt(issuer, sub),
  };
}

/** A `sub` is unique at its issuer only (OpenID Connect Core 5.7), and the setting may name another one later. */
export function subjectAt(issuer: string, sub: string): string {
  return `${issuer} ${sub}`;
}

export function trustsEmailOf(app: App, id: string): boolean {
  return isBuiltIn(id) || providerSettingsOf(app, id)?.trusts_email === true;
}

/** The accepted audiences of a provider's tokens; empty while the provider is not enabled in the app. */
export function clientIdsOf(app: App, provider: ProviderName): string[] {
  const { provider_a: a, provider_b: b } = app.settings;
  return provider === 'provider-a'
    ? [...a.client_ids.web, ...a.client_ids.ios, ...a.client_ids.android]
    : [...b.services_ids, ...b.bundle_ids];
}

/** The name that users know the provider by. */
export function nameOf({ providerA, providerB }: ProviderConfig, provider: ProviderName): string {
  if (provider === 'provider-a') return isGoogle(providerA) ? 'Google' : 'Provider A';
  return isApple(providerB) ? 'Apple' : 'Provider B';
}

export function isGoogle({ issuers }: Config['providerA']): boolean {
  return issuers[0] === 'https://accounts.google.com';
}

export function isApple({ issuers }: Config['providerB']): boolean {
  return issuers[0] === 'https://appleid.apple.com';
}

export function methodOf(provider: string): SessionMethod {
  if (!isBuiltIn(provider)) return 'provider';
  return provider === 'provider-a' ? 'provider_a' : 'provider_b';
}
