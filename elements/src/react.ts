// `@foyer/elements/react`: the elements as React components, with typed properties and events.
'use client';

import type { Client } from '@foyer/sdk';
import { type CSSProperties, createElement, type FunctionComponent, useEffect, useRef } from 'react';
import type { SignedOutDetail } from './account.js';
import type { FoyerSignIn, SignedInDetail } from './sign-in.js';
import './account.js';
import './sign-in.js';

interface ElementProps {
  /** The client of the app. Without it `baseUrl` and `appKey` create one. */
  client?: Client | undefined;
  /** As in the options of `createClient`. */
  baseUrl?: string | undefined;
  /** As in the options of `createClient`. */
  appKey?: string | undefined;
  /** Where providers send the user back to; one of the app's `redirect_uris`. Default: the page, without its query. */
  redirectUri?: string | undefined;
  /** Default: that of the system. */
  theme?: 'light' | 'dark' | undefined;
  /** A language tag. Default: that of the page, then those of the browser. */
  lang?: string | undefined;
  id?: string | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

export interface SignInProps extends ElementProps {
  /** Signs in with a provider without leaving the page, by its ID token; see the property of `<foyer-sign-in>`. */
  idToken?: FoyerSignIn['idToken'];
  /** Called when there is a session and the user has nothing left to do; also on start, with a stored session. */
  onSignedIn?: ((detail: SignedInDetail) => void) | undefined;
}

export interface AccountProps extends ElementProps {
  /** Called when the session ends: signed out, deleted, or ended elsewhere. */
  onSignedOut?: ((detail: SignedOutDetail) => void) | undefined;
}

/** The sign-in screen. */
export const SignIn: FunctionComponent<SignInProps> = ({ onSignedIn, ...props }) =>
  useFoyerElement('foyer-sign-in', props, ['foyer-signed-in', onSignedIn]);

/** The account screen of the signed-in user. */
export const Account: FunctionComponent<AccountProps> = ({ onSignedOut, ...props }) =>
  useFoyerElement('foyer-account', props, ['foyer-signed-out', onSignedOut]);

type Listener<Name extends keyof HTMLElementEventMap> = [
  name: Name,
  listener: ((detail: never) => void) | undefined,
];

/** Attributes by React, and what is no text by the element itself: React 18 sets only attributes. */
function useFoyerElement(
  tag: 'foyer-sign-in' | 'foyer-account',
  { client, idToken, className, baseUrl, appKey, redirectUri, ...attributes }: SignInProps,
  [event, listener]: Listener<'foyer-signed-in' | 'foyer-signed-out'>,
) {
  const ref = useRef<FoyerSignIn>(null);
  // The listener is added once, and an event may come before the next render.
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const element = ref.current;
    const call = (given: Event) => latest.current?.((given as CustomEvent).detail as never);
    element?.addEventListener(event, call);
    return () => element?.removeEventListener(event, call);
  }, [event]);
  useEffect(() => {
    if (ref.current && client) ref.current.client = client;
  }, [client]);
  useEffect(() => {
    if (ref.current) ref.current.idToken = idToken;
  }, [idToken]);
  return createElement(tag, {
    ...attributes,
    ref,
    class: className,
    'base-url': baseUrl,
    'app-key': appKey,
    'redirect-uri': redirectUri,
  });
}
