// Google and Apple, each where its client id is configured here; the app's settings at the service must name it too. The
// nonce binds the provider's ID token to this sign-in.
import { createNonce } from '@foyer/sdk';
import { useEffect, useRef } from 'react';
import { Problem, useAction } from './action';
import { client } from './foyer';
import type { FirstStep } from './second-step';

const { VITE_GOOGLE_CLIENT_ID: googleClientId, VITE_APPLE_CLIENT_ID: appleClientId } = import.meta.env;

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

export function ProviderButtons({ firstStep }: { firstStep: FirstStep }) {
  return (
    <div className="providers">
      {googleClientId && <Google clientId={googleClientId} firstStep={firstStep} />}
      {appleClientId && <Apple clientId={appleClientId} firstStep={firstStep} />}
    </div>
  );
}

interface ProviderProps {
  clientId: string;
  firstStep: FirstStep;
}

function Google({ clientId, firstStep }: ProviderProps) {
  const place = useRef<HTMLDivElement>(null);
  const { problem, run } = useAction();

  // biome-ignore lint/correctness/useExhaustiveDependencies: Google's button is drawn once for each attempt.
  useEffect(() => {
    let isGone = false;

    async function draw() {
      await load('https://accounts.google.com/gsi/client');
      const { raw } = await createNonce();
      if (isGone || !place.current) return;
      google.accounts.id.initialize({
        client_id: clientId,
        nonce: raw,
        callback: ({ credential }) => void run(() => signIn(credential, raw)),
      });
      google.accounts.id.renderButton(place.current, { theme: 'outline', size: 'large' });
    }

    async function signIn(idToken: string, nonce: string) {
      try {
        await firstStep(() => client.auth.signInWithProviderA({ id_token: idToken, nonce }));
      } catch (error) {
        // The next attempt needs its own nonce.
        await draw();
        throw error;
      }
    }

    void run(draw);
    return () => {
      isGone = true;
    };
  }, [clientId]);

  return (
    <>
      <div ref={place} />
      <Problem text={problem} />
    </>
  );
}

function Apple({ clientId, firstStep }: ProviderProps) {
  const { isBusy, problem, run } = useAction();

  async function signIn() {
    await load('https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js');
    const nonce = await createNonce();
    const redirectURI = location.origin;
    AppleID.auth.init({ clientId, scope: 'name email', redirectURI, usePopup: true, nonce: nonce.sha256 });
    const answer = await AppleID.auth.signIn().catch((failure: { error?: string }) => {
      if (failure.error === 'popup_closed_by_user') return null;
      throw failure;
    });
    if (!answer) return;
    const credential = {
      identity_token: answer.authorization.id_token,
      authorization_code: answer.authorization.code,
      nonce: nonce.raw,
      first_name: answer.user?.name?.firstName,
      last_name: answer.user?.name?.lastName,
    };
    await firstStep(() => client.auth.signInWithProviderB(credential));
  }

  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => run(signIn)}>
        Continue with Apple
      </button>
      <Problem text={problem} />
    </>
  );
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
