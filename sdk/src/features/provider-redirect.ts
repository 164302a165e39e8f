// `signInWithProvider(client, …)`: the page leaves for a provider of the app's settings, and `completeRedirect(client)` finishes
// when the user is back. The code that comes back works only with the verifier, which stays in the tab.
import type { CallOptions, Client, ProviderASession } from '../api.js';
import { FoyerError } from '../errors.js';
import type { Identity } from '../generated/models.js';
import type { Provider } from '../models.js';
import { type Core, coreOf } from '../session/core.js';
import {
  type Begun,
  beginRedirect,
  finishRedirect,
  type RedirectPurpose,
  returnedIn,
} from './redirect-steps.js';

export interface RedirectOptions extends CallOptions {
  /** Where the user comes back to: one of the app's setting `redirect_uris`, character by character. */
  redirectUri: string;
}

/** What the user came back for: a sign-in, a linked provider, or a recent sign-in. */
export type RedirectResult =
  | ({ purpose: 'sign-in' } & ProviderASession)
  | { purpose: 'link'; identity: Identity }
  | { purpose: 'reauthenticate' };

/**
 * Leaves the page to sign in with a provider. Call `completeRedirect` on the page of `redirectUri`.
 *
 * @example
 * await signInWithProvider(client, 'contoso', { redirectUri: `${location.origin}/signed-in` });
 */
export function signInWithProvider(
  client: Client,
  provider: Provider,
  options: RedirectOptions,
): Promise<void> {
  return leave(client, provider, 'sign-in', options);
}

/** Leaves the page to link a provider to the signed-in user; `completeRedirect` links it. Requires a recent sign-in. */
export function linkWithProvider(
  client: Client,
  provider: Provider,
  options: RedirectOptions,
): Promise<void> {
  return leave(client, provider, 'link', options);
}

/** Leaves the page to renew the sign-in time with a linked provider; `completeRedirect` renews it. */
export function reauthenticateWithProvider(
  client: Client,
  provider: Provider,
  options: RedirectOptions,
): Promise<void> {
  return leave(client, provider, 'reauthenticate', options);
}

/**
 * Finishes what the user has come back for, and removes it from the address bar. Resolves to `null` when the page was not opened
 * by a provider; call it on every start of the page of `redirectUri`. Calls at the same time, such as those of effects that run
 * twice, have one result. Rejects with `auth/user-cancelled` when the user declined, with `auth/invalid-credential` when the
 * sign-in began in another tab or is too old, with `client/signed-out` when a user who is no longer signed in began to link or
 * to reauthenticate, and as `signInByIdToken` does.
 *
 * @example
 * const result = await completeRedirect(client);
 * if (result?.purpose === 'sign-in') showWelcome(result.user);
 */
export function completeRedirect(client: Client, options?: CallOptions): Promise<RedirectResult | null> {
  const core = coreOf(client);
  const running =
    completing.get(core) ?? complete(client, core, options).finally(() => completing.delete(core));
  completing.set(core, running);
  return running;
}

const completing = new WeakMap<Core, Promise<RedirectResult | null>>();

async function leave(
  client: Client,
  provider: Provider,
  purpose: RedirectPurpose,
  { redirectUri, ...options }: RedirectOptions,
): Promise<void> {
  const core = coreOf(client);
  const { url, begun } = await beginRedirect(core, { provider, purpose, redirectUri }, options);
  try {
    sessionStorage.setItem(`${core.storageKey}.redirect`, JSON.stringify(begun));
  } catch (cause) {
    throw new FoyerError('client/storage-unavailable', 'The tab cannot store the begin of the sign-in.', {
      cause,
    });
  }
  location.assign(url);
}

async function complete(client: Client, core: Core, options?: CallOptions): Promise<RedirectResult | null> {
  const { code, error } = returnedIn(location.href);
  const key = `${core.storageKey}.redirect`;
  const stored = keptIn(key);
  // Another library may use these parameters too.
  if (!code && !(error && stored)) return null;
  // Before the request: a reload must not send the code again.
  if (stored) sessionStorage.removeItem(key);
  const parameter = new RegExp(`([?&])${code ? 'code' : 'error'}=[^&#]*(&?)`);
  const cleaned = location.href.replace(parameter, (_, before, after) => (after ? before : ''));
  history.replaceState(history.state, '', cleaned);
  if (!stored) {
    throw new FoyerError('auth/invalid-credential', 'The sign-in did not begin in this tab; start again.');
  }
  const begun = JSON.parse(stored) as Begun;
  const done = await finishRedirect(client, begun, { code, error }, options);
  return { purpose: begun.purpose, ...done } as RedirectResult;
}

/** Null where the browser blocks the storage, in which no sign-in has begun. */
function keptIn(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
