// The providers of an app as sign-in by redirect needs them: their endpoints, the client, and what is asked for.
import type { AppSettings } from '@foyer/contract';
import type { Deps, ProviderName, RedirectServer } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { gitHubServer } from './github.js';
import { isBuiltIn, providerSettingsOf } from './provider.js';
import { canCallProviderB } from './provider-b.js';

type ProviderSetting = AppSettings['providers'][string];

type ConfigDeps = Pick<Deps, 'config'>;

export type RedirectProvider = {
  id: string;
  kind: ProviderName | ProviderSetting['kind'];
  issuer: string;
  /** The first one signs in. */
  clientIds: string[];
  scopes: string[];
};

/** Null if the app has no such provider, or users cannot sign in with it by redirect. */
export function redirectProviderOf({ config }: ConfigDeps, app: App, id: string): RedirectProvider | null {
  if (isBuiltIn(id)) return builtInOf(config, app, id);
  const settings = providerSettingsOf(app, id);
  // GitHub issues a secret to each client, and exchanges no code without it.
  if (!settings || (settings.kind === 'github' && !settings.client_secret_set)) return null;
  const { kind, issuer, client_ids: clientIds } = settings;
  return { id, kind, issuer, clientIds, scopes: scopesOf(settings) };
}

/**
 * True if users of the app can sign in by redirect. Without a redirect URI they return to the page of the account only, for which a
 * secret that serves nothing else is enough; that of provider B also revokes tokens.
 */
export function isRedirectable(deps: ConfigDeps, app: App, id: string): boolean {
  const { redirect_uris, provider_a } = app.settings;
  const settings = id === 'provider-a' ? provider_a : providerSettingsOf(app, id);
  const isReturning = redirect_uris.length > 0 || settings?.client_secret_set === true;
  return isReturning && redirectProviderOf(deps, app, id) !== null;
}

/** Provider A needs a secret, and provider B the key that signs one: their clients on the web are confidential. */
function builtInOf(
  { providerA, providerB }: Deps['config'],
  app: App,
  id: ProviderName,
): RedirectProvider | null {
  const { provider_a: a, provider_b: b } = app.settings;
  const clientIds = id === 'provider-a' ? a.client_ids.web : b.services_ids;
  const hasSecret = id === 'provider-a' ? a.client_secret_set : canCallProviderB(app);
  if (clientIds.length === 0 || !hasSecret) return null;
  const { issuers } = id === 'provider-a' ? providerA : providerB;
  // What Apple calls the profile.
  const scopes = ['openid', 'email', id === 'provider-a' ? 'profile' : 'name'];
  return { id, kind: id, issuer: issuers[0], clientIds, scopes };
}

/** Throws `auth/no-such-provider`, or `auth/operation-not-allowed` for one that is not available by redirect. */
export function requireRedirectProvider(deps: ConfigDeps, app: App, id: string): RedirectProvider {
  const provider = redirectProviderOf(deps, app, id);
  if (provider) return provider;
  const isKnown = isBuiltIn(id) || providerSettingsOf(app, id) !== null;
  throw new ApiError(isKnown ? 'auth/operation-not-allowed' : 'auth/no-such-provider');
}

/** The provider, unless the settings have changed since a user was sent to it. */
export function sameRedirectProvider(
  deps: ConfigDeps,
  app: App,
  id: string,
  { issuer, clientId }: { issuer: string; clientId: string },
): RedirectProvider | null {
  const provider = redirectProviderOf(deps, app, id);
  return provider?.issuer === issuer && provider.clientIds.includes(clientId) ? provider : null;
}

/** Throws `request/unavailable` while the endpoints of the provider cannot be read. */
export async function redirectServerOf(
  { providers }: Pick<Deps, 'providers'>,
  { kind, issuer }: RedirectProvider,
): Promise<RedirectServer> {
  return kind === 'github' ? gitHubServer(issuer) : providers.serverOf(issuer);
}

function scopesOf({ kind, scopes }: ProviderSetting): string[] {
  if (kind === 'github') return scopes ?? ['read:user', 'user:email'];
  return [...new Set(['openid', ...(scopes ?? ['email', 'profile'])])];
}
