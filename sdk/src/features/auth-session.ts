// `signInInAuthSession(client, …)`: sign-in with a provider in the browser that Expo opens over the app.
import type { CallOptions, Client, ProviderASession } from '../api.js';
import type { Identity } from '../generated/models.js';
import type { Provider } from '../models.js';
import { coreOf } from '../session/core.js';
import type { NonceOptions } from './nonce.js';
import { beginRedirect, finishRedirect, type RedirectPurpose, returnedIn } from './redirect-steps.js';

export interface AuthSessionOptions extends CallOptions, NonceOptions {
  /** Where the user comes back to: one of the app's setting `redirect_uris`, such as `com.example.app:/signed-in`. */
  redirectUri: string;
  /** `openAuthSessionAsync` of `expo-web-browser`. */
  openAuthSessionAsync: (url: string, redirectUri: string) => Promise<{ type: string; url?: string }>;
}

/**
 * Opens the provider over the app, and signs in when the user is back. Resolves to `null` when the user closes it; rejects with
 * `auth/user-cancelled` when the user declines at the provider.
 *
 * @example
 * const options = { redirectUri: 'com.example.app:/signed-in', openAuthSessionAsync, randomBytes };
 * const session = await signInInAuthSession(client, 'contoso', options);
 */
export function signInInAuthSession(
  client: Client,
  provider: Provider,
  options: AuthSessionOptions,
): Promise<ProviderASession | null> {
  return inSession(client, provider, 'sign-in', options) as Promise<ProviderASession | null>;
}

/** As `signInInAuthSession`, to link the provider to the signed-in user. Requires a recent sign-in. */
export async function linkInAuthSession(
  client: Client,
  provider: Provider,
  options: AuthSessionOptions,
): Promise<Identity | null> {
  const linked = await inSession(client, provider, 'link', options);
  return (linked as { identity: Identity } | null)?.identity ?? null;
}

async function inSession(
  client: Client,
  provider: Provider,
  purpose: RedirectPurpose,
  { redirectUri, openAuthSessionAsync, ...options }: AuthSessionOptions,
) {
  const { url, begun } = await beginRedirect(coreOf(client), { provider, purpose, redirectUri }, options);
  const closed = await openAuthSessionAsync(url, redirectUri);
  if (closed.type !== 'success' || closed.url === undefined) return null;
  const { randomBytes: _, ...callOptions } = options;
  return finishRedirect(client, begun, returnedIn(closed.url), callOptions);
}
