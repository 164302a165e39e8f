// The relying party of an app: the setting `passkeys` and the origin of the service, and for the dashboard the host and origin of
// BASE_URL. Never the Host header of a request.
import type { PasskeySettings } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type App, isConsole } from '../model/app.js';

export type RelyingParty = NonNullable<PasskeySettings>;

/** Null while passkeys are off. */
export function relyingPartyOf(deps: Pick<Deps, 'config'>, app: App): RelyingParty | null {
  const { baseUrl } = deps.config;
  if (isConsole(app)) return dashboardAt(baseUrl, app.name);
  const { passkeys } = app.settings;
  // For the page of the account. A browser signs there only if `rp_id` is the service's host or a domain above it.
  return passkeys && { ...passkeys, origins: [...passkeys.origins, baseUrl] };
}

export function requireRelyingParty(deps: Pick<Deps, 'config'>, app: App): RelyingParty {
  const party = relyingPartyOf(deps, app);
  if (!party) throw new ApiError('auth/operation-not-allowed');
  return party;
}

/** Null where browsers offer no passkeys: without https, except on localhost, and on IP addresses. */
function dashboardAt(baseUrl: string, rp_name: string): RelyingParty | null {
  const { protocol, hostname: rp_id, origin } = new URL(baseUrl);
  const isSecure = protocol === 'https:' || rp_id === 'localhost';
  if (!isSecure || rp_id.startsWith('[') || /^[0-9.]+$/.test(rp_id)) return null;
  return { rp_id, rp_name, origins: [origin] };
}
