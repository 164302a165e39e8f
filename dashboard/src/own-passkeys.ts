// The passkeys of team members. They are bound to the host of BASE_URL; on an IP address no browser has any.
import { passkeys } from '@foyer/sdk';
import { client } from './client.ts';
import { pageConfig } from './page-config.ts';

export const ownPasskeys = passkeys(client);

/** Browsers define `PublicKeyCredential` on secure pages only. */
export function arePasskeysOffered(): boolean {
  const { origin, hostname } = new URL(pageConfig.api);
  const isIpAddress = hostname.startsWith('[') || /^[0-9.]+$/.test(hostname);
  return origin === location.origin && !isIpAddress && 'PublicKeyCredential' in globalThis;
}
