// The `state` of a sign-in by redirect: what the callback needs, encrypted with ENCRYPTION_KEYS. Nothing is stored: a restart, or
// another instance, reads it as well.
import { limits } from '@foyer/contract';
import type { Deps } from '../deps.js';

export type RedirectState = {
  appId: string;
  provider: string;
  /** The issuer of the settings at the begin, and the client that was named to it. */
  issuer: string;
  clientId: string;
  redirectUri: string;
  /** Of the client of the app, which has the verifier. */
  challenge: string;
  /** Of the authorization request; it also names the flow. */
  nonce: string;
  /** The PKCE verifier towards the provider. */
  verifier: string;
  /** Milliseconds. */
  expiresAt: number;
};

const context = 'provider redirect state';

export function sealState(
  { keyRing, clock }: Pick<Deps, 'keyRing' | 'clock'>,
  state: Omit<RedirectState, 'expiresAt'>,
): string {
  const expiresAt = clock.now().getTime() + limits.providerRedirectSeconds * 1_000;
  const sealed: RedirectState = { ...state, expiresAt };
  return keyRing.encrypt(Buffer.from(JSON.stringify(sealed)), context).toString('base64url');
}

/** Null if it is not one of the service. It may have expired. */
export function openState({ keyRing }: Pick<Deps, 'keyRing'>, text: string): RedirectState | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return null;
  try {
    return JSON.parse(keyRing.decrypt(bytes, context).toString());
  } catch {
    // Forged, altered, or encrypted under a key that was removed.
    return null;
  }
}
