// What a browser and an authenticator signed, and whether it was made for this relying party: the steps of WebAuthn Level 3,
// 7.1 and 7.2, that need neither the database nor a key.
import type { PasskeyRefusal } from '@foyer/contract';
import { equalInConstantTime, sha256 } from '../lib/crypto/digest.js';
import type { RelyingParty } from './relying-party.js';
import type { WebAuthn } from './webauthn.js';

/** The kind of ceremony, as the client data names it. */
export type CeremonyType = 'webauthn.create' | 'webauthn.get';

export type Ceremony = {
  type: unknown;
  origin: unknown;
  crossOrigin: unknown;
  challenge: string;
  authenticator: ReturnType<WebAuthn['helpers']['parseAuthenticatorData']>;
};

/** Null if they cannot be read. */
export function readCeremony(
  { helpers: { decodeClientDataJSON, parseAuthenticatorData } }: WebAuthn,
  clientDataJSON: string,
  authenticatorData: Uint8Array,
): Ceremony | null {
  try {
    const { type, origin, crossOrigin, challenge } = decodeClientDataJSON(clientDataJSON) as Record<
      'type' | 'origin' | 'crossOrigin' | 'challenge',
      unknown
    >;
    if (typeof challenge !== 'string') return null;
    // A copy, since the library may patch the bytes that it parses.
    const authenticator = parseAuthenticatorData(new Uint8Array(authenticatorData));
    return { type, origin, crossOrigin, challenge, authenticator };
  } catch {
    return null;
  }
}

/** Null if nothing speaks against it. The challenge is judged by `challenge.ts`, the signature by the library. */
export function judgeCeremony(
  { type, origin, crossOrigin, authenticator }: Ceremony,
  expected: CeremonyType,
  { rp_id, origins }: RelyingParty,
): PasskeyRefusal | null {
  if (type !== expected) return 'wrong-type';
  if (typeof origin !== 'string' || !origins.includes(origin)) return 'wrong-origin';
  if (crossOrigin !== undefined && crossOrigin !== false) return 'cross-origin';
  if (!equalInConstantTime(sha256(rp_id), authenticator.rpIdHash)) return 'wrong-rp-id';
  return authenticator.flags.up ? null : 'no-user-presence';
}

/** A synchronized passkey has no meaningful counter, and many authenticators have none: it stays 0. */
export function counterFellBack(stored: { counter: number; backedUp: boolean }, counter: number): boolean {
  if (stored.backedUp || (stored.counter === 0 && counter === 0)) return false;
  return counter <= stored.counter;
}

/** Authentication method references (RFC 8176) of a signature. */
export function amrOfPasskey(userVerified: boolean): string[] {
  return userVerified ? ['swk', 'user', 'mfa'] : ['swk', 'user'];
}
