// The ID tokens of Google and Apple, from their own scripts; the app's settings name the client ids. The nonce binds a token to
// this sign-in.
import type { FoyerSignIn } from '@foyer/elements';
import { createNonce } from '@foyer/sdk';

type IdToken = NonNullable<FoyerSignIn['idToken']>;
type Proof = Awaited<NonNullable<ReturnType<IdToken>>>;

/** What the scripts of the providers define, as far as it is used here. */
declare const google: {
  accounts: {
    id: {
      initialize(options: {
        client_id: string;
        nonce: string;
        callback: (answer: { credential: string }) => void;
      }): void;
      renderButton(parent: HTMLElement, options: { theme: 'outline'; size: 'large' }): void;
    };
  };
};
declare const AppleID: {
  auth: {
    init(options: {
      clientId: string;
      scope: string;
      redirectURI: string;
      usePopup: true;
      nonce: string;
    }): void;
    signIn(): Promise<{
      authorization: { id_token: string; code: string };
      /** The provider sends the name at the first sign-in only. */
      user?: { name?: { firstName?: string; lastName?: string } };
    }>;
  };
};

/** Other providers work by redirect. */
export const idToken: IdToken = ({ kind, client_id: clientId }) => {
  if (clientId === null) return undefined;
  if (kind === 'provider-a') return ofGoogle(clientId);
  return kind === 'provider-b' ? ofApple(clientId) : undefined;
};

/** Google's rules demand its own button, which a dialog shows; the user may close it. */
async function ofGoogle(clientId: string): Promise<Proof> {
  await load('https://accounts.google.com/gsi/client');
  const { raw: nonce } = await createNonce();
  const dialog = document.createElement('dialog');
  dialog.ariaLabel = 'Sign in with Google';
  const place = document.createElement('div');
  const cancel = document.createElement('button');
  cancel.textContent = 'Cancel';
  cancel.onclick = () => dialog.close();
  dialog.append(place, cancel);
  document.body.append(dialog);
  try {
    return await new Promise((resolve) => {
      dialog.onclose = () => resolve(null);
      google.accounts.id.initialize({
        client_id: clientId,
        nonce,
        callback: ({ credential }) => resolve({ id_token: credential, nonce }),
      });
      google.accounts.id.renderButton(place, { theme: 'outline', size: 'large' });
      dialog.showModal();
    });
  } finally {
    dialog.remove();
  }
}

async function ofApple(clientId: string): Promise<Proof> {
  await load('https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js');
  const nonce = await createNonce();
  const redirectURI = location.origin;
  AppleID.auth.init({ clientId, scope: 'name email', redirectURI, usePopup: true, nonce: nonce.sha256 });
  const answer = await AppleID.auth.signIn().catch((failure: { error?: string }) => {
    if (failure.error === 'popup_closed_by_user') return null;
    throw failure;
  });
  if (!answer) return null;
  const { firstName: first_name, lastName: last_name } = answer.user?.name ?? {};
  return { id_token: answer.authorization.id_token, nonce: nonce.raw, first_name, last_name };
}

const scripts = new Map<string, Promise<void>>();

/** Adds a provider's script to the page, once; after a failure again. */
function load(src: string): Promise<void> {
  const known = scripts.get(src);
  if (known) return known;
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => resolve();
    script.onerror = () => {
      scripts.delete(src);
      script.remove();
      reject(new Error(`${src} cannot be loaded`));
    };
    document.head.append(script);
  });
  scripts.set(src, loading);
  return loading;
}
