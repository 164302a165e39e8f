// The page of the service where a user of an app signs in, and manages or deletes the account: both elements, one at a time.
import '@foyer/elements';
import { createClient } from '@foyer/sdk';

declare global {
  /** Of style elements, which Lit needs where the browser has no constructable style sheets. */
  var litNonce: string | undefined;
}

const meta = document.querySelector<HTMLMetaElement>('meta[name="foyer"]')!;
const { app_key: appKey, url } = JSON.parse(meta.content) as { app_key: string; url: string };
globalThis.litNonce = meta.nonce;

const client = createClient({ baseUrl: `${location.origin}/api/v2`, appKey });
const main = document.querySelector('main')!;

function show(name: 'foyer-sign-in' | 'foyer-account'): void {
  const element = document.createElement(name);
  element.client = client;
  element.redirectUri = url;
  main.replaceChildren(element);
}

main.addEventListener('foyer-signed-in', () => show('foyer-account'));
main.addEventListener('foyer-signed-out', () => show('foyer-sign-in'));
const { status } = await client.auth.ready();
show(status === 'signedIn' ? 'foyer-account' : 'foyer-sign-in');
